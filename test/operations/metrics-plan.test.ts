import { describe, expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { freshPostgresUrl } from '../support/database.ts'
import { onServer } from '../support/database-server.ts'
import { recordingEngine } from '../support/recording-engine.ts'
import { seriesOf } from '../support/series.ts'
import { startTestService, type TestService } from '../support/service.ts'

const readSeries = (series: string, from: TestService) => seriesOf(from, series)

describe('GET /metrics', () => {
  it('finds the most overdue delivery of any receiver without sorting the queue', async () => {
    const url = await freshPostgresUrl()
    const engine = recordingEngine(openPostgres(url, { poolSize: 2 }))
    const busy = await startTestService({ engine })
    onTestFinished(() => busy.stop())
    const now = `timestamptz '${busy.clock.now().toISOString()}'`
    // One is due, and claimed: it is not sent meanwhile.
    await onServer(
      url,
      `set session_replication_role = replica;
       insert into webhook_deliveries
         (organisation_id, id, endpoint_id, event_id, event, variant, body, status, created_at, next_attempt_at, claimed_until)
       select 'org_' || n % 10, 'dlv_' || n, 'wh_' || n % 100, 'evt', 'role.created', 'B', '{}',
         case when n <= 20000 then 'pending' else 'delivered' end, ${now},
         case when n = 12345 then ${now} - interval '1 hour' when n <= 20000 then ${now} + n * interval '1 minute' end,
         case when n = 12345 then ${now} + interval '5 minutes' end
       from generate_series(1, 100000) n`,
    )
    await onServer(url, 'vacuum analyze webhook_deliveries')

    expect(await readSeries('gatehouse_queue_waiting{queue="webhooks"}', busy)).toBe(20_000)
    expect(await readSeries('gatehouse_queue_late_seconds{queue="webhooks"}', busy)).toBeGreaterThanOrEqual(3_600)
    const read = engine.statements.find(({ query }) => query.sql.includes('latest_seconds'))?.query
    const plan = await engine.execute<{ 'QUERY PLAN': string }>({ sql: `explain ${read?.sql}`, parameters: read?.parameters ?? [] })
    const lines = plan.rows.map((row) => row['QUERY PLAN'])
    expect(lines.filter((line) => /Seq Scan on webhook_deliveries|Sort/.test(line))).toEqual([])
    expect(lines.filter((line) => line.includes('webhook_deliveries_pending_index'))).toHaveLength(3)
  })
})
