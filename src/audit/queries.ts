import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'
import type { AuditLogsTable } from '../platform/database/tables.ts'
import { presentTime } from '../platform/http/fields.ts'
import { idsFrom } from '../platform/ids.ts'
import { namedActions } from './actions.ts'
import type { AuditEntry, AuditFilters } from './schemas.ts'

export type StoredEntry = Selectable<AuditLogsTable>

type Condition = RawBuilder<boolean>

/**
 * At most `limit` entries that match the filters and are older than the entry `before`, newest first.
 *
 * @param holders what `findHolders` has found for these filters
 */
export async function listAuditEntries(
  tenant: Tenant,
  filters: AuditFilters,
  limit: number,
  before: string | undefined,
  holders?: readonly string[],
): Promise<StoredEntry[]> {
  const names = filters.action?.filter((name) => name !== '') ?? []
  const actions = names.length > 0 ? namedActions(names, filters.targetType) : undefined
  if (actions?.length === 0) return []

  const asked = filtersOf(filters, actions, holders ?? (await findHolders(tenant, filters)))
  const period = periodOf(filters, before)
  const page = asked.length > 1 ? pageOfSeveral(asked, period, limit) : sql`select id from (${newest(asked[0], period, limit)}) as newest`
  const { rows } = await sql<StoredEntry>`
    with page as materialized (${page})
    select entry.* from page join audit_logs entry on entry.id = page.id order by entry.id desc`.execute(tenant)
  return rows
}

/** The entry; undefined when the organisation has no such entry. */
export async function findAuditEntry(tenant: Tenant, id: string): Promise<StoredEntry | undefined> {
  return tenant.selectFrom('auditLogs').selectAll().where('id', '=', id).executeTakeFirst()
}

/** What an entry says of a change. */
export type Recorded = Pick<StoredEntry, 'id' | 'action' | 'targetType' | 'targetId' | 'targetName' | 'changes' | 'metadata'>

/** The entries that this transaction has written for a request: entries that name fields come first. */
export const entriesOfRequest = (tenant: Tenant, requestId: string | null) =>
  tenant
    .selectFrom('auditLogs')
    .select(['id', 'action', 'targetType', 'targetId', 'targetName', 'changes', 'metadata'])
    .where('id', '>=', idsFrom('aud', tenant.now))
    .where('createdAt', '=', tenant.now)
    .where('requestId', 'is not distinct from', requestId)
    .orderBy(sql`changes is null`)
    .orderBy('id')

/** One filter of a request. An index serves it. */
interface Filter {
  condition: Condition
  /** Conditions of which one must hold. Each has an index of its own. */
  ways?: readonly Condition[]
  /** The actions of which the entry must have one. */
  actions?: readonly string[]
}

/**
 * The filters that select entries, ordered so that those that commonly match the fewest come first.
 *
 * @param holders the users who have or had the address
 */
function filtersOf(
  { requestId, targetId, actorId, clientId, email, ipAddress, targetType }: AuditFilters,
  actions: readonly string[] | undefined,
  holders: readonly string[],
): Filter[] {
  const ways = email ? concerning(email, holders) : []
  const ofClient = clientId ? [sql<boolean>`actor_id = ${clientId}`, sql<boolean>`target_id = ${clientId}`] : []
  return [
    ...(requestId ? [{ condition: sql<boolean>`request_id = ${requestId}` }] : []),
    ...(targetId ? [{ condition: sql<boolean>`target_id = ${targetId}` }] : []),
    ...(actorId ? [{ condition: sql<boolean>`actor_id = ${actorId}` }] : []),
    ...(clientId ? [{ condition: sql<boolean>`(${sql.join(ofClient, sql` or `)})`, ways: ofClient }] : []),
    ...(email ? [{ condition: sql<boolean>`(${sql.join(ways, sql` or `)})`, ways }] : []),
    ...(ipAddress ? [{ condition: sql<boolean>`ip_address = ${ipAddress}` }] : []),
    ...(targetType ? [{ condition: sql<boolean>`target_type = ${targetType}` }] : []),
    ...(actions?.length === 1 ? [{ condition: sql<boolean>`action = ${actions[0]}` }] : []),
    ...(actions && actions.length > 1 ? [{ condition: sql<boolean>`action = any(${actions}::text[])`, actions }] : []),
  ]
}

/** Limits the period by id, because ids sort by time. */
const periodOf = ({ from, to }: AuditFilters, before: string | undefined): Condition[] => [
  ...(from ? [sql<boolean>`id >= ${idsFrom('aud', from)}`] : []),
  ...(to ? [sql<boolean>`id < ${idsFrom('aud', to)}`] : []),
  ...(before ? [sql<boolean>`id < ${before}`] : []),
]

/**
 * The newest entries of one filter. Several conditions or actions are read one by one along their indexes, each up to the page size:
 * for all of them at once, PostgreSQL would read every matching entry before it takes the newest.
 */
function newest(filter: Filter | undefined, period: readonly Condition[], limit: number): RawBuilder<unknown> {
  const along = (condition?: Condition) =>
    sql`select ${filtered} from audit_logs ${where([...(condition ? [condition] : []), ...period])} order by id desc limit ${limit}`

  if (filter?.ways) {
    const each = filter.ways.map((way) => sql`(${along(way)})`)
    return sql`select * from (${sql.join(each, sql` union `)}) as found order by id desc limit ${limit}`
  }
  if (filter?.actions) {
    return sql`
      select found.* from unnest(${filter.actions}::text[]) as wanted (name)
      cross join lateral (${along(sql`action = wanted.name`)}) as found order by id desc limit ${limit}`
  }
  return along(filter?.condition)
}

const filtered = sql.raw('id, action, actor_id, target_type, target_id, target_email, ip_address, request_id')

/** How many entries of one filter are checked against the others, and how many of several actions together. */
const triedMax = 5_000
const triedOfActionsMax = 20_000

/**
 * The ids of the newest entries that satisfy several filters, by one statement that ends as soon as it has them. It checks the
 * newest entries of the first filter against the others, then those of the next filter, and is done when it has a page, or when it
 * has seen all entries of one filter. Only when each filter matches many entries and they rarely meet does it find all matches
 * (`offset 0`) and sort them. By itself, PostgreSQL walks along one index until it has a page, which never happens when two
 * filters exclude each other.
 */
function pageOfSeveral(filters: readonly Filter[], period: readonly Condition[], limit: number): RawBuilder<unknown> {
  const parts = filters.map((filter, place) => {
    const most = filter.actions ? Math.min(triedMax, Math.ceil(triedOfActionsMax / filter.actions.length)) : triedMax
    const rest = filters.filter((other) => other !== filter).map(({ condition }) => condition)
    const [tried, done] = [sql.raw(`tried_${place}`), sql.raw(`done_${place}`)]
    return sql`
      ${tried} as materialized (
        select id, coalesce(${sql.join(rest, sql` and `)}, false) as matches
        from (${newest(filter, place === 0 ? period : [notDone(place - 1), ...period], most)}) as newest
      ),
      ${done} as materialized (
        select count(*) < ${most} or count(*) filter (where matches) >= ${limit} as done from ${tried}
      )`
  })
  const matching = filters.map((_, place) => sql`select id from ${sql.raw(`tried_${place}`)} where matches`)
  const conditions = filters.map(({ condition }) => condition)
  return sql`
    with ${sql.join(parts)},
    others as (select id from audit_logs ${where([notDone(filters.length - 1), ...conditions, ...period])} offset 0)
    select id from (${sql.join(matching, sql` union `)} union select id from others) as found order by id desc limit ${limit}`
}

/** Whether this part was not enough. A part that was not needed has no entries, and so counts as done. */
const notDone = (place: number): Condition => sql`not (select done from ${sql.raw(`done_${place}`)})`

const where = (conditions: readonly Condition[]) => (conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``)

/**
 * The users who have the address of the filters, or had it before a directory changed it; none without one. Their ids find all their
 * entries, including those from before entries had addresses. Every change of an address is read, so pages that follow one another have it
 * found once.
 */
export async function findHolders(tenant: Tenant, { email }: AuditFilters): Promise<string[]> {
  if (!email) return []
  const { rows } = await sql<{ id: string }>`
    select id from users where users.email = ${email}
    union select target_id from audit_logs where target_type = 'user' and changes #>> '{email,from}' is not null and changes #>> '{email,from}' = ${email}`.execute(
    tenant,
  )
  return rows.map(({ id }) => id)
}

/** The ways in which an entry can concern an address: each is read along its index. */
const concerning = (email: string, holders: readonly string[]): Condition[] => [
  ...holders.flatMap((id) => [sql<boolean>`actor_id = ${id}`, sql<boolean>`target_id = ${id}`]),
  sql<boolean>`(target_type = 'invitation' and target_email = ${email})`,
]

export function presentAuditEntry({ organisationId, createdAt, ...entry }: StoredEntry): AuditEntry {
  const { actorId, actorType, actorName, actorEmail, targetId, targetType, targetName } = entry
  return {
    ...entry,
    createdAt: presentTime(createdAt),
    actor: { id: actorId, type: actorType, name: actorName, email: actorEmail },
    target: { id: targetId, type: targetType, name: targetName },
  }
}
