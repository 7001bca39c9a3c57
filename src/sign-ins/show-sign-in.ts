import type { Tenant } from '../platform/database/database.ts'
import { presentTime } from '../platform/http/fields.ts'
import { timeOf } from '../platform/ids.ts'
import {
  type Entry,
  findNames,
  listEndings,
  listEntries,
  listGranted,
  listRefusals,
  listSessions,
  recordsMax,
  type Session,
} from './queries.ts'
import { signInNotFound } from './refusals.ts'
import { partPermissions, type SignIn } from './schemas.ts'
import { endOf, firstOf, type Step, stepsOf } from './steps.ts'

/**
 * A sign-in with everything that is stored of it, except the parts that the caller may not read.
 *
 * @throws Problem `not-found` when no record of the organisation belongs to it
 */
export async function getSignIn(tenant: Tenant, permissions: Pick<ReadonlySet<string>, 'has'>, id: string): Promise<SignIn> {
  const [seesUsers, seesClients] = [permissions.has('users:read'), permissions.has('clients:read')]
  const [written, refusals] = await Promise.all([listEntries(tenant, id), listRefusals(tenant, id)])
  if (written.length === 0 && refusals.length === 0) throw signInNotFound()

  const sessionIds = written.filter(({ action }) => action === 'login.success').map(({ targetId }) => targetId)
  const userIds = [...new Set(written.flatMap(usersOf))]
  const [endings, sessions, granted] = await Promise.all([
    listEndings(tenant, sessionIds),
    seesUsers ? listSessions(tenant, sessionIds) : [],
    listGranted(tenant, id, seesUsers ? userIds : []),
  ])
  const entries = ofSignIn([...written, ...endings], sessionIds)
  const begunAt = new Date(timeOf(id))
  const shown = seesClients ? refusals : []
  const steps = stepsOf({ begunAt, entries, sessions, ...granted, refusals: shown, now: tenant.now })
  const names = await findNames(
    tenant,
    [...new Set(steps.flatMap(({ clientId, connectionId }) => [clientId, connectionId]))].filter(isText),
  )
  const named = (recordId: string | null) => (recordId === null ? null : { id: recordId, name: names.get(recordId) ?? null })

  return {
    id,
    user: userOf(entries),
    client: named(firstOf(steps, 'clientId')),
    connection: named(firstOf(steps, 'connectionId')),
    begunAt: presentTime(begunAt),
    ...stateOf({ sessionIds, entries, sessions, seesUsers, now: tenant.now }),
    steps: steps.map((step) => presentStep(step, named)),
    isComplete: [written, refusals, ...Object.values(granted)].every((read) => read.length <= recordsMax),
    leftOut: partPermissions.filter((permission) => !permissions.has(permission)),
  }
}

const isText = (id: string | null): id is string => id !== null

/** The users that an entry names, even of a failed attempt, whose caller has not proven to be the user. */
const usersOf = ({ action, actorId, targetType, targetId }: Entry): string[] => {
  if (targetType === 'user') return [targetId]
  return action === 'login.success' && actorId !== null ? [actorId] : []
}

/** The distinct entries of the sign-in, without those about other sessions that its user has ended from it. */
function ofSignIn(entries: readonly Entry[], sessionIds: readonly string[]): Entry[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return [...byId.values()].filter(({ targetType, targetId }) => targetType !== 'session' || sessionIds.includes(targetId))
}

function userOf(entries: readonly Entry[]): SignIn['user'] {
  const success = entries.find(({ action }) => action === 'login.success')
  if (success?.actorId) return { id: success.actorId, name: success.actorName, email: success.actorEmail }
  const tried = entries.find(({ targetType }) => targetType === 'user')
  return tried ? { id: tried.targetId, name: tried.targetName, email: tried.targetEmail } : null
}

interface Sessions {
  sessionIds: readonly string[]
  entries: readonly Entry[]
  sessions: readonly Session[]
  seesUsers: boolean
  now: Date
}

function stateOf({ sessionIds, entries, sessions, seesUsers, now }: Sessions): Pick<SignIn, 'state' | 'endedAt'> {
  if (sessionIds.length === 0) return { state: 'not_signed_in', endedAt: null }
  const ends = sessionIds.map((id) => {
    const recorded = entries.find(({ action, targetId }) => targetId === id && (action === 'auth.logout' || action === 'session.revoked'))
    if (recorded) return recorded.createdAt
    const session = sessions.find((one) => one.id === id)
    return session ? endOf(session, now) : 'gone'
  })
  if (ends.includes(null)) return { state: 'active', endedAt: null }
  if (ends.includes('gone')) return { state: seesUsers ? 'ended' : 'unknown', endedAt: null }
  return { state: 'ended', endedAt: presentTime(new Date(Math.max(...ends.map(Number)))) }
}

function presentStep(
  { clientId, connectionId, at, ...step }: Step,
  named: (id: string | null) => { id: string; name: string | null } | null,
): SignIn['steps'][number] {
  return { ...step, at: presentTime(at), client: named(clientId), connection: named(connectionId) }
}
