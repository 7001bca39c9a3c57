import { describe, expect, it } from 'vitest'
import { useReceiver } from '../support/receiver.ts'
import { useService } from '../support/service.ts'

const receiver = await useReceiver()
const service = useService({ outgoing: { ca: receiver.ca } })
const keyed = () => ({ headers: { 'idempotency-key': crypto.randomUUID() } })

/** Connections on which a transaction waits for its next statement. */
async function idleInTransaction(): Promise<number> {
  const { rows } = await service().engine.execute<{ count: number }>({
    sql: `select count(*)::int as count from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
    parameters: [],
  })
  return rows[0]?.count ?? Number.NaN
}

describe('requests with an Idempotency-Key that are limited and wait for a slow server', () => {
  it('hold no transaction, and wait for none of each other', async () => {
    const { owner } = await service().given.organisation()
    const { owner: stranger } = await service().given.organisation()
    const hook = receiver.hook()
    const { promise: answered, resolve: answer } = Promise.withResolvers<{ status: number }>()
    hook.answer = () => answered

    const asked = Array.from({ length: 5 }, () =>
      owner.post('/v1/admin/resource-servers/check-mcp-server', { identifier: hook.url }, keyed()),
    )
    await hook.request(asked.length)

    expect(await idleInTransaction()).toBe(0)
    expect(await stranger.post('/v1/admin/roles', { name: 'Editor', slug: 'editor' }, keyed())).toMatchObject({ status: 201 })
    answer({ status: 401 })
    for (const { status, body } of await Promise.all(asked)) expect({ status, body }).toMatchObject({ status: 200 })
  })

  it('are counted all the same, and a repeated one counts once', async () => {
    const { owner } = await service().given.organisation()
    const hook = receiver.hook()
    const check = (options: ReturnType<typeof keyed>) =>
      owner.post('/v1/admin/resource-servers/check-mcp-server', { identifier: hook.url }, options)
    const repeated = keyed()
    for (let time = 0; time < 3; time++) expect(await check(repeated)).toMatchObject({ status: 200 })
    const others = await Promise.all(Array.from({ length: 60 }, () => check(keyed())))
    expect(others.filter(({ status }) => status === 200)).toHaveLength(59)
    expect(others.find(({ status }) => status !== 200)).toMatchObject({ status: 429, body: { code: 'too-many-mcp-server-checks' } })
  })
})
