import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { databaseKind, freshPostgresUrl } from '../support/database.ts'
import { onServer } from '../support/database-server.ts'
import type { SignedInUser } from '../support/given.ts'
import { givenApplication } from '../support/oauth.ts'
import { useReceiver } from '../support/receiver.ts'
import { type RecordingEngine, recordingEngine } from '../support/recording-engine.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { createEndpoint } from '../support/webhooks.ts'

const receiver = await useReceiver()

describe.runIf(databaseKind() === 'postgres')('the statements over the queue of deliveries', () => {
  // A plan made for a short queue took seconds per statement when the queue was long.
  it('are not prepared, but planned for the present queue', async () => {
    const engine = openPostgres(await freshPostgresUrl(), { poolSize: 1 })
    const environment = { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' }
    const service = await startTestService({ engine, environment, webhooks: receiver.reachable })
    onTestFinished(() => service.stop())
    const { owner } = await service.given.organisation()
    const hook = receiver.hook()
    await createEndpoint(owner, { url: hook.url, events: ['role.created'] })
    // A statement is prepared when it runs for the second time.
    for (const slug of ['auditor', 'clerk']) await owner.post('/v1/admin/roles', { name: 'Role', slug })
    await service.deliverDueWebhooks()
    expect(hook.requests).toHaveLength(2)

    // The connection for all organisations, and one for a single organisation.
    const asked = CompiledQuery.raw('select statement from pg_prepared_statements')
    const prepared = await Promise.all([engine.execute<{ statement: string }>(asked), engine.execute<{ statement: string }>(asked, asked)])
    const statements = prepared.flatMap(({ rows }) => rows.map(({ statement }) => statement))
    expect(statements.filter((statement) => statement.includes('insert into webhook_deliveries'))).not.toEqual([])
    expect(statements.filter((statement) => /update webhook_deliveries (delivery|queued)/.test(statement))).toEqual([])
  })

  // PostgreSQL expected few of an endpoint, because it multiplies the shares of its organisation and of the endpoint.
  it('claim by the key of a delivery, however many are stored of each endpoint', async () => {
    const url = await freshPostgresUrl()
    const engine = recordingEngine(openPostgres(url, { poolSize: 2 }))
    const environment = { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' }
    const service = await startTestService({ engine, environment, webhooks: receiver.reachable })
    onTestFinished(() => service.stop())
    const { owner } = await service.given.organisation()
    const hook = receiver.hook()
    await createEndpoint(owner, { url: hook.url, events: ['role.created'] })
    await onServer(
      url,
      `set session_replication_role = replica;
       insert into webhook_endpoints (organisation_id, id, url, events, variant, secret_encrypted, created_at, updated_at)
       select 'org_' || n, 'wh_' || n, 'https://hooks.test', '{}', 'B', '', now(), now() from generate_series(1, 1000) n;
       insert into webhook_deliveries (organisation_id, id, endpoint_id, event_id, event, variant, body, status, created_at)
       select 'org_' || n % 1000 + 1, 'dlv_' || n, 'wh_' || n % 1000 + 1, 'evt', 'role.created', 'B', '{}', 'delivered', now() from generate_series(1, 100000) n`,
    )
    await onServer(url, 'vacuum analyze webhook_deliveries, webhook_endpoints')
    await owner.post('/v1/admin/roles', { name: 'Auditor', slug: 'auditor' })
    await service.deliverDueWebhooks()
    expect(hook.requests).toHaveLength(1)

    const claim = engine.statements.find(({ query }) => query.sql.includes('organisation_walk'))?.query
    const plan = await engine.execute<{ 'QUERY PLAN': string }>({ sql: `explain ${claim?.sql}`, parameters: claim?.parameters ?? [] })
    const lines = plan.rows.map((row) => row['QUERY PLAN'])
    expect(lines.filter((line) => line.includes('webhook_deliveries_endpoint_index'))).toEqual([])
    expect(lines.filter((line) => line.includes('webhook_deliveries_pkey'))).toHaveLength(1)
  })
})

describe.runIf(databaseKind() === 'postgres')('the deliveries of logout tokens to an application with very many of them', () => {
  let service: TestService
  let engine: RecordingEngine
  let owner: SignedInUser
  let clientId: string
  beforeAll(async () => {
    const url = await freshPostgresUrl()
    engine = recordingEngine(openPostgres(url, { poolSize: 2 }))
    service = await startTestService({ engine, environment: { OAUTH_EXTENSIONS: 'backchannel_logout' } })
    const application = await givenApplication(service, { backchannelLogoutUri: 'https://app.example.com/logout' })
    owner = application.organisation.owner
    clientId = application.id
    // The oldest have failed, are failing, and wait until their client is active again.
    await onServer(
      url,
      `set session_replication_role = replica;
       insert into logout_deliveries (organisation_id, id, client_id, user_id, session_id, status, attempt_count, created_at)
       select '${application.organisation.id}', 'lgd_' || lpad(n::text, 26, '0'), '${clientId}', 'usr_1', 'ses_' || n,
         case when n <= 3 then 'failed' when n <= 6 then 'pending' else 'delivered' end, case when n = 6 then 0 else 1 end, now()
       from generate_series(1, 100000) n`,
    )
    await onServer(url, 'vacuum analyze logout_deliveries')
  })
  afterAll(() => service?.stop())

  it.each([
    ['failed', 3, 'logout_deliveries_failed_index'],
    ['failing', 2, 'logout_deliveries_failing_index'],
  ])('are listed by an index of those that are %s', async (status, count, index) => {
    // A statement is prepared when it runs for the second time, and its plan serves any values some runs later.
    for (let time = 0; time < 8; time++) {
      const { body } = await owner.get(`/v1/admin/clients/${clientId}/logout-deliveries?status=${status}`)
      expect(body.data).toHaveLength(count)
    }
    const listed = engine.statements.findLast(({ query }) => /from "logout_deliveries".* order by "id"/s.test(query.sql))
    const explain = { sql: `explain ${listed?.query.sql}`, parameters: listed?.query.parameters ?? [] }
    const { rows } = await engine.execute<{ 'QUERY PLAN': string }>(explain, listed?.setUp)
    expect(rows.map((row) => row['QUERY PLAN']).filter((line) => / on logout_deliveries/.test(line))).toEqual([
      expect.stringContaining(index),
    ])
  })
})
