import { sql } from 'kysely'
import { z } from 'zod'
import type { UserCaller } from '../access/caller.ts'
import type { Action } from '../activity/catalogue.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { Device, deviceOf } from '../platform/http/devices.ts'
import { limit, presentTime, recordId, timestamp } from '../platform/http/fields.ts'
import { cursorField, pageOf, recordPageOf } from '../platform/http/lists.ts'

/**
 * Actions of users on something else: the entry names them as its actor, and something else as its target. `audit_logs_own_index` covers
 * exactly these actions, so a further one needs another index, or the query reads everything that an administrator has ever done.
 */
const done = [
  'login.success',
  'auth.logout',
  'session.revoked',
  'oauth2.consent.granted',
  'oauth2.consent.revoked',
  'api_key.created',
] as const satisfies Action[]

/**
 * Actions on the passkeys and linked accounts of a user. The entry names one of these as its target, and the user in its metadata. The same
 * holds of `audit_logs_own_ways_in_index`.
 */
const waysInChanged = [
  'passkey.registered',
  'passkey.deleted',
  'passkey.clone_suspected',
  'identity.linked',
  'identity.unlinked',
] as const satisfies Action[]

/** Those by which a way in begins, which is then the target of the others. */
const waysInBegun = ['passkey.registered', 'identity.linked'] as const satisfies Action[]

/** Actions on users, by themselves or others. */
const happened = [
  'user.created',
  'user.updated',
  'user.blocked',
  'user.restored',
  'user.recovered',
  'user.password_changed',
  'user.password_removed',
  'user.password_breached',
  'role.assigned',
  'role.unassigned',
  'login.failed',
  'login.locked',
  'login.unlocked',
  'auth.password_reset_requested',
  'auth.email_code_requested',
  'auth.password_reset',
  'auth.password_expired',
  'auth.email_verified',
  'mfa.enabled',
  'mfa.disabled',
  'mfa.backup_codes_replaced',
] as const satisfies Action[]

const actions = [...done, ...waysInChanged, ...happened]
export type ActivityAction = (typeof actions)[number]

const ActivityEntry = z
  .object({
    id: recordId('aud'),
    action: z.enum(actions).meta({ description: 'What happened' }),
    by: z.enum(['self', 'unidentified', 'administrator', 'operator']).meta({
      description: 'Who did it; `unidentified` if they had not proven to be you',
      example: 'self',
    }),
    about: z.string().nullable().meta({
      description: 'Name of the application, API key or passkey, or slug of the role; null without one',
      example: 'Wiki',
    }),
    sessionId: z.string().nullable().meta({
      description: 'The session that began or ended; null when none did',
      example: 'ses_01kahm3z9n4v7f2t8q6w5r1y0x',
    }),
    ipAddress: z.string().nullable().meta({
      description: 'IP address of the request; null for actions of others',
      example: '203.0.113.7',
    }),
    device: Device.nullable().meta({ description: 'The user agent, as it names itself; null for actions of others' }),
    createdAt: timestamp('When it happened'),
  })
  .meta({ component: 'ActivityEntry' })
export type ActivityEntry = z.infer<typeof ActivityEntry>

export const ActivityQuery = z.object({
  limit: limit(100).default(20).meta({ description: 'Maximum number of records', example: 20 }),
  cursor: cursorField(),
})

export const ActivityPage = recordPageOf(ActivityEntry).meta({ component: 'ActivityPage' })
export type ActivityPage = z.infer<typeof ActivityPage>

/** Sign-ins and security changes of the caller, newest first. */
export async function listOwnActivity(
  database: Database,
  caller: UserCaller,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<ActivityPage> {
  const { userId } = caller.session
  const entries = await findOwnEntries(database.listReads(caller.organisationId), userId, limit + 1, cursor)
  return pageOf(entries, limit, (entry) => presentEntry(entry, userId))
}

type OwnEntry = Awaited<ReturnType<typeof findOwnEntries>>[number]

const columns = [
  'id',
  'action',
  'actorType',
  'actorId',
  'targetType',
  'targetId',
  'targetName',
  'metadata',
  'ipAddress',
  'userAgent',
  'createdAt',
] as const

/**
 * Each part reads an index of its own from the newest entry, and stops at the limit. What others do to a way in is found by the entry with
 * which the user began it, or by the account that is linked: users have few of them.
 */
function findOwnEntries(tenant: Tenant, userId: string, limit: number, before: string | undefined) {
  const entries = (of: readonly Action[]) =>
    tenant
      .selectFrom('auditLogs')
      .select(columns)
      .where(sql<boolean>`action in (${literals(of)})`)
      .$if(before !== undefined, (query) => query.where('id', '<', before as string))
      .orderBy('id', 'desc')
      .limit(limit)
  const doneByUser = entries(done)
    .where('actorId', '=', userId)
    // Administrators also end sessions of others. The entry does not say whose session it was: the sign-in that began it does.
    .where(
      sql<boolean>`(action <> 'session.revoked' or exists (
        select from audit_logs signed_in
        where signed_in.target_id = audit_logs.target_id and signed_in.action = 'login.success' and signed_in.actor_id = ${userId}))`,
    )
  const isOfUser = sql<boolean>`metadata ->> 'userId' = ${userId}`
  const changedByUser = entries(waysInChanged).where('actorId', '=', userId).where(isOfUser)
  // For each way in by itself: of a plain join PostgreSQL might walk through all entries of the organisation.
  const changedByOthers = tenant
    .selectFrom(waysInOf(tenant, userId).as('way'))
    .innerJoinLateral(
      entries(waysInChanged)
        .where(sql<boolean>`target_id = way.way_in_id and actor_id is distinct from ${userId}`)
        .where(isOfUser)
        .as('changed'),
      (join) => join.onTrue(),
    )
    .selectAll('changed')
  const happenedToUser = entries(happened).where('targetId', '=', userId)
  return tenant
    .selectFrom(doneByUser.as('done'))
    .selectAll()
    .unionAll(tenant.selectFrom(changedByUser.as('changed')).selectAll())
    .unionAll(changedByOthers)
    .unionAll(tenant.selectFrom(happenedToUser.as('happened')).selectAll())
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** The passkeys and linked accounts that a user has added, and the accounts that others have linked, such as a directory. */
const waysInOf = (tenant: Tenant, userId: string) =>
  tenant
    .selectFrom('auditLogs as begun')
    .select('begun.targetId as wayInId')
    .where(sql<boolean>`begun.action in (${literals(waysInBegun)})`)
    .where('begun.actorId', '=', userId)
    .union(tenant.selectFrom('identities').select('identities.id as wayInId').where('identities.userId', '=', userId))

/** Literals are needed: PostgreSQL cannot match a statement with parameters to a partial index. */
const literals = (of: readonly Action[]) => sql.join(of.map((action) => sql.lit(action)))

function presentEntry(entry: OwnEntry, userId: string): ActivityEntry {
  const by = actorOf(entry, userId)
  const isOwn = by === 'self' || by === 'unidentified'
  return {
    id: entry.id,
    action: entry.action as ActivityAction,
    by,
    about: subjectOf(entry),
    sessionId: entry.targetType === 'session' ? entry.targetId : null,
    ipAddress: isOwn ? entry.ipAddress : null,
    device: isOwn && entry.userAgent !== null ? deviceOf(entry.userAgent) : null,
    createdAt: presentTime(entry.createdAt),
  }
}

function actorOf({ actorType, actorId }: OwnEntry, userId: string): ActivityEntry['by'] {
  if (actorId === userId) return 'self'
  if (actorType === 'system') return 'operator'
  return actorId === null ? 'unidentified' : 'administrator'
}

function subjectOf({ targetType, targetName, metadata }: OwnEntry): string | null {
  if (targetType === 'client' || targetType === 'api_key' || targetType === 'passkey') return targetName
  const role = metadata?.roleSlug
  return typeof role === 'string' ? role : null
}
