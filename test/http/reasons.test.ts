import { describe, expect, it } from 'vitest'
import { useService } from '../support/service.ts'
import { extensions } from './contract.ts'
import { mutations } from './mutations.ts'
import { worldOf } from './world.ts'

const service = useService()
const withReason = Object.entries(extensions.requestFields).flatMap(([name, fields]) => (fields.includes('reason') ? [name] : []))

describe('the reason of what ends something', () => {
  it.each(withReason)('is in the audit entry: %s', async (name) => {
    const world = await worldOf(service())
    const mutation = mutations[name]
    if (!mutation?.leaves) return expect.fail(`${name} has no row in test/http/mutations.ts`)
    const { path } = await mutation.request(world)
    const send = (body: object) => world.owner.request(name.split(' ')[0] as string, path, { body })

    expect(await send({ reason: 'x'.repeat(501) })).toMatchObject({ status: 400, body: { errors: [{ path: ['reason'] }] } })
    const reason = `The contract has ended.\n${'x'.repeat(400)}`
    expect((await send({ reason })).status).toBeLessThan(300)

    const entries = await service()
      .database.tenant(world.organisation.id)
      .selectFrom('auditLogs')
      .select('metadata')
      .where('action', '=', mutation.leaves)
      .execute()
    expect(entries).toEqual([{ metadata: expect.objectContaining({ reason }) }])
  })
})
