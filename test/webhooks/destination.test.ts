import { describe, expect, it } from 'vitest'
import type { HttpClient } from '../support/http-client.ts'
import { useReceiver } from '../support/receiver.ts'
import { useService } from '../support/service.ts'
import { createEndpoint, deliveryOf } from '../support/webhooks.ts'

const receiver = await useReceiver()
/** What each name resolves to, one answer after another; the last one stays. */
const answers = new Map<string, string[][]>()
const asked: string[] = []
const resolve = async (hostname: string) => {
  asked.push(hostname)
  const [next = [], ...later] = answers.get(hostname) ?? []
  if (later.length > 0) answers.set(hostname, later)
  return next
}
const guarded = useService({ webhooks: { ...receiver.reachable, resolve } })
const open = useService({ environment: { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' }, webhooks: { ...receiver.reachable, resolve } })

const single = useService({
  environment: { OUTGOING_PRIVATE_HOSTS: 'receiver.test, metadata.test, 169.254.0.0/16' },
  webhooks: { ...receiver.reachable, resolve },
})

const setting = 'OUTGOING_PRIVATE_HOSTS=<this host>, or WEBHOOK_ALLOW_PRIVATE_ADDRESSES=true for all'

const cause = (admin: HttpClient, slug: string) => admin.post('/v1/admin/roles', { name: 'Role', slug })

describe('a name', () => {
  it.each([
    ['a loopback address', ['127.0.0.1'], `a loopback address: ${setting}`],
    ['a private address beside a public one', ['93.184.216.34', '10.0.0.7'], `a private address: ${setting}`],
    ['a link-local address', ['169.254.1.1'], 'a link-local address, where webhooks never go'],
    ['the address of cloud metadata', ['fd00:ec2::254'], 'the metadata service of a cloud, where webhooks never go'],
    ['a mapped loopback address', ['::ffff:127.0.0.1'], `a loopback address: ${setting}`],
    ['a loopback address behind NAT64', ['64:ff9b::7f00:1'], 'no address of the public internet, where webhooks never go'],
    ['no address', [], 'no address'],
  ])('that resolves to %s is not connected to, and the error says why but not which', async (_, addresses, reason) => {
    const { owner } = await guarded().given.organisation()
    const hook = receiver.hook('receiver.test')
    answers.set('receiver.test', [addresses])
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'] })

    await cause(owner, 'auditor')
    await guarded().deliverDueWebhooks()

    expect(hook.requests).toEqual([])
    const delivery = await deliveryOf(owner, id)
    const error = `receiver.test resolves to ${reason}`
    expect(delivery).toMatchObject({ status: 'pending', lastError: error, attempts: [{ status: null, error, response: null }] })
  })

  it('that resolves to another address a moment later is connected to at the checked address, and checked again next time', async () => {
    const { owner } = await open().given.organisation()
    const hook = receiver.hook('receiver.test')
    hook.answer = () => ({ status: 200, headers: { connection: 'close' } })
    answers.set('receiver.test', [['127.0.0.1'], ['169.254.169.254']])
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'] })
    asked.length = 0

    await cause(owner, 'one')
    await open().deliverDueWebhooks()
    expect(hook.requests).toHaveLength(1)
    expect(asked).toEqual(['receiver.test'])

    await cause(owner, 'two')
    await open().deliverDueWebhooks()
    expect(hook.requests).toHaveLength(1)
    expect(await deliveryOf(owner, id)).toMatchObject({
      attempts: [{ error: expect.stringMatching(/^receiver\.test resolves to .* where webhooks never go$/) }],
    })
  })
})

describe('a private destination that OUTGOING_PRIVATE_HOSTS names', () => {
  it('is called, beside others that stay closed', async () => {
    const { owner } = await single().given.organisation()
    answers.set('receiver.test', [['127.0.0.1']]).set('localhost', [['127.0.0.1']])
    const [named, other] = [receiver.hook('receiver.test'), receiver.hook('localhost')]
    await createEndpoint(owner, { url: named.url, events: ['role.created'] })
    const { id } = await createEndpoint(owner, { url: other.url, events: ['role.created'] })

    await cause(owner, 'auditor')
    await single().deliverDueWebhooks()

    expect([named.requests.length, other.requests.length]).toEqual([1, 0])
    const error = `localhost resolves to a loopback address: ${setting}`
    expect(await deliveryOf(owner, id)).toMatchObject({ attempts: [{ error }] })
  })

  it('is never the metadata service of a cloud', async () => {
    const { owner } = await single().given.organisation()
    expect(await owner.post('/v1/admin/webhooks', { url: 'https://169.254.169.254/', events: ['*'] })).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['url'], message: '169.254.169.254 is a link-local address, where webhooks never go' }] },
    })
    answers.set('metadata.test', [['169.254.169.254']])
    const { id } = await createEndpoint(owner, { url: receiver.hook('metadata.test').url, events: ['role.created'] })

    await cause(owner, 'auditor')
    await single().deliverDueWebhooks()

    const error = 'metadata.test resolves to a link-local address, where webhooks never go'
    expect(await deliveryOf(owner, id)).toMatchObject({ attempts: [{ error }] })
  })
})

describe('an address that was saved while it was allowed', () => {
  it('is refused when the socket connects', async () => {
    const { owner, id: organisationId } = await guarded().given.organisation()
    const hook = receiver.hook()
    const { id } = await createEndpoint(owner, { url: 'https://example.com/', events: ['role.created'] })
    const url = hook.url.replace('localhost', '127.0.0.1')
    const reason = `127.0.0.1 is a loopback address: ${setting}`
    expect(await owner.patch(`/v1/admin/webhooks/${id}`, { url })).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['url'], message: reason, reason: 'destination-not-allowed' }] },
    })
    await guarded().database.tenant(organisationId).updateTable('webhookEndpoints').set({ url }).execute()

    await cause(owner, 'auditor')
    await guarded().deliverDueWebhooks()

    expect(hook.requests).toEqual([])
    expect(await deliveryOf(owner, id)).toMatchObject({ attempts: [{ error: reason }] })
  })
})
