/**
 * Measures what the numbers of the console's first page cost for an organisation with 100,000 users and 1,000,000 audit
 * entries on PostgreSQL. `npm run bench:statistics`; `DATABASE_URL` names another server, `USERS` another number.
 */
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import buildService, { builtService } from '../test/support/built-service.ts'
import { onServer, urlOf } from '../test/support/database-server.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { percentile } from './support/percentiles.ts'
import { startProcess } from './support/started-process.ts'

const userCount = Number(process.env.USERS ?? 100_000)
const auditCount = userCount * 10
const owner = { email: 'owner@bench.test', password: 'correct horse battery' }

const server = process.env.DATABASE_URL ? { url: process.env.DATABASE_URL, stop: async () => {} } : await startPostgres()
const name = `bench_${randomBytes(6).toString('hex')}`
await onServer(server.url, `create database ${name}`)
const databaseUrl = urlOf(server.url, name)
buildService()
const service = await startProcess(
  builtService,
  {
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(tmpdir(), name),
    BOOTSTRAP_OWNER_EMAIL: owner.email,
    BOOTSTRAP_OWNER_PASSWORD: owner.password,
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'silent',
  },
  '/readyz',
)
try {
  await seed()
  const headers = await signIn()
  await measure('reading one role', '/v1/admin/roles?limit=1', headers)
  await measure('statistics', '/v1/admin/statistics', headers)
  const since = (days: number) => `from=${new Date(Date.now() - days * 86_400_000).toISOString()}`
  await measure('sign-ins of a day by hour', '/v1/admin/statistics/sign-ins?interval=hour', headers)
  await measure('sign-ins of 30 days by day', '/v1/admin/statistics/sign-ins?timeZone=Europe/Berlin', headers)
  await measure('sign-ins of 31 days by hour', `/v1/admin/statistics/sign-ins?interval=hour&${since(30.9)}`, headers)
  await onServer(databaseUrl, "update users set email_verified_at = null, mfa_enabled = true, last_login_at = now() where id like 'usr_%'")
  await measure('the same, just after a change of every user', '/v1/admin/statistics', headers)
  await onServer(databaseUrl, 'vacuum analyze users')
  await measure('the same, every user in every group', '/v1/admin/statistics', headers)
} finally {
  await service.stop()
  await onServer(server.url, `drop database ${name} with (force)`)
  await server.stop()
}

async function signIn(): Promise<Record<string, string>> {
  const login = await fetch(`${service.origin}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(owner),
  })
  if (login.status !== 200) throw new Error(`The owner cannot sign in: ${login.status}`)
  const { csrfToken } = (await login.json()) as { csrfToken: string }
  return { cookie: login.headers.getSetCookie()[0]?.split(';')[0] ?? '', 'x-csrf-token': csrfToken }
}

/** Users of the last year, each with a session, and as many rows of sign-ins as a month can have. */
async function seed(): Promise<void> {
  const [organisation] = await onServer(databaseUrl, 'select id from organisations')
  const id = `'${organisation?.id}'`
  const created = `now() - n * interval '365 days' / ${userCount}`
  await onServer(
    databaseUrl,
    `insert into users (organisation_id, id, email, first_name, last_name, email_verified_at, mfa_enabled, blocked_at, last_login_at, created_at, updated_at)
     select ${id}, new_id('usr', ${created}), 'user' || n || '@bench.test', 'First ' || n, 'Last ' || n,
       case when n % 20 > 0 then now() end, n % 3 = 0, case when n % 200 = 0 then now() end,
       case when n % 10 > 0 then now() - n * interval '90 days' / ${userCount} end, ${created}, now()
     from generate_series(1, ${userCount}) n;
     insert into sessions (organisation_id, id, user_id, token_hash, ip_address, user_agent, authenticated_at, authentication_methods,
       idle_timeout, last_activity_at, expires_at, created_at)
     select ${id}, new_id('ses', now()), id, 'hash-' || id, '203.0.113.7', 'Mozilla/5.0', now(), '{pwd}', 1800,
       now() - random() * interval '150 minutes', now() + interval '1 day', now() from users where id like 'usr_%';
     insert into audit_logs (organisation_id, id, action, actor_type, actor_id, target_type, target_id, created_at)
     select ${id}, new_id('aud', now() - n * interval '1 minute'), 'login.success', 'user', 'usr_' || n, 'session', 'ses_' || n, now()
     from generate_series(1, ${auditCount}) n;
     insert into sign_in_counts (organisation_id, quarter_at, previous_at, succeeded, failed)
     select ${id}, quarter, case when back < 106 then quarter - back * interval '15 minutes' else '1970-01-01' end, 10, 1
     from generate_series(date_trunc('hour', now()) - interval '32 days', now(), interval '15 minutes') quarter, generate_series(0, 106) back`,
  )
  await onServer(databaseUrl, 'vacuum analyze')
}

async function measure(what: string, path: string, headers: Record<string, string>): Promise<void> {
  const durations: number[] = []
  for (let n = 0; n < 60; n++) {
    const start = performance.now()
    const response = await fetch(service.origin + path, { headers })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
    if (n >= 10) durations.push(performance.now() - start)
  }
  const [median, slow] = [0.5, 0.95].map((share) => percentile(durations, share).toFixed(1))
  process.stdout.write(`${what}: ${median} ms, 95 of 100 within ${slow} ms\n`)
}
