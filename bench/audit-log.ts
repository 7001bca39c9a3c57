/**
 * Reads pages of an audit log of 1,000,000 entries of one organisation on PostgreSQL, by each filter alone and in pairs, and
 * prints how long each took. `npm run bench:audit-log`; `DATABASE_URL` names another server.
 */
import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { listAuditEntries } from '../src/audit/queries.ts'
import type { AuditFilters } from '../src/audit/schemas.ts'
import { createDatabase } from '../src/platform/database/database.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { openPostgres } from '../src/platform/database/postgres.ts'
import { onServer, urlOf } from '../test/support/database-server.ts'
import { startPostgres } from '../test/support/postgres-server.ts'

const entryCount = Number(process.env.ENTRIES ?? 1_000_000)
/** Of a page that is found, and of one that is not there: to know that takes reading all entries of one filter. */
const budgetMilliseconds = { found: 50, none: 500 }
const organisationId = 'org_bench'

const server = process.env.DATABASE_URL ? { url: process.env.DATABASE_URL, stop: async () => {} } : await startPostgres()
const name = `bench_${randomBytes(6).toString('hex')}`
await onServer(server.url, `create database ${name}`)
const databaseUrl = urlOf(server.url, name)
const engine = openPostgres(databaseUrl, { poolSize: 2 })
try {
  await migrate(engine)
  const seconds = await seed()
  process.stdout.write(`${entryCount} entries written in ${seconds.toFixed(0)} s\n`)
  const database = createDatabase(engine, { now: () => new Date() })

  /** The median of three pages. */
  const measure = async (filters: AuditFilters) => {
    const times = []
    let count = 0
    for (let turn = 0; turn < 3; turn++) {
      const start = performance.now()
      count = (await listAuditEntries(database.tenant(organisationId), filters, 51, undefined)).length
      times.push(performance.now() - start)
    }
    return { milliseconds: times.sort((left, right) => left - right)[1] ?? 0, count }
  }

  let slow = 0
  for (const [label, filters] of cases()) {
    const { milliseconds, count } = await measure(filters)
    const isSlow = milliseconds > (count > 0 ? budgetMilliseconds.found : budgetMilliseconds.none)
    if (isSlow) slow++
    const mark = isSlow ? '  SLOW' : ''
    process.stdout.write(`${milliseconds.toFixed(1).padStart(8)} ms ${String(count).padStart(3)} entries  ${label}${mark}\n`)
  }
  process.stdout.write(
    `${slow === 0 ? 'holds' : `DOES NOT HOLD for ${slow}`}: no page longer than ${budgetMilliseconds.found} ms, none without entries than ${budgetMilliseconds.none} ms\n`,
  )
  process.exitCode = slow === 0 ? 0 : 1
} finally {
  await engine.close()
  await onServer(server.url, `drop database ${name} with (force)`)
  await server.stop()
}

/**
 * Entries a minute apart: three of five are sign-ins. A program (`usr_busy`) makes 30 % of all, an office has 40 % of the
 * addresses, and what concerns teams happened in the oldest hundredth alone.
 */
async function seed(): Promise<number> {
  const start = performance.now()
  const insert = (from: number, to: number) =>
    onServer(
      databaseUrl,
      `insert into audit_logs (organisation_id, id, action, actor_type, actor_id, actor_email, target_type, target_id, target_email,
         ip_address, user_agent, request_id, created_at)
       select '${organisationId}', new_id('aud', at), split_part(kind, ' ', 1), 'user', actor, actor || '@example.test', split_part(kind, ' ', 2),
         split_part(kind, ' ', 2) || '_' || lpad((n * 7 % 50000)::text, 26, '0'), case when kind like 'inv%' then n % 1000 || '@example.test' end,
         case when n % 10 < 4 then '198.51.100.7' else '10.' || n % 7 || '.' || n / 7 % 250 || '.' || n / 1750 % 250 end,
         'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', gen_random_uuid()::text, at
       from generate_series(${from}, ${to}) n
       cross join lateral (select timestamptz '2025-01-01' + n * interval '1 minute' as at,
         case when n % 10 in (1, 4, 7) then 'usr_busy' else 'usr_' || lpad((n * 13 % 20000)::text, 26, '0') end as actor,
         case when n < ${entryCount / 100} and n % 5 = 0 then 'team.created team' when n = ${entryCount / 2} then 'api_key.created api_key'
           when n % 1000 = 1 then 'invitation.sent invitation' when n % 10 < 6 then 'login.success session'
           when n % 10 = 6 then 'login.failed user' when n % 10 = 7 then 'user.updated user' when n % 10 = 8 then 'auth.logout session'
           else 'role.assigned user' end as kind) as made`,
    )
  await onServer(
    databaseUrl,
    `insert into organisations (id, slug, name, email, created_at, updated_at) values ('${organisationId}', 'bench', 'Bench', 'it@bench.test', now(), now());
     insert into users (organisation_id, id, email, first_name, last_name, created_at, updated_at)
     select '${organisationId}', id, id || '@example.test', 'First', 'Last', now(), now()
     from (select 'usr_' || lpad(n::text, 26, '0') as id from generate_series(0, 19999) n union select 'usr_busy') as made`,
  )
  for (let n = 1; n <= entryCount; n += 100_000) await insert(n, Math.min(entryCount, n + 99_999))
  await onServer(databaseUrl, 'vacuum analyze audit_logs')
  await onServer(databaseUrl, 'vacuum analyze users')
  return (performance.now() - start) / 1_000
}

function cases(): [string, AuditFilters][] {
  const few = 'usr_00000000000000000000000026'
  const alone: [string, AuditFilters][] = [
    ['action=login.success', { action: ['login.success'] }],
    ['action=team.created (old)', { action: ['team.created'] }],
    ['action=api_key.created (one)', { action: ['api_key.created'] }],
    ['action=user.*', { action: ['user.*'] }],
    ['action=team.*', { action: ['team.*'] }],
    [
      'every action',
      { action: ['user.*', 'login.*', 'auth.*', 'role.*', 'team.*', 'client.*', 'webhook.*', 'mfa.*', 'oauth2.*', 'organisation.*'] },
    ],
    ['actorId of a busy one', { actorId: 'usr_busy' }],
    ['actorId of few', { actorId: few }],
    ['actorId of none', { actorId: 'usr_none' }],
    ['targetType=session', { targetType: 'session' }],
    ['targetType=team (old)', { targetType: 'team' }],
    ['targetType=none', { targetType: 'none' }],
    ['targetId', { targetId: 'user_00000000000000000000000049' }],
    ['email of a busy one', { email: 'usr_busy@example.test' }],
    ['email of few', { email: `${few}@example.test` }],
    ['email of none', { email: 'nobody@example.test' }],
    ['ipAddress of the office', { ipAddress: '198.51.100.7' }],
    ['ipAddress of few', { ipAddress: '10.5.0.0' }],
    ['ipAddress of none', { ipAddress: '192.0.2.1' }],
    ['requestId', { requestId: '3f0d1f0e-5b0a-4c55-9a86-0c7a6a0b7f11' }],
    ['an old hour', { from: new Date('2025-01-05T00:00:00Z'), to: new Date('2025-01-05T01:00:00Z') }],
    ['the older half', { to: new Date('2026-01-01T00:00:00Z') }],
  ]
  const pairs = alone.flatMap(([left, first], index) =>
    alone.slice(index + 1).flatMap(([right, second]): [string, AuditFilters][] => {
      const isPair = Object.keys(first).every((key) => !(key in second))
      return isPair ? [[`${left} & ${right}`, { ...first, ...second }]] : []
    }),
  )
  return [['no filter', {}], ...alone, ...pairs]
}
