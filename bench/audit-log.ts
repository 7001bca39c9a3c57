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
import { busyActor, fewActors, officeAddress, seedAuditEntries, seedUsers } from './support/seeds.ts'

const entryCount = Number(process.env.ENTRIES ?? 1_000_000)
/** Of a page that is found, and of one that is not there: to know that takes reading all entries of one filter. */
const budgetMilliseconds = { found: 50, none: 500 }
const organisationId = 'org_bench'

const server = process.env.DATABASE_URL ? { url: process.env.DATABASE_URL, stop: async () => {} } : await startPostgres({ ages: true })
const name = `bench_${randomBytes(6).toString('hex')}`
await onServer(server.url, `create database ${name}`)
const databaseUrl = urlOf(server.url, name)
const engine = openPostgres(databaseUrl, { poolSize: 2 })
try {
  await migrate(engine)
  await onServer(
    databaseUrl,
    `insert into organisations (id, slug, name, email, created_at, updated_at) values ('${organisationId}', 'bench', 'Bench', 'it@bench.test', now(), now())`,
  )
  await seedUsers(databaseUrl, fewActors)
  const start = performance.now()
  await seedAuditEntries(databaseUrl, entryCount)
  process.stdout.write(`${entryCount} entries written in ${((performance.now() - start) / 1_000).toFixed(0)} s\n`)
  await onServer(databaseUrl, 'vacuum analyze audit_logs')
  await onServer(databaseUrl, 'vacuum analyze users')
  const few = { email: 'user26@bench.test', id: await idOf('user26@bench.test') }
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
  for (const [label, filters] of cases(few)) {
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

async function idOf(email: string): Promise<string> {
  const [user] = await onServer(databaseUrl, `select id from users where email = '${email}'`)
  return user?.id ?? ''
}

function cases(few: { id: string; email: string }): [string, AuditFilters][] {
  const ago = (share: number) => new Date(Date.now() - entryCount * share * 30_000)
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
    ['actorId of a busy one', { actorId: busyActor.id }],
    ['actorId of few', { actorId: few.id }],
    ['actorId of none', { actorId: 'usr_none' }],
    ['targetType=session', { targetType: 'session' }],
    ['targetType=team (old)', { targetType: 'team' }],
    ['targetType=none', { targetType: 'none' }],
    ['targetId', { targetId: 'user_00000000000000000000000049' }],
    ['email of a busy one', { email: busyActor.email }],
    ['email of few', { email: few.email }],
    ['email of none', { email: 'nobody@example.test' }],
    ['ipAddress of the office', { ipAddress: officeAddress }],
    ['ipAddress of few', { ipAddress: '10.5.0.0' }],
    ['ipAddress of none', { ipAddress: '192.0.2.1' }],
    ['requestId', { requestId: '3f0d1f0e-5b0a-4c55-9a86-0c7a6a0b7f11' }],
    ['an old hour', { from: ago(0.98), to: new Date(ago(0.98).getTime() + 3_600_000) }],
    ['the older half', { to: ago(0.5) }],
  ]
  const pairs = alone.flatMap(([left, first], index) =>
    alone.slice(index + 1).flatMap(([right, second]): [string, AuditFilters][] => {
      const isPair = Object.keys(first).every((key) => !(key in second))
      return isPair ? [[`${left} & ${right}`, { ...first, ...second }]] : []
    }),
  )
  return [['no filter', {}], ...alone, ...pairs]
}
