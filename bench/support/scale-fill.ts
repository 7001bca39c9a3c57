/**
 * Fills a database with very many organisations, by statements that make the rows inside PostgreSQL: `bench/scale.ts`. Indexes are
 * dropped before and built afterwards, and no trigger or reference is checked for a row.
 */
import pg from 'pg'
import { idOf, stampOf } from './seeds.ts'

export interface Sizes {
  organisations: number
  users: number
  auditEntries: number
  tokenFamilies: number
}

/** One share of the whole, whose organisations are as large but for one, which holds a quarter of all users. */
export const sizesOf = (share: number): Sizes => ({
  organisations: Math.round(100_000 * share),
  users: Math.round(2_000_000 * share),
  auditEntries: Math.round(20_000_000 * share),
  tokenFamilies: Math.round(5_000_000 * share),
})

/** The secret of every seeded application. */
export const clientSecret = 'secret of an application'
export const redirectUri = 'https://rp.example.test/callback'
/** Deliveries of webhooks, for each user. */
const deliveriesPerUser = 0.5

const hashOf = (secret: string) => `translate(rtrim(encode(sha256(convert_to(${secret}, 'UTF8')), 'base64'), '='), '+/', '-_')`
/** SQL for as many characters as the hash of a secret has, which nothing hashes to. */
const noHashOf = (number: string) => `(md5((${number})::text) || '-not-a-hash')`

/** Not the organisation that the service has made when it started first. */
const ofSeeded = "organisation_id <> (select organisation_id from users where email = 'owner@bench.test')"

/** The tables in the order in which they are filled, each with the statement that does. */
function fillings({ organisations, users, auditEntries, tokenFamilies }: Sizes): [table: string, ...statements: string[]][] {
  const small = organisations - 1
  const deliveries = Math.round(users * deliveriesPerUser)
  const endpoints = Math.ceil(organisations / 10)
  const roleOf = (place: number) => idOf('rol', 'o.at', `o.o * 3 + ${place}`)
  return [
    [
      'organisations',
      `create unlogged table seeded_organisations as
         select o, ${idOf('org', 'at', 'o')} as id, at, ${idOf('usr', 'made', 'case when o = 0 then 4 else o + (o - 1) / 3 end')} as owner_id
         from generate_series(0, ${small}) o cross join lateral (select now() - interval '1050 days' + interval '45 days' * (o / ${organisations}::float8) as at) as times
         cross join lateral (select now() - interval '1000 days' * ((${users} - case when o = 0 then 4 else o + (o - 1) / 3 end) / ${users}::float8) as made) as owner;
       insert into organisations (id, slug, name, email, owner_id, status, created_at, updated_at)
       select id, 'org-' || o, 'Organisation ' || o, 'it@org' || o || '.test', owner_id,
         case when o % 20 = 7 then 'trial' else 'active' end, at, at from seeded_organisations;
       insert into organisation_count_changes (change) values (${organisations})`,
    ],
    [
      'users',
      `create unlogged table seeded_users as
         select u, o, k, seeded_organisations.id as organisation_id, ${idOf('usr', 'made.at', 'u')} as id,
           case when k = 0 then 'owner' else 'user' || u end || '@org' || o || '.test' as email, made.at
         from (select u, u % 4 = 0 as is_large, u - u / 4 - 1 as v from generate_series(1, ${users}) u) as numbered
         cross join lateral (select case when is_large then 0 else 1 + v % ${small} end as o, case when is_large then u / 4 - 1 else v / ${small} end as k) as placed
         cross join lateral (select now() - interval '1000 days' * ((${users} - u) / ${users}::float8) as at) as made
         join seeded_organisations using (o);
       analyze seeded_users;
       insert into users (organisation_id, id, email, first_name, last_name, email_verified_at, password_hash, mfa_enabled, blocked_at,
         last_login_at, created_at, updated_at)
       select organisation_id, id, email, 'First ' || u, 'Last ' || u, case when k % 20 <> 3 then now() end,
         (select password_hash from users where email = 'owner@bench.test'), k % 3 = 2, case when k % 200 = 105 then now() end,
         case when k % 10 <> 5 then now() - u % 100000 * interval '90 days' / 100000 end, at, now()
       from seeded_users order by u`,
    ],
    [
      'roles',
      `insert into roles (organisation_id, id, name, slug, description, is_default, is_owner, permission_slugs, created_at, updated_at)
       select o.id, case r.slug when 'owner' then ${roleOf(0)} when 'admin' then ${roleOf(1)} else ${roleOf(2)} end,
         r.name, r.slug, r.description, r.is_default, r.is_owner, r.permission_slugs, o.at, o.at
       from seeded_organisations o cross join (select * from roles limit 3) r`,
    ],
    [
      'role_permissions',
      `insert into role_permissions (organisation_id, role_id, permission_id)
       select o.id, r.id, p.id from seeded_organisations o join roles r on r.organisation_id = o.id join permissions p on p.slug = any (r.permission_slugs)`,
    ],
    [
      'user_roles',
      `insert into user_roles (organisation_id, user_id, role_id, created_at)
       select u.organisation_id, u.id, r.id, u.at from seeded_users u
       join roles r on r.organisation_id = u.organisation_id and r.slug = case when u.k = 0 then 'owner' else 'member' end`,
    ],
    [
      'user_role_sources',
      `insert into user_role_sources (organisation_id, user_id, role_id, source, created_at)
       select organisation_id, user_id, role_id, 'manual', created_at from user_roles where ${ofSeeded}`,
    ],
    [
      'teams',
      `insert into teams (organisation_id, id, name, slug, created_at, updated_at)
       select id, ${idOf('tem', 'at', 'o')}, 'Half of us', 'half', at, at from seeded_organisations`,
    ],
    [
      'team_members',
      `insert into team_members (organisation_id, team_id, user_id, created_at)
       select u.organisation_id, t.id, u.id, u.at from seeded_users u join teams t on t.organisation_id = u.organisation_id where u.k % 2 = 1`,
    ],
    [
      'team_member_sources',
      `insert into team_member_sources (organisation_id, user_id, team_id, source, created_at)
       select organisation_id, user_id, team_id, 'manual', created_at from team_members where ${ofSeeded}`,
    ],
    [
      'clients',
      `insert into clients (organisation_id, id, name, client_type, token_endpoint_auth_method, secret_hash, redirect_uris, grant_types, scopes,
         created_at, updated_at)
       select id, ${idOf('cli', 'at', 'o')}, 'Application', 'confidential', 'client_secret_basic', ${hashOf(`'${clientSecret}'`)},
         '{${redirectUri}}', '{authorization_code,refresh_token,client_credentials}', '{api}', at, at from seeded_organisations`,
    ],
    [
      'mfa_credentials',
      `insert into mfa_credentials (organisation_id, id, user_id, method, secret_encrypted, created_at, verified_at)
       select organisation_id, ${idOf('mfa', 'at', 'u')}, id, 'totp', repeat('x', 100), at, at from seeded_users where k % 3 = 2`,
    ],
    [
      'consents',
      `insert into consents (organisation_id, user_id, client_id, scopes, granted_at)
       select u.organisation_id, u.id, c.id, '{openid,profile,email,offline_access}', u.at
       from seeded_users u join clients c on c.organisation_id = u.organisation_id where u.k % 2 = 0`,
    ],
    [
      'sessions',
      `insert into sessions (organisation_id, id, user_id, token_hash, ip_address, user_agent, authenticated_at, authentication_methods,
         idle_timeout, last_activity_at, expires_at, created_at)
       select organisation_id, ${idOf('ses', 'now()', 'u')}, id, ${noHashOf('u')}, '203.0.113.7', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
         now(), '{pwd}', 1800, now() - random() * interval '150 minutes', now() + interval '1 day', now() from seeded_users where k % 2 = 0`,
    ],
    [
      'token_families',
      `insert into token_families (organisation_id, id, client_id, user_id, session_id, scope, authenticated_at, authentication_methods, created_at,
         kept_until, selector_hash, secret_hash, refreshed_at, refreshable_until)
       select u.organisation_id, 'fam_' || ${stampOf('made.at', 'f')}, c.id, u.id, 'ses_' || right(u.id, 26), '{openid,profile,email,offline_access}',
         made.at, '{pwd}', made.at, ends.at, ${noHashOf('f')}, ${noHashOf('-f')}, made.at, ends.at
       from generate_series(1, ${tokenFamilies}) f
       cross join lateral (select now() - interval '29 days' * ((${tokenFamilies} - f) / ${tokenFamilies}::float8) as at offset 0) as made
       cross join lateral (select made.at + interval '30 days' as at) as ends
       join seeded_users u on u.u = 1 + (f::bigint * 7919) % ${users}
       join clients c on c.organisation_id = u.organisation_id`,
    ],
    ['audit_logs', ...auditFillings(auditEntries, users)],
    [
      'webhook_endpoints',
      `insert into webhook_endpoints (organisation_id, id, url, events, variant, secret_encrypted, created_at, updated_at)
       select id, ${idOf('wh', 'at', 'o')}, 'https://hooks.org' || o || '.test/gatehouse', '{user.updated}', 'B', 'none', at, at
       from seeded_organisations where o % 10 = 0`,
    ],
    [
      'webhook_deliveries',
      `insert into webhook_deliveries (organisation_id, id, endpoint_id, event_id, event, variant, body, status, attempt_count, last_status_code,
         created_at, delivered_at)
       select e.organisation_id, ${idOf('dlv', 'made.at', 'd')}, e.id, ${idOf('evt', 'made.at', 'd')}, 'user.updated', 'B',
         '{"type":"user.updated","data":{"id":"usr_00000000000000000000000000","changes":{"firstName":{"from":"A","to":"B"}}}}',
         case when d % 50 = 0 then 'failed' else 'delivered' end, 1, case when d % 50 = 0 then 500 else 204 end, made.at, made.at
       from generate_series(1, ${deliveries}) d
       cross join lateral (select now() - interval '29 days' * ((${deliveries} - d) / ${deliveries}::float8) as at) as made
       join (select *, row_number() over (order by id) - 1 as place from webhook_endpoints) e on e.place = d % ${endpoints};
       -- Of every hundredth endpoint, deliveries wait that failed.
       insert into webhook_deliveries (organisation_id, id, endpoint_id, event_id, event, variant, body, attempt_count, next_attempt_at, created_at)
       select e.organisation_id, ${idOf('dlv', 'now()', 'e.place * 20 + d')}, e.id, ${idOf('evt', 'now()', 'e.place * 20 + d')}, 'user.updated', 'B', '{}', 3, now() + interval '3 days', now()
       from (select *, row_number() over (order by id) - 1 as place from webhook_endpoints) e cross join generate_series(1, 20) d where e.place % 100 = 0`,
    ],
    [
      'webhook_attempts',
      `insert into webhook_attempts (organisation_id, delivery_id, number, at, status, duration_milliseconds)
       select organisation_id, id, 1, created_at, last_status_code, 50 from webhook_deliveries where status <> 'pending'`,
    ],
    [
      'sign_in_counts',
      `insert into sign_in_counts (organisation_id, quarter_at, previous_at, succeeded, failed)
       select id, date_trunc('day', now()) - day * interval '1 day' + interval '9 hours', date_trunc('day', now()) - (day + 1) * interval '1 day' + interval '9 hours', 3, 1
       from seeded_organisations, generate_series(1, 30) day where o > 0;
       insert into sign_in_counts (organisation_id, quarter_at, previous_at, succeeded, failed)
       select id, quarter, case when back < 106 then quarter - back * interval '15 minutes' else '1970-01-01' end, 10, 1
       from seeded_organisations, generate_series(date_trunc('hour', now()) - interval '32 days', now(), interval '15 minutes') quarter,
         generate_series(0, 106) back where o = 0`,
    ],
    [
      'record_counts',
      `insert into record_counts (organisation_id, records, count)
       select organisation_id, 'users', count(*) from seeded_users group by 1
       union all select id, 'roles', 3 from seeded_organisations
       union all select id, 'teams', 1 from seeded_organisations
       union all select id, 'clients', 1 from seeded_organisations
       union all select organisation_id, 'user_roles/' || role_id, count(*) from user_roles where ${ofSeeded} group by 1, 2
       union all select organisation_id, 'team_members/' || team_id, count(*) from team_members group by 1, 2`,
    ],
  ]
}

const entriesAtOnce = 1_000_000

/** Three of five are sign-ins; a thousandth are invitations. Neighbouring entries are of different organisations, as time brings them. */
const auditFillings = (count: number, users: number): string[] =>
  Array.from(
    { length: Math.ceil(count / entriesAtOnce) },
    (
      _,
      part,
    ) => `insert into audit_logs (organisation_id, id, action, actor_type, actor_id, actor_name, actor_email, target_type, target_id, target_email,
       ip_address, user_agent, changes, metadata, request_id, sign_in_id, created_at)
     select u.organisation_id, 'aud_' || stamp, action, 'user', u.id, 'First ' || u.u || ' Last ' || u.u, u.email, target_type,
       case target_type when 'session' then 'ses_' || right(u.id, 26) else u.id end, case when n % 1000 = 1 then 'invited' || n || '@example.test' end,
       case when n % 10 < 4 then '198.51.100.7' else '10.' || n % 7 || '.' || n / 7 % 250 || '.' || n / 1750 % 250 end,
       'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
       case when action = 'user.updated' then '{"firstName":{"from":"A","to":"B"}}'::jsonb end,
       case when action like 'login.%' then '{"method":"password"}'::jsonb end,
       md5(n::text) || '-bch', case when action like 'login.%' then 'sgn_' || stamp end, made.at
     from generate_series(${part * entriesAtOnce + 1}, ${Math.min(count, (part + 1) * entriesAtOnce)}) n
     cross join lateral (select now() - interval '730 days' * ((${count} - n) / ${count}::float8) as at,
       case when n % 1000 = 1 then 'invitation.sent' when n % 10 < 6 then 'login.success' when n % 10 = 6 then 'login.failed'
         when n % 10 = 7 then 'user.updated' when n % 10 = 8 then 'auth.logout' else 'role.assigned' end as action,
       case when n % 1000 = 1 then 'invitation' when n % 10 < 6 or n % 10 = 8 then 'session' else 'user' end as target_type offset 0) as made
     cross join lateral (select ${stampOf('made.at', 'n')} as stamp offset 0) as stamped
     join seeded_users u on u.u = 1 + (n::bigint * 7919) % ${users}`,
  )

/** @param report is told of each step and how long it took */
export async function fillDatabase(databaseUrl: string, sizes: Sizes, report: (step: string, seconds: number) => void): Promise<void> {
  const [client, second] = await Promise.all([connect(databaseUrl), connect(databaseUrl)])
  const timed = async (step: string, work: () => Promise<unknown>) => {
    const start = performance.now()
    await work()
    report(step, (performance.now() - start) / 1_000)
  }
  try {
    const now = new Date().toISOString()
    const tables = fillings(sizes)
    for (const [table, ...statements] of tables) {
      const later = await dropIndexes(client, table)
      // The same time in all statements, which make the same identifiers of it.
      const fixed = statements.map((statement) => statement.replaceAll('now()', `timestamptz '${now}'`))
      await timed(table, () => Promise.all([client, second].map((one) => runAll(one, fixed))))
      for (const definition of later) {
        await timed(`  ${/(?:INDEX|CONSTRAINT) (\S+)/.exec(definition)?.[1]}`, () => client.query(definition))
      }
      await timed(`  analyze ${table}`, () => client.query(`vacuum (freeze, analyze) ${table}`))
    }
    await client.query('drop table seeded_users, seeded_organisations')
    await timed('vacuum', () => client.query('vacuum (analyze)'))
    await client.query('checkpoint')
  } finally {
    await Promise.all([client.end(), second.end()])
  }
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`set session_replication_role = replica; set work_mem = '512MB';
    set maintenance_work_mem = '1GB'; set max_parallel_maintenance_workers = 2`)
  return client
}

/** Runs statements until none is left, which other connections do, too. */
async function runAll(client: pg.Client, left: string[]): Promise<void> {
  for (let statement = left.shift(); statement !== undefined; statement = left.shift()) await client.query(statement)
}

/** Drops the indexes and constraints of a table that no reference needs. @returns what builds them again */
async function dropIndexes(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; create: string }>(
    `select case when c.oid is null then format('drop index %s', i.indexrelid::regclass) else format('alter table %s drop constraint %I', i.indrelid::regclass, c.conname) end as drop,
       case when c.oid is null then pg_get_indexdef(i.indexrelid)
         else format('ALTER TABLE %s ADD CONSTRAINT %I %s', i.indrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) end as create
     from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('p', 'u')
     where i.indrelid = $1::regclass and not exists (select from pg_constraint f where f.contype = 'f' and f.conindid = i.indexrelid)
     order by i.indexrelid`,
    [table],
  )
  for (const { drop } of rows) await client.query(drop)
  return rows.map(({ create }) => create)
}
