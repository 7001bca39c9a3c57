/** What an organisation still does while its configuration is planned, and the plan waits for a row. */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../support/http-client.ts'
import { givenApplication } from '../support/oauth.ts'
import { useReceiver } from '../support/receiver.ts'
import { useService } from '../support/service.ts'
import { createEndpoint } from '../support/webhooks.ts'

const receiver = await useReceiver()
const service = useService({ environment: { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' }, webhooks: receiver.reachable })

/** Whether a statement waits to lock a row of the table. */
async function isAwaited(table: string): Promise<boolean> {
  const { rows } = await service().engine.execute({
    sql: `select from pg_locks where locktype = 'tuple' and relation = $1::regclass
      and database = (select oid from pg_database where datname = current_database())`,
    parameters: [table],
  })
  return rows.length > 0
}

describe('a plan that waits', () => {
  it('holds up no code exchange and no webhook of its organisation, and nothing of another', async () => {
    const app = await givenApplication(service())
    const { owner, id } = app.organisation
    const other = await service().given.organisation()
    const role = await service().given.role(owner)
    const codes = await Promise.all(Array.from({ length: 20 }, () => app.code({ scope: 'openid offline_access' })))
    const hooks = [receiver.hook(), receiver.hook()] as const
    for (const [place, by] of [owner, other.owner].entries())
      await createEndpoint(by, { url: hooks[place]?.url ?? '', events: ['user.created'] })

    let planned: Promise<Answer> | undefined
    await service().database.transaction(id, async (tenant) => {
      await sql`select from roles where id = ${role.id} for update`.execute(tenant)
      planned = owner.post('/v1/admin/configuration/plan', { document: { roles: { [role.slug]: { name: 'Renamed' } } } })
      await expect.poll(() => isAwaited('roles'), { interval: 5 }).toBe(true)

      const redeemed = await Promise.all(codes.map(({ code, verifier }) => app.redeem(code, verifier)))
      expect(redeemed.map(({ status }) => status)).toEqual(codes.map(() => 200))
      for (const by of [owner, other.owner]) await service().given.user(by)
      await service().deliverDueWebhooks()
      expect(hooks.map(({ requests }) => requests.length)).toEqual([1, 1])
    })

    expect(await planned).toMatchObject({ status: 200, body: { changes: [{ object: role.slug, action: 'update' }] } })
  })
})
