import { sql } from 'kysely'
import type { RoleMistake } from '../../shared/doctor-findings/findings.ts'
import { readSetUp } from '../operations/start-warnings.ts'
import type { Database } from '../platform/database/database.ts'
import { serverUrls } from '../platform/database/server-addresses.ts'
import { type Check, type DoctorContext, failure, ok, warning } from './check.ts'

const oldestServer = 15
const isServer = ({ config }: DoctorContext) => config.databaseUrl !== undefined

const one = async <Row>(database: Database, query: ReturnType<typeof sql<Row>>): Promise<Row> =>
  (await query.execute(database.system())).rows[0] as Row

/** Runs first: the checks that need the database are left out when it fails. */
const reachable: Check = {
  name: 'database-reachable',
  group: 'database',
  title: 'The database answers',
  seconds: 20,
  async run({ database, diagnoseDatabaseError }) {
    const begun = performance.now()
    let isReadOnly: boolean
    try {
      ;({ isReadOnly } = await one(
        database,
        sql<{ isReadOnly: boolean }>`
          select pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as is_read_only`,
      ))
    } catch (error) {
      const { seen, remedy = null } = await diagnoseDatabaseError(error)
      return failure('database-unreachable', { reason: seen, remedy })
    }
    if (isReadOnly) return failure('database-read-only')
    return ok('database-answers', { milliseconds: Math.round(performance.now() - begun) })
  },
}

const clock: Check = {
  name: 'clock',
  group: 'database',
  after: 'database-reachable',
  title: 'The clocks of this machine and of the database agree',
  // Other checks must not delay the measured response.
  runsAlone: true,
  async run({ database, thresholds: { clockSeconds } }) {
    const ask = async () => {
      const before = database.clock.now().getTime()
      const { now } = await one(database, sql<{ now: Date }>`select clock_timestamp() as now`)
      const after = database.clock.now().getTime()
      return { seconds: (now.getTime() - (before + after) / 2) / 1_000, roundTripSeconds: (after - before) / 1_000 }
    }
    // The first query may have opened a connection.
    const asked = [await ask(), await ask()]
    const { seconds, roundTripSeconds } = asked.sort((one, other) => one.roundTripSeconds - other.roundTripSeconds)[0] as (typeof asked)[0]
    const isApart = Math.abs(seconds) - roundTripSeconds / 2 > clockSeconds
    return isApart ? failure('clocks-apart', { aheadSeconds: seconds }) : ok('clocks-agree', { aheadSeconds: seconds })
  },
}

type ConnectionLimit = 'server' | 'role' | 'database'

const connectionsLeft: Check = {
  name: 'connections-left',
  group: 'database',
  after: 'database-reachable',
  title: 'The database has connections left',
  // Other checks open connections.
  runsAlone: true,
  applies: isServer,
  async run({ database, thresholds: { connectionsWarning, connectionsFailure } }) {
    const { limits, ours } = await one(
      database,
      sql<{ limits: { of: ConnectionLimit; most: number; used: number }[]; ours: number }>`
        with client as (
          -- A role without pg_read_all_stats is not told the type; of the server's own processes, nearly all are of no database.
          select usename, datname, application_name from pg_stat_activity
          where backend_type = 'client backend' or (backend_type is null and datname is not null))
        select (select count(*) from client where datname = current_database() and application_name like 'gatehouse%') as ours,
          json_build_array(
            json_build_object('of', 'server', 'used', (select count(*) from client),
              'most', current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
                - coalesce(current_setting('reserved_connections', true)::int, 0)),
            json_build_object('of', 'role', 'used', (select count(*) from client where usename = session_user),
              'most', (select nullif(rolconnlimit, -1) from pg_roles where rolname = session_user)),
            json_build_object('of', 'database', 'used', (select count(*) from client where datname = current_database()),
              'most', (select nullif(datconnlimit, -1) from pg_database where datname = current_database()))) as limits`,
    )
    const lefts = limits.filter(({ most }) => most !== null).map(({ of, most, used }) => ({ of, most, left: most - used }))
    const { of, most, left } = lefts.sort((one, other) => one.left - other.left)[0] as (typeof lefts)[0]
    const values = { left, most, limit: of, ours }
    if (left >= connectionsWarning) return ok('connections-left', values)
    return (left < connectionsFailure ? failure : warning)('few-connections-left', values)
  },
}

const version: Check = {
  name: 'database-version',
  group: 'database',
  after: 'database-reachable',
  title: `The database is PostgreSQL ${oldestServer} or later`,
  async run({ database }) {
    const { number, text } = await one(
      database,
      sql<{ number: number; text: string }>`
        select current_setting('server_version_num')::int as number, current_setting('server_version') as text`,
    )
    const values = { version: text, isEmbedded: database.isEmbedded }
    if (number >= oldestServer * 10_000) return ok('database-version-supported', values)
    return failure('database-version-too-old', { ...values, oldest: oldestServer })
  },
}

const role: Check = {
  name: 'database-role',
  group: 'database',
  title: 'The role in DATABASE_URL has no more privileges than it needs',
  applies: isServer,
  needsSchema: true,
  async run({ database, config: { production } }) {
    const { isSuperuser, inherits, notInherited } = await readSetUp(database)
    if (isSuperuser) return (production ? failure : warning)('role-of-superuser')
    return inherits ? warning('role-inherits', { statement: notInherited }) : ok('role-limited')
  },
}

const twoRoles: Check = {
  name: 'tenant-and-system-role',
  group: 'database',
  title: 'The two roles of the service are separated',
  needsSchema: true,
  async run({ database }) {
    const { mistakes } = await one(
      database,
      sql<{ mistakes: RoleMistake[] | null }>`
        select json_agg(json_build_object('mistake', mistake, 'role', role, 'object', object, 'statement', statement)) as mistakes from (
          select 'superuser' as mistake, format('%I', rolname) as role, null as object,
            format('ALTER ROLE %I NOSUPERUSER NOBYPASSRLS', rolname) as statement
          from pg_roles where rolname in ('gatehouse_tenant', 'gatehouse_system') and (rolsuper or rolbypassrls)
          union all
          select 'login', format('%I', rolname), null, format('ALTER ROLE %I NOLOGIN', rolname)
          from pg_roles where rolname in ('gatehouse_tenant', 'gatehouse_system') and rolcanlogin
          union all
          select 'member', 'gatehouse_tenant', format('%I', granted.rolname), format('REVOKE %I FROM gatehouse_tenant', granted.rolname)
          from pg_auth_members m join pg_roles granted on granted.oid = m.roleid join pg_roles member on member.oid = m.member
          where member.rolname = 'gatehouse_tenant'
          union all
          select 'owner', format('%I', rolname), format('%I', relname), format('ALTER TABLE %I OWNER TO %I', relname, session_user)
          from pg_class c join pg_roles r on r.oid = c.relowner
          where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
            and rolname in ('gatehouse_tenant', 'gatehouse_system')) as found`,
    )
    return mistakes ? failure('roles-not-separated', { mistakes }) : ok('roles-separated')
  },
}

const rowLevelSecurity: Check = {
  name: 'row-level-security',
  group: 'database',
  title: 'Row-level security is forced on every table of organisations',
  needsSchema: true,
  async run({ database }) {
    const { rows } = await sql<{ name: string; isForced: boolean; hasPolicies: boolean }>`
      select t.relname as name, t.relrowsecurity and t.relforcerowsecurity as is_forced,
        (select count(*) from pg_policies p where p.schemaname = current_schema() and p.tablename = t.relname
          and 'gatehouse_tenant' = any(p.roles) and p.qual like '%app.organisation_id%') > 0 as has_policies
      from pg_class t join pg_attribute a on a.attrelid = t.oid and not a.attisdropped
        and (a.attname = 'organisation_id' or (t.relname = 'organisations' and a.attname = 'id'))
      where t.relkind in ('r', 'p') and not t.relispartition and t.relnamespace = current_schema()::regnamespace
      order by t.relname`.execute(database.system())
    const unforced = rows.filter(({ isForced }) => !isForced).map(({ name }) => name)
    if (unforced.length > 0) return failure('row-level-security-not-forced', { tables: unforced })
    const open = rows.filter(({ hasPolicies }) => !hasPolicies).map(({ name }) => name)
    if (open.length > 0) return failure('row-level-security-without-policy', { tables: open })
    return ok('row-level-security-forced', { tables: rows.length })
  },
}

const migrations: Check = {
  name: 'migrations',
  group: 'database',
  after: 'database-reachable',
  title: 'No migration is pending',
  async run({ migrationState }) {
    const { applied, pending } = await migrationState()
    if (pending.length > 0) return failure('migrations-pending', { migrations: [...pending] })
    return ok('migrations-applied', { applied: applied.length, last: applied.at(-1) ?? '' })
  },
}

const release: Check = {
  name: 'release',
  group: 'database',
  after: 'database-reachable',
  title: 'The database is not of a newer release',
  async run({ migrationState }) {
    const { unknown } = await migrationState()
    return unknown.length > 0 ? failure('migrations-unknown', { migrations: [...unknown] }) : ok('migrations-known')
  },
}

const pooler: Check = {
  name: 'pooler',
  group: 'database',
  after: 'database-reachable',
  title: 'Connections keep what the service leaves on them, and bring notices',
  applies: isServer,
  seconds: 20,
  async run({ config: { databaseUrl, databasePooler, databaseListenUrl } }) {
    const { probeSession } = await import('../platform/database/probe-session.ts')
    const isHeard = !databaseListenUrl || (await probeSession(databaseListenUrl, databaseUrl)).hearsNotices
    if (databasePooler) {
      if (!databaseListenUrl) return ok('pooler-without-notices')
      return isHeard ? ok('pooler-with-notices') : failure('listen-url-without-notices')
    }
    const { keepsState, hearsNotices } = await probeSession(databaseUrl as string)
    if (!keepsState) return failure('connection-state-lost')
    if (!isHeard) return failure('listen-url-without-notices')
    return hearsNotices || databaseListenUrl ? ok('connections-hold') : failure('notices-lost')
  },
}

const servers: Check = {
  name: 'database-servers',
  group: 'database',
  after: 'database-reachable',
  title: 'One server of DATABASE_URL is the primary, and the others keep up with it',
  applies: ({ config: { databaseUrl } }) => databaseUrl !== undefined && serverUrls(databaseUrl).length > 1,
  async run({ config: { databaseUrl }, thresholds: { replicaBehindBytes } }) {
    const { checkServers } = await import('./check-servers.ts')
    return checkServers(databaseUrl as string, replicaBehindBytes)
  },
}

const replica: Check = {
  name: 'database-replica',
  group: 'database',
  after: 'database-reachable',
  title: 'Lists are read from DATABASE_REPLICA_URL',
  applies: ({ config }) => config.databaseUrl !== undefined && config.databaseReplicaUrl !== undefined,
  seconds: 20,
  async run({ findReplicaFailure }) {
    const found = await findReplicaFailure()
    return found ? warning('replica-not-read', { reason: found.seen, remedy: found.remedy ?? null }) : ok('replica-read')
  },
}

export const databaseChecks: readonly Check[] = [
  reachable,
  servers,
  replica,
  clock,
  connectionsLeft,
  version,
  role,
  twoRoles,
  rowLevelSecurity,
  migrations,
  release,
  pooler,
]
