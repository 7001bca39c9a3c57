import { CompiledQuery } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { databaseKind, freshPostgresUrl } from '../support/database.ts'
import { useReceiver } from '../support/receiver.ts'
import { startTestService } from '../support/service.ts'
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
    expect(statements.filter((statement) => statement.includes('update webhook_deliveries delivery'))).toEqual([])
  })
})
