import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { freshEngine } from '../support/database.ts'
import { startTestService } from '../support/service.ts'

it('GET /v1/system/organisations returns each once, also when they are more than are read at a time', async () => {
  const service = await startTestService({ engine: await freshEngine() })
  try {
    await sql`
      insert into organisations (id, slug, name, email, created_at, updated_at)
      select 'org_' || lpad(n::text, 26, '0'), 'many-' || n, 'Many ' || n, 'many-' || n || '@example.test', now(), now()
      from generate_series(1, 1101) as n`.execute(service.database.system())
    const { status, body } = await service.operator.get('/v1/system/organisations')
    expect([status, body.total]).toEqual([200, 1_101])
    const ids = body.data.map(({ id }: { id: string }) => id)
    expect(ids).toEqual(ids.toSorted())
    expect(new Set(ids).size).toBe(1_101)
  } finally {
    await service.stop()
  }
})
