import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, type TestContext } from 'vitest'
import { freshEngine } from '../support/database.ts'
import { SignedInUser } from '../support/given.ts'
import type { HttpClient } from '../support/http-client.ts'
import { useReceiver } from '../support/receiver.ts'
import { startTestService } from '../support/service.ts'
import { processHome, ServiceProcess } from '../support/service-process.ts'
import { createEndpoint } from '../support/webhooks.ts'

const receiver = await useReceiver()
const account = { email: 'owner@acme.test', password: 'correct horse battery' }

/** Starts processes one after another on one database, with a signed-in owner that each of them knows. */
async function successiveProcesses({ onTestFinished }: TestContext, environment: Record<string, string>) {
  const home = await processHome()
  onTestFinished(() => home.remove())
  const ca = join(home.folder, 'ca.pem')
  await writeFile(ca, receiver.ca)
  let owner: SignedInUser | undefined
  return async () => {
    const service = await ServiceProcess.start({
      ...home.environment,
      BOOTSTRAP_OWNER_PASSWORD: account.password,
      WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true',
      NODE_EXTRA_CA_CERTS: ca,
      LOG_LEVEL: 'error',
      ...environment,
    })
    onTestFinished(() => service.end('SIGKILL').then(() => {}))
    await service.ready()
    owner ??= new SignedInUser(service.origin, await service.anonymous.post('/v1/auth/login', account), account)
    return { service, admin: service.anonymous.with(owner.headers) }
  }
}

const createRole = async (admin: HttpClient, slug: string) =>
  expect(await admin.post('/v1/admin/roles', { name: slug, slug })).toMatchObject({ status: 201 })
const deliveriesOf = async (admin: HttpClient, id: string) => (await admin.get(`/v1/admin/webhooks/${id}/deliveries`)).body.data

/** A claim that is not released would block its delivery for an hour. */
const longLease = { WEBHOOK_LEASE_SECONDS: '3600' }

// They mostly wait.
describe.concurrent('a process that is asked to stop', () => {
  it('records the attempts that finish, and releases the deliveries of the others', async (test) => {
    const start = await successiveProcesses(test, longLease)
    const first = await start()
    const [slow, silent] = [receiver.hook(), receiver.hook()]
    const ids = await Promise.all(
      [slow, silent].map(async ({ url }) => (await createEndpoint(first.admin, { url, events: ['role.created'] })).id),
    )
    for (let n = 0; n < 12; n++) await createRole(first.admin, `role-${n}`)
    await Promise.all([slow.request(12), silent.request(12)])
    const answers: (() => void)[] = []
    slow.answer = () => new Promise((resolve) => answers.push(() => resolve({ status: 200 })))
    silent.answer = () => new Promise(() => {})
    // All at once, so that none times out before the stop, and more than there are slots.
    for (const id of ids) {
      await finishedDeliveries(first.admin, id)
      const range = { from: new Date(0).toISOString(), status: 'delivered' }
      expect(await first.admin.post(`/v1/admin/webhooks/${id}/replay`, range)).toMatchObject({ status: 202, body: { replayed: 12 } })
    }
    await Promise.all([slow.request(22), silent.request(22)])

    const ended = first.service.end('SIGTERM')
    // It is stopping when it refuses connections.
    await first.service.refusesConnections()
    for (const answer of answers) answer()
    expect(await ended).toBe(0)
    expect(first.service.output).not.toContain('by force')

    slow.answer = silent.answer = () => ({ status: 200 })
    const { admin } = await start()
    await Promise.all([slow.request(24), silent.request(34)])
    for (const id of ids) {
      const deliveries = await finishedDeliveries(admin, id)
      expect(deliveries).toHaveLength(24)
      // An attempt that the stop aborted does not count.
      for (const delivery of deliveries) expect(delivery).toMatchObject({ status: 'delivered', attemptCount: 1 })
    }
    expect([slow.requests.length, silent.requests.length]).toEqual([24, 34])
  })

  it('releases its deliveries even if a client never finishes a request', async (test) => {
    const start = await successiveProcesses(test, longLease)
    const first = await start()
    const hook = receiver.hook()
    hook.answer = () => new Promise(() => {})
    await createEndpoint(first.admin, { url: hook.url, events: ['role.created'], variant: 'A' })
    await createRole(first.admin, 'auditor')
    await hook.request()
    await beginRequest(test, first.service.origin)

    expect(await first.service.end('SIGTERM')).toBe(0)

    hook.answer = () => ({ status: 200 })
    await start()
    await hook.request(2)
  })
})

describe.concurrent('a process that is killed', () => {
  it('leaves its deliveries to the next process when the lease ends, with the same ids and bytes', async (test) => {
    const start = await successiveProcesses(test, { WEBHOOK_LEASE_SECONDS: '2' })
    const first = await start()
    const hook = receiver.hook()
    hook.answer = () => new Promise(() => {})
    const endpoint = { url: hook.url, events: ['role.created'] }
    const ids = await Promise.all([1, 2, 3].map(async () => (await createEndpoint(first.admin, endpoint)).id))
    await createRole(first.admin, 'auditor')
    await hook.request(3)
    await first.service.end('SIGKILL')
    const before = hook.requests.length

    hook.answer = () => ({ status: 200 })
    const { admin } = await start()
    for (const id of ids) expect(await finishedDeliveries(admin, id)).toMatchObject([{ status: 'delivered', attemptCount: 1 }])
    // On a slow machine an attempt may outlast this short lease and be made again.
    const sent = hook.requests.map(({ headers, body }) => `${headers['x-svc-delivery']} ${body}`)
    expect(new Set(sent).size).toBe(3)
    expect(new Set(sent.slice(before))).toEqual(new Set(sent))
  })

  it('before it could deactivate a failing endpoint leaves that to the next process', async ({ onTestFinished }) => {
    const engine = await freshEngine()
    onTestFinished(() => engine.close())
    const secretKey = randomBytes(32)
    const startOne = () => startTestService({ engine: { ...engine, close: async () => {} }, secretKey })
    const first = await startOne()
    const { id: organisationId, owner, slug } = await first.given.organisation()
    const { id } = await createEndpoint(owner, { url: 'https://example.com/', events: ['role.created'] })
    // The state after the tenth failure in a row.
    await first.database.tenant(organisationId).updateTable('webhookEndpoints').set({ failureCount: 10 }).execute()
    await first.stop()

    const second = await startOne()
    onTestFinished(() => second.stop())
    expect((await second.mailbox.mailTo(`it@${slug}.test`, 'switched off')).text).toContain(id)
    const admin = second.anonymous.with(owner.headers)
    expect((await admin.get(`/v1/admin/webhooks/${id}`)).body).toMatchObject({ isActive: false, failureCount: 10 })
    expect(await admin.audit({ action: 'webhook.deactivated' })).toMatchObject([{ targetId: id }])
  })
})

/** The deliveries to an endpoint when none is pending. */
async function finishedDeliveries(admin: HttpClient, id: string) {
  for (;;) {
    const deliveries = await deliveriesOf(admin, id)
    if (deliveries.every(({ status }: { status: string }) => status !== 'pending')) return deliveries
    // The process that is asked has the deliveries to make.
    await pause(50)
  }
}

/** Sends an incomplete request, so that the service waits for the rest. */
async function beginRequest({ onTestFinished }: TestContext, origin: string): Promise<void> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  await new Promise<void>((resolve) => {
    socket.write(
      `POST /v1/auth/login HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n`,
    )
    // Node sends 100 Continue when it handles the request.
    socket.once('data', () => resolve())
  })
}
