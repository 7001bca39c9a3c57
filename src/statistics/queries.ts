import { type RawBuilder, sql } from 'kysely'
import type { PermissionSlug } from '../access/permission-slugs.ts'
import { managedUsers } from '../directories/queries.ts'
import { daysAfter, daysBefore, secondsBefore } from '../platform/clock.ts'
import type { Tenant } from '../platform/database/database.ts'
import { storedCountOf } from '../platform/database/stored-counts.ts'
import { presentTime } from '../platform/http/fields.ts'
import { idsFrom } from '../platform/ids.ts'
import { defaultRoleSlugs } from '../roles/default-roles.ts'
import type { RecentCounts } from './recent-counts.ts'
import type { Statistics } from './schemas.ts'

type Group = Exclude<keyof Statistics, 'asOf'>

interface Counted {
  permission: PermissionSlug
  /** Selects one row whose columns have the names of the fields. */
  counts(tenant: Tenant, idleTimeouts: readonly number[]): RawBuilder<unknown>
}

const total = (records: string) => sql.raw(storedCountOf("current_setting('app.organisation_id')", `'${records}'`))

/** The groups of records. A condition that only a part of the records can meet is counted by the index of that part. */
const groups: Record<Group, Counted> = {
  users: {
    permission: 'users:read',
    counts: ({ now }) => {
      const those = (condition: RawBuilder<unknown>) => sql`(select count(*) from users where deleted_at is null and ${condition})`
      return sql`
        select total, total - blocked as active, blocked,
          ${those(sql`email_verified_at is null`)} as unverified,
          ${those(sql`mfa_enabled`)} as "withMfa",
          ${those(sql`last_login_key = '1970-01-01T00:00:00Z'`)} as "neverSignedIn",
          ${those(sql`id >= ${idsFrom('usr', daysBefore(now, 30))}`)} as "createdLast30Days",
          ${those(sql`last_login_key >= ${daysBefore(now, 30)}`)} as "signedInLast30Days"
        from (select ${total('users')} as total, ${those(sql`blocked_at is not null`)} as blocked) as counted`
    },
  },
  sessions: {
    permission: 'users:read',
    counts: ({ now }, idleTimeouts) => {
      const ofEach = idleTimeouts.map(
        (seconds) => sql`(select count(*) from sessions where revoked_at is null and idle_timeout = ${seconds}
          and last_activity_at > ${secondsBefore(now, seconds)} and expires_at > ${now})`,
      )
      return sql`select ${sql.join([sql`0`, ...ofEach], sql` + `)} as active`
    },
  },
  roles: {
    permission: 'roles:read',
    counts: () => sql`select count(*) as total, count(*) filter (where slug <> all (${[...defaultRoleSlugs]}::text[])) as added from roles`,
  },
  invitations: {
    permission: 'invitations:read',
    counts: ({ now }) => sql`
      select count(*) filter (where status = 'pending' and expires_at > ${now}) as pending,
        count(*) filter (where status = 'pending' and expires_at > ${now} and expires_at <= ${daysAfter(now, 1)}) as "expiringIn24Hours",
        count(*) filter (where status = 'expired' or status = 'pending' and expires_at <= ${now}) as expired
      from invitations`,
  },
  clients: {
    permission: 'clients:read',
    counts: () => sql`
      select count(*) filter (where is_active) as active, count(*) filter (where not is_active) as revoked
      from clients where deleted_at is null`,
  },
  apiKeys: {
    permission: 'api_keys:read',
    counts: ({ now }) => sql`
      select count(*) as total,
        count(*) filter (where expires_at > ${now} and expires_at <= ${daysAfter(now, 30)}) as "expiringIn30Days",
        count(*) filter (where coalesce(expires_at > ${now}, true)
          and greatest(last_used_at, created_at) <= ${daysBefore(now, 90)}) as "unusedFor90Days"
      from api_keys where deleted_at is null`,
  },
  webhooks: {
    permission: 'webhooks:read',
    counts: () => sql`
      select count(*) filter (where is_active) as active,
        count(*) filter (where is_active and last_failure_at >= last_triggered_at) as failing,
        count(*) filter (where not is_active) as inactive
      from webhook_endpoints`,
  },
  directories: {
    permission: 'directories:read',
    counts: () => sql`
      select count(*) filter (where is_active) as active,
        count(*) filter (where is_active and failing_since is not null) as failing,
        (select count(*) from ${managedUsers}) as users,
        (select count(*) from directory_groups) as groups
      from directories`,
  },
}

/** Counts the records of some groups in one statement and so as of one moment. */
async function countGroups<G extends Group>(
  tenant: Tenant,
  names: readonly G[],
  idleTimeouts: readonly number[] = [],
): Promise<Pick<Statistics, G>> {
  if (names.length === 0) return {} as Pick<Statistics, G>
  const columns = names.map(
    (name) => sql`(select to_json(counted) from (${groups[name].counts(tenant, idleTimeouts)}) as counted) as ${sql.ref(name)}`,
  )
  const { rows } = await sql<Pick<Statistics, G>>`select ${sql.join(columns)}`.execute(tenant)
  return rows[0] as Pick<Statistics, G>
}

/**
 * The few idle timeouts of the organisation's sessions, without reading each session. For each of them the live sessions are a range of an
 * index; with the timeout from the row, every session would be read.
 */
async function listIdleTimeouts(tenant: Tenant): Promise<number[]> {
  const next = (condition: RawBuilder<unknown>) =>
    sql`(select idle_timeout from sessions where revoked_at is null and ${condition} order by idle_timeout limit 1)`
  const { rows } = await sql<{ idleTimeout: number }>`
    with recursive timeouts as (
      ${next(sql`true`)}
      union all select ${next(sql`idle_timeout > timeouts.idle_timeout`)} from timeouts where idle_timeout is not null
    )
    select idle_timeout from timeouts where idle_timeout is not null`.execute(tenant)
  return rows.map(({ idleTimeout }) => idleTimeout)
}

/** The groups that grow with the number of users. The others are small, and an administrator may have just changed them. */
const ofUsers = ['users', 'sessions'] as const
export type NumbersOfUsers = Pick<Statistics, (typeof ofUsers)[number]>

/** The number of users from which counting takes long enough to do it only once a minute. */
const manyUsers = 5_000
export const areMany = ({ users }: NumbersOfUsers) => (users?.total ?? 0) >= manyUsers

/** The number of records of each kind that the permissions let the caller read. */
export async function countRecords(
  tenant: Tenant,
  permissions: Pick<ReadonlySet<string>, 'has'>,
  recent: RecentCounts<NumbersOfUsers>,
): Promise<Statistics> {
  const readable = (Object.keys(groups) as Group[]).filter((name) => permissions.has(groups[name].permission))
  const others = readable.filter((name) => !ofUsers.some((of) => of === name))
  if (others.length === readable.length) return { ...(await countGroups(tenant, others)), asOf: presentTime(tenant.now) }

  const count = async () => ({ numbers: await countGroups(tenant, ofUsers, await listIdleTimeouts(tenant)), at: tenant.now })
  const [{ numbers, at }, rest] = await Promise.all([recent.of(tenant.organisationId, count), countGroups(tenant, others)])
  return { ...numbers, ...rest, asOf: presentTime(at) }
}
