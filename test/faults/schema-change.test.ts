import { CompiledQuery } from 'kysely'
import { describe, expect, it } from 'vitest'
import { databaseKind } from '../support/database.ts'
import { useService } from '../support/service.ts'

const service = useService()

describe.runIf(databaseKind() === 'postgres')('a service that is running while a newer release changes a table', () => {
  it('continues to respond, with the statements that it had prepared before', async () => {
    const { owner } = await service().given.organisation()
    const { body: role } = await owner.post('/v1/admin/roles', { name: 'Support', slug: 'support' })
    const use = async () => [
      await owner.get('/v1/admin/roles'),
      await owner.patch(`/v1/admin/roles/${role.id}`, { description: 'Changed' }),
      await owner.get('/v1/admin/audit-logs'),
    ]
    await use()

    await service().engine.ownerTransaction(async (transaction) => {
      await transaction.execute(CompiledQuery.raw('alter table roles add column colour text'))
      await transaction.execute(CompiledQuery.raw('alter table audit_logs add column origin text'))
    })

    for (const answer of [...(await use()), ...(await use())]) expect(answer).toMatchObject({ status: 200 })
  })
})
