/**
 * Measures what the numbers of the console's first page cost for an organisation with 100,000 users and 1,000,000 audit
 * entries on PostgreSQL. `npm run bench:statistics`; `DATABASE_URL` names another server, `USERS` another number.
 */
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { onServer } from '../test/support/database-server.ts'
import { percentile } from './support/percentiles.ts'
import { seedAuditEntries, seedSessions, seedSignInCounts, seedUsers } from './support/seeds.ts'
import { startService } from './support/started-service.ts'

const userCount = Number(process.env.USERS ?? 100_000)
const auditCount = userCount * 10

const service = await startService()
const { databaseUrl } = service
try {
  await seedUsers(databaseUrl, userCount)
  await seedSessions(databaseUrl)
  await seedAuditEntries(databaseUrl, auditCount)
  await seedSignInCounts(databaseUrl)
  await onServer(databaseUrl, 'vacuum analyze')
  const headers = await service.signIn()
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
