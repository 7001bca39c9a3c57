import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { HttpClient } from '../support/http-client.ts'
import { useReceiver } from '../support/receiver.ts'
import { useService } from '../support/service.ts'
import { createEndpoint, deliveryOf } from '../support/webhooks.ts'

const receiver = await useReceiver()
const environment = { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' }
const service = useService({ environment, webhooks: receiver.reachable })
/** One that waits so briefly that a test can wait for it to give up. */
const impatient = useService({ environment, webhooks: { ca: receiver.ca, timeoutMilliseconds: { A: 2_000, B: 2_000 } } })

/** One that waits long in one variant, and so briefly in the other that a test can wait for it to give up. */
const patientInOne = useService({ environment, webhooks: { ca: receiver.ca, timeoutMilliseconds: { A: 600_000, B: 500 } } })

const cause = (admin: HttpClient) => admin.post('/v1/admin/roles', { name: 'Auditor', slug: 'auditor' })

describe('a receiver', () => {
  it.each([
    ['sends megabytes', { body: 'm'.repeat(5_000_000) }, 'm'.repeat(2_048)],
    ['says that its answer is packed', { headers: { 'content-encoding': 'gzip' }, body: 'no archive' }, 'no archive'],
    ['sends what PostgreSQL takes for no text', { body: 'a\0b' }, 'ab'],
  ])('that %s has received the event', async (_, answer, response) => {
    const { owner } = await service().given.organisation()
    const hook = receiver.hook()
    hook.answer = () => ({ status: 200, ...answer })
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'] })

    await cause(owner)
    await service().deliverDueWebhooks()

    expect(await deliveryOf(owner, id)).toMatchObject({ status: 'delivered', attempts: [{ status: 200, error: null, response }] })
  })

  it('that never ends its response has received the event, and delays other deliveries no longer than one attempt', async () => {
    const { owner } = await impatient().given.organisation()
    const hook = receiver.hook()
    hook.answer = () => ({ status: 200, headers: { 'content-length': '100' }, body: 'well' })
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'] })

    await cause(owner)
    await impatient().deliverDueWebhooks()

    expect(await deliveryOf(owner, id)).toMatchObject({ status: 'delivered', attempts: [{ status: 200, response: 'well' }] })
  })

  it('that accepts connections and sends nothing times out as its variant says', async () => {
    const { owner } = await patientInOne().given.organisation()
    const { id } = await createEndpoint(owner, { url: await muteAddress(), events: ['role.created'], variant: 'B' })

    await cause(owner)
    await patientInOne().deliverDueWebhooks()

    const error = 'No response within 500 ms'
    expect(await deliveryOf(owner, id)).toMatchObject({ status: 'pending', attempts: [{ status: null, error, response: null }] })
  })

  it.each([
    ['-5', 60],
    ['0', 60],
    ['soon', 60],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 60],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 86_400],
    ['99999999999999999999999', 86_400],
  ])('that asks with 429 to wait for "%s" is asked again after %d seconds', async (retryAfter, seconds) => {
    const { owner } = await service().given.organisation()
    const hook = receiver.hook()
    hook.answer = () => ({ status: 429, headers: { 'retry-after': retryAfter } })
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'] })

    await cause(owner)
    await service().deliverDueWebhooks()

    const { nextAttemptAt, attempts } = await deliveryOf(owner, id)
    expect((Date.parse(nextAttemptAt) - Date.parse(attempts[0].at) - attempts[0].durationMs) / 1_000).toBe(seconds)
  })
})

/** An address where connections are taken, as in a network that swallows what comes after. */
async function muteAddress(): Promise<string> {
  const sockets: Socket[] = []
  const server = createServer((socket) => sockets.push(socket))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `https://localhost:${(server.address() as AddressInfo).port}/`
}
