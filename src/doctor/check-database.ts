import { sql } from 'kysely'
import { readSetUp } from '../operations/start-warnings.ts'
import type { Database } from '../platform/database/database.ts'
import { serverUrls } from '../platform/database/server-addresses.ts'
import { counted } from '../platform/text.ts'
import { type Check, type DoctorContext, failure, ok, someOf, warning } from './check.ts'

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
      const { seen, remedy = 'docs/operations.md says what the service needs of its database' } = await diagnoseDatabaseError(error)
      return failure(seen, {
        why: 'Everything that the service knows is in it',
        remedy,
      })
    }
    if (isReadOnly) {
      return failure('The database takes no writes', {
        why: 'Every change fails: no user can sign in, and no token can be issued',
        remedy:
          'Have DATABASE_URL name the primary, or promote the replica that it names. A primary that its provider has made read-only needs room on its disk; then ALTER DATABASE <yours> RESET default_transaction_read_only, or of the whole server ALTER SYSTEM RESET default_transaction_read_only; SELECT pg_reload_conf()',
      })
    }
    return ok(`The database answered within ${Math.round(performance.now() - begun)} ms`)
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
    const apart = Math.abs(seconds)
    const seen = `The database is ${apart < 0.1 ? 'less than 0.1' : apart.toFixed(1)} s ${seconds < 0 ? 'behind' : 'ahead'}`
    if (apart - roundTripSeconds / 2 <= clockSeconds) return ok(seen)
    return failure(seen, {
      why: 'Codes, links and tokens expire too early or too late, and other servers refuse tokens as not valid yet',
      remedy:
        'Have both machines take the time from a server: `timedatectl set-ntp true` on each, then look at `timedatectl timesync-status`',
    })
  },
}

type ConnectionLimit = 'server' | 'role' | 'database'

const connectionLimits: Readonly<Record<ConnectionLimit, { name: string; remedy: string }>> = {
  server: {
    name: 'max_connections',
    remedy: 'ALTER SYSTEM SET max_connections = <more>, and restart PostgreSQL; or put a pooler in front of it',
  },
  role: { name: 'the limit of the role', remedy: 'ALTER ROLE <the role of DATABASE_URL> CONNECTION LIMIT -1' },
  database: { name: 'the limit of the database', remedy: 'ALTER DATABASE <the database of DATABASE_URL> CONNECTION LIMIT -1' },
}

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
          select usename, datname, application_name from pg_stat_activity where backend_type is null or backend_type = 'client backend')
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
    const seen = `${left} of ${most} are left (${connectionLimits[of].name}); processes of Gatehouse have ${ours}`
    if (left >= connectionsWarning) return ok(seen)
    return (left < connectionsFailure ? failure : warning)(seen, {
      why: 'Each process of the service takes up to 21. Where none is left, requests fail with 503 and no process can start',
      remedy: connectionLimits[of].remedy,
    })
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
    const seen = `PostgreSQL ${text}${database.isEmbedded ? ', embedded' : ''}`
    if (number >= oldestServer * 10_000) return ok(seen)
    return failure(seen, {
      why: 'Statements of the service need what older ones do not have',
      remedy: `Upgrade the server to PostgreSQL ${oldestServer} or later (pg_upgrade), or have DATABASE_URL name one that is`,
    })
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
    if (isSuperuser) {
      return (production ? failure : warning)('It is a superuser or bypasses row-level security', {
        why: 'Row-level security, which separates the organisations, does not hold for it: one statement gone wrong reads them all',
        remedy: [
          "CREATE ROLE gatehouse LOGIN PASSWORD '…' NOINHERIT NOSUPERUSER NOBYPASSRLS",
          'GRANT gatehouse_tenant, gatehouse_system TO gatehouse',
          'ALTER DATABASE <yours> OWNER TO gatehouse',
          'GRANT USAGE, CREATE ON SCHEMA public TO gatehouse',
          'REASSIGN OWNED BY <the present role> TO gatehouse (from the role postgres: pg_dump --no-owner, restored as gatehouse)',
          'then name it in DATABASE_URL (docs/operations.md)',
        ].join('; '),
      })
    }
    if (inherits) {
      return warning('It inherits gatehouse_system', {
        why: 'It reads every organisation without taking on a role first',
        remedy: `Have the role that granted it run: ${notInherited}`,
      })
    }
    return ok('The role is not a superuser, is bound by row-level security and inherits nothing')
  },
}

const twoRoles: Check = {
  name: 'tenant-and-system-role',
  group: 'database',
  title: 'The two roles of the service are separated',
  needsSchema: true,
  async run({ database }) {
    const { wrong } = await one(
      database,
      sql<{ wrong: { what: string; remedy: string }[] | null }>`
        select json_agg(json_build_object('what', what, 'remedy', remedy)) as wrong from (
          select format('%I is a superuser or bypasses row-level security', rolname) as what,
            format('ALTER ROLE %I NOSUPERUSER NOBYPASSRLS', rolname) as remedy
          from pg_roles where rolname in ('gatehouse_tenant', 'gatehouse_system') and (rolsuper or rolbypassrls)
          union all
          select format('%I can log in', rolname), format('ALTER ROLE %I NOLOGIN', rolname)
          from pg_roles where rolname in ('gatehouse_tenant', 'gatehouse_system') and rolcanlogin
          union all
          select format('gatehouse_tenant is a member of %I', granted.rolname), format('REVOKE %I FROM gatehouse_tenant', granted.rolname)
          from pg_auth_members m join pg_roles granted on granted.oid = m.roleid join pg_roles member on member.oid = m.member
          where member.rolname = 'gatehouse_tenant'
          union all
          select format('the table %I belongs to %I', relname, rolname), format('ALTER TABLE %I OWNER TO %I', relname, session_user)
          from pg_class c join pg_roles r on r.oid = c.relowner
          where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
            and rolname in ('gatehouse_tenant', 'gatehouse_system')) as found`,
    )
    if (!wrong) return ok('gatehouse_tenant and gatehouse_system cannot log in, are bound by row-level security, and neither is the other')
    return failure(someOf(wrong.map(({ what }) => what)), {
      why: 'What serves one organisation could reach the others',
      remedy: `As a superuser: ${wrong.map(({ remedy }) => remedy).join('; ')}`,
    })
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
    const why = 'A statement of the service that forgot the organisation would read and change those of others'
    const unforced = rows.filter(({ isForced }) => !isForced).map(({ name }) => name)
    if (unforced.length > 0) {
      const remedy = unforced
        .map((name) => `ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY; ALTER TABLE ${name} FORCE ROW LEVEL SECURITY`)
        .join('; ')
      return failure(`Not forced on ${someOf(unforced)}`, { why, remedy })
    }
    const open = rows.filter(({ hasPolicies }) => !hasPolicies).map(({ name }) => name)
    if (open.length > 0) {
      return failure(`No policy binds gatehouse_tenant to its organisation on ${someOf(open)}`, {
        why,
        remedy: open
          .map(
            (name) =>
              `CREATE POLICY tenant ON ${name} TO gatehouse_tenant USING (${name === 'organisations' ? 'id' : 'organisation_id'} = current_setting('app.organisation_id', true))`,
          )
          .join('; '),
      })
    }
    return ok(`Forced on all ${rows.length} tables, each with its policy`)
  },
}

const migrations: Check = {
  name: 'migrations',
  group: 'database',
  after: 'database-reachable',
  title: 'No migration is pending',
  async run({ migrationState }) {
    const { applied, pending } = await migrationState()
    if (pending.length === 0) return ok(`${applied.length} applied, the last one ${applied.at(-1)}`)
    return failure(`${counted(pending.length, 'migration is', 'migrations are')} pending: ${someOf(pending)}`, {
      why: 'This release reads tables and columns that are not there',
      remedy: 'Run `gatehouse migrate status` to see which need the former release stopped, then `gatehouse migrate up`',
    })
  },
}

const release: Check = {
  name: 'release',
  group: 'database',
  after: 'database-reachable',
  title: 'The database is not of a newer release',
  async run({ migrationState }) {
    const { unknown } = await migrationState()
    if (unknown.length === 0) return ok('This release knows every migration that has been applied')
    return failure(`This release does not know ${someOf(unknown)}`, {
      why: 'A newer release has changed the tables: what this one writes to them may be wrong',
      remedy: 'Start the newer release everywhere, or go back by restoring a backup of the database from before the upgrade',
    })
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
    const late = 'Mails, webhooks and changes of keys and policies wait for the next poll instead of being told at once'
    const { probeSession } = await import('../platform/database/probe-session.ts')
    if (databasePooler) {
      if (!databaseListenUrl)
        return ok('DATABASE_POOLER is set: nothing is left on a connection, and every few seconds is asked for what notices would tell')
      if ((await probeSession(databaseListenUrl)).hearsNotices)
        return ok('DATABASE_POOLER is set, and a NOTIFY arrives by DATABASE_LISTEN_URL')
      return failure('A NOTIFY does not arrive by DATABASE_LISTEN_URL', {
        why: late,
        remedy: 'Have DATABASE_LISTEN_URL name PostgreSQL itself, not the pooler; or unset it, and the service asks every few seconds',
      })
    }
    const { keepsState, hearsNotices } = await probeSession(databaseUrl as string)
    if (keepsState && hearsNotices) return ok('What is prepared and set on a connection stays, and a NOTIFY arrives')
    return failure(keepsState ? 'A NOTIFY does not arrive' : 'What is prepared or set on a connection is gone for its next statement', {
      why: keepsState ? late : 'A pooler gives each transaction another connection: statements fail, or run with the role of another',
      remedy:
        'DATABASE_POOLER=transaction, and DATABASE_LISTEN_URL=postgres://… to PostgreSQL itself; or pool_mode = session at the pooler',
    })
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
    if (!found) return ok('It is a replica of DATABASE_URL, and has replayed what the primary had written')
    return warning(found.seen, {
      why: 'Lists, exports and the audit log are read from the primary, which has all of the load',
      remedy: found.remedy ?? 'Mend what the reason names; or unset DATABASE_REPLICA_URL, and start the service again',
    })
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
