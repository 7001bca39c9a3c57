import { type FactorName, factors } from '../access/factors.ts'
import { expiryOf } from '../access/rules.ts'
import { presentChecks } from '../oauth/endpoints/present-checks.ts'
import { readFactors } from '../sessions/proven-factors.ts'
import { type Challenge, type Code, type Entry, type Family, type Refusal, type Session, stepsOfActions } from './queries.ts'
import { type StepKind, stepKinds } from './schemas.ts'

/** A step before its ids are replaced with names. */
export interface Step {
  at: Date
  kind: StepKind
  code: string | null
  reason: string | null
  clientId: string | null
  connectionId: string | null
  scopes: string[] | null
  methods: string[] | null
  checks: ReturnType<typeof presentChecks>
  entryId: string | null
  sessionId: string | null
  reference: string | null
}

/** All records of a sign-in that the caller may read. */
export interface Records {
  begunAt: Date
  entries: readonly Entry[]
  sessions: readonly Session[]
  challenges: readonly Challenge[]
  codes: readonly Code[]
  families: readonly Family[]
  refusals: readonly Refusal[]
  now: Date
}

/** The steps of a sign-in in the order of time; those of one moment in the order in which they happen. */
export function stepsOf(records: Records): Step[] {
  const { entries, codes, families, refusals } = records
  const recorded = entries.map(stepOfEntry)
  const steps = [
    ...recorded,
    ...factorSteps(records),
    ...codes.map((code) => step('code_issued', code.createdAt, grantOf(code))),
    ...families.flatMap((family) => stepsOfFamily(family, recorded)),
    ...refusals.map(stepOfRefusal),
    ...records.sessions.flatMap((session) => stepsOfEnd(session, recorded, records.now)),
  ]
  // Only these entries name the application for which it began: other applications may have come later, in the same session.
  const attempts = recorded.filter(({ kind }) => kind !== 'consent_given' && kind !== 'tokens_ended')
  const begun = step('begun', records.begunAt, { clientId: firstOf(attempts, 'clientId') })
  return [begun, ...steps].toSorted(byTime)
}

const nothing: Omit<Step, 'kind' | 'at'> = {
  code: null,
  reason: null,
  clientId: null,
  connectionId: null,
  scopes: null,
  methods: null,
  checks: null,
  entryId: null,
  sessionId: null,
  reference: null,
}

const step = (kind: StepKind, at: Date, more: Partial<Step> = {}): Step => ({ ...nothing, at, kind, ...more })

const byTime = (one: Step, other: Step) =>
  one.at.getTime() - other.at.getTime() || stepKinds.indexOf(one.kind) - stepKinds.indexOf(other.kind)

/** The first id of its kind in the steps. */
export const firstOf = (steps: readonly Step[], field: 'clientId' | 'connectionId'): string | null =>
  steps.find((one) => one[field] !== null)?.[field] ?? null

function stepOfEntry({ id, action, targetType, targetId, metadata, createdAt }: Entry): Step {
  const { reason, authenticationMethods, clientId, connectionId, factor, scopes } = metadata ?? {}
  return step(stepsOfActions[action as keyof typeof stepsOfActions], createdAt, {
    code: textOf(factor),
    reason: textOf(reason),
    clientId: targetType === 'client' ? targetId : textOf(clientId),
    connectionId: textOf(connectionId),
    scopes: textsOf(scopes),
    methods: textsOf(authenticationMethods),
    entryId: id,
    sessionId: targetType === 'session' ? targetId : null,
  })
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const textsOf = (value: unknown): string[] | null => (Array.isArray(value) ? value.map(String) : null)

const grantOf = ({ clientId, scope, sessionId }: Pick<Code, 'clientId' | 'scope' | 'sessionId'>) => ({ clientId, scopes: scope, sessionId })

/** Lists each factor once: the session takes over the factors of a sign-in that awaited a second one. */
function factorSteps({ sessions, challenges, begunAt }: Records): Step[] {
  const given = new Map<string, Step>()
  const proven = [
    ...challenges.flatMap((challenge) => factorsOf(challenge, null)),
    ...sessions.flatMap((session) => factorsOf(session, session.connectionId)),
  ]
  for (const { factor, provenAt, connectionId, arrivedAt } of proven) {
    // The user may have authenticated at the identity provider days ago: here the time of their return counts.
    const at = connectionId !== null && provenAt < begunAt ? arrivedAt : provenAt
    const key = `${factor} ${provenAt.toISOString()}`
    if (!given.has(key)) given.set(key, step('factor_given', at, { code: factor, connectionId }))
  }
  const asked = challenges.map(({ createdAt }) => step('second_factor_asked', createdAt))
  return [...given.values(), ...(asked.length > 0 ? asked : sessions.flatMap(askedBetween))]
}

/** The factors with the connection of each. */
function factorsOf({ provenFactors, createdAt: arrivedAt }: Challenge, connectionId: string | null) {
  return readFactors(provenFactors, { authenticationMethods: [], provenAt: arrivedAt }).map(({ factor, provenAt, upstream }) => {
    const isFederated = 'isFederated' in factors[factor]
    return { factor, provenAt, arrivedAt, connectionId: isFederated ? (upstream?.connectionId ?? connectionId) : null }
  })
}

/** The step that asked for a second factor in between, even when the row that asked for it has been removed. */
function askedBetween(session: Session): Step[] {
  const [first, ...others] = factorsOf(session, session.connectionId)
  const second = others.find(({ factor, provenAt }) => isSecond(factor) && provenAt <= session.createdAt)
  return first && second ? [step('second_factor_asked', first.provenAt)] : []
}

const isSecond = (factor: FactorName) => !(factors[factor].takes as readonly string[]).includes('first')

function stepsOfFamily(family: Family, recorded: readonly Step[]): Step[] {
  const { createdAt, refreshedAt, revokedAt, clientId } = family
  const isRecorded = (at: Date) =>
    recorded.some((one) => one.kind === 'tokens_ended' && one.clientId === clientId && one.at.getTime() === at.getTime())
  return [
    step('tokens_issued', createdAt, grantOf(family)),
    ...(refreshedAt !== null && refreshedAt > createdAt ? [step('tokens_refreshed', refreshedAt, grantOf(family))] : []),
    ...(revokedAt !== null && !isRecorded(revokedAt) ? [step('tokens_ended', revokedAt, grantOf(family))] : []),
  ]
}

const stepOfRefusal = ({ reference, clientId, connectionId, error, description, checks, createdAt }: Refusal): Step =>
  step('refused', createdAt, { code: error, reason: description, clientId, connectionId, checks: presentChecks(checks), reference })

/** When a session ended; null while it lasts. */
export function endOf(session: Session, now: Date): Date | null {
  const expiry = expiryOf(session)
  const { revokedAt } = session
  if (revokedAt !== null && revokedAt <= expiry) return revokedAt
  return expiry <= now ? expiry : null
}

function stepsOfEnd(session: Session, recorded: readonly Step[], now: Date): Step[] {
  const { id: sessionId, revokedAt } = session
  const end = endOf(session, now)
  const isRecorded = recorded.some((one) => one.sessionId === sessionId && (one.kind === 'signed_out' || one.kind === 'session_ended'))
  if (end === null || isRecorded) return []
  return [step(end === revokedAt ? 'session_ended' : 'session_expired', end, { sessionId })]
}
