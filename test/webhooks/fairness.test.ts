import { describe, expect, it } from 'vitest'
import type { HttpClient } from '../support/http-client.ts'
import { useReceiver } from '../support/receiver.ts'
import { useService } from '../support/service.ts'
import { createEndpoint } from '../support/webhooks.ts'

const receiver = await useReceiver()
const service = useService({ environment: { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' }, webhooks: receiver.reachable })

const createRole = async (admin: HttpClient, slug: string) =>
  expect(await admin.post('/v1/admin/roles', { name: slug, slug })).toMatchObject({ status: 201 })

describe('an organisation with more deliveries than a process has slots', () => {
  it('does not delay other organisations while its receivers are slow, and gets all its deliveries', async () => {
    const [greedy, modest] = [await service().given.organisation(), await service().given.organisation()]
    const [slow, quick] = [receiver.hook(), receiver.hook()]
    const waiting: (() => void)[] = []
    slow.answer = () => new Promise((resolve) => waiting.push(() => resolve({ status: 200 })))
    for (let n = 0; n < 45; n++) await createEndpoint(greedy.owner, { url: slow.url, events: ['role.created'] })
    await createEndpoint(modest.owner, { url: quick.url, events: ['role.created'] })
    for (let n = 0; n < 10; n++) await createRole(greedy.owner, `role-${n}`)
    await slow.request(300)

    await createRole(modest.owner, 'auditor')
    await quick.request()
    // Three quarters of the slots are in use, and no receiver has responded.
    expect(slow.requests).toHaveLength(300)

    slow.answer = () => ({ status: 200 })
    for (const answer of waiting) answer()
    await slow.request(450)
    await service().deliverDueWebhooks()
    expect(new Set(slow.requests.map(({ headers }) => headers['x-svc-delivery'])).size).toBe(450)
  })
})
