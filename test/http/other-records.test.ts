/** A statement that lacks the condition on the id would change every record of the organisation, and show the right one. */
import { describe, expect, it } from 'vitest'
import { useService } from '../support/service.ts'
import { mutations } from './mutations.ts'
import { ordinaryPaths } from './ordinary.ts'
import { worldOf } from './world.ts'

// To deliver what is due is to deliver what all tests before have left in the service.
const service = useService({ ofItsOwn: true, environment: { OAUTH_EXTENSIONS: 'backchannel_logout' } })

const kinds = ['clients', 'connections', 'invitations', 'resource-servers', 'roles', 'teams', 'users', 'webhooks', ...ordinaryPaths]
const ofOneRecord = Object.entries(mutations).filter(([name]) => kinds.some((kind) => name.includes(` /v1/admin/${kind}/{id}`)))

describe('a change of one record', () => {
  it.each(ofOneRecord)('leaves another one of its kind as it is: %s', async (name, { request }) => {
    const world = await worldOf(service())
    const recordOf = (path: string) => path.split('/').slice(0, 5).join('/')
    const other = recordOf((await request(world)).path)
    const { path, body, by = world.owner } = await request(world)
    expect(recordOf(path)).not.toBe(other)
    // An endpoint shows what came of its deliveries.
    await service().deliverDueWebhooks()
    const read = async () => {
      const { status, body } = await world.owner.get(other)
      return [status, body]
    }
    const before = await read()

    const done = await by.request(name.split(' ')[0] as string, path, { body })

    expect(done.status).toBeLessThan(300)
    expect(await read()).toEqual(before)
  })
})
