import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { createClient } from '@gatehouse-iam/client'
import { type Gatehouse, type ReceivedWebhook, startGatehouse } from '@gatehouse-iam/testing'
import { createApp } from './app.ts'

let gatehouse: Gatehouse
let received: ReceivedWebhook
let address: string
const greeted: string[] = []
let isMailServerAway = true
function greet(email: string): void {
  if (isMailServerAway) throw new Error('The mail server is away')
  greeted.push(email)
}
const server = createServer()

before(async () => {
  gatehouse = await startGatehouse()
  const acme = await gatehouse.organisation({ webhooks: ['user.created'] })
  const { cookie } = await gatehouse.session(acme.owner)
  const client = createClient({ url: gatehouse.url, cookie: `${cookie.name}=${cookie.value}` })
  const { data: webhooks } = await client.webhooks.list().page()
  const id = webhooks[0]?.id ?? ''
  await client.webhooks.update(id, { standardSignature: true })
  const { secret } = await client.webhooks.rotateSecret(id)
  await client.users.create({ email: 'anna@acme.test', firstName: 'Anna', lastName: 'Example' })
  received = await gatehouse.webhooks.received('user.created', { organisation: acme })

  server.on('request', createApp({ secrets: [secret, 'the former secret'], greet, clock: gatehouse.clock.now }))
  server.listen(0)
  await once(server, 'listening')
  address = `http://localhost:${(server.address() as AddressInfo).port}/webhooks`
})
after(async () => {
  server.close()
  await gatehouse?.stop()
})

async function send({ headers, body }: Pick<ReceivedWebhook, 'headers' | 'body'>): Promise<number> {
  const signed = Object.entries(headers).filter(([name]) => /^(?:content-type|webhook-|x-)/.test(name))
  return (await fetch(address, { method: 'POST', headers: Object.fromEntries(signed), body })).status
}

test('a new user is greeted when the event arrives again, where that has failed, and once however often it arrives', async () => {
  assert.equal(await send(received), 500)
  isMailServerAway = false
  assert.deepEqual([await send(received), await send(received)], [204, 204])
  assert.deepEqual(greeted, ['anna@acme.test'])
})

test('what was changed, bears no signature, or is old, is refused', async () => {
  assert.equal(await send({ ...received, body: received.body.replace('anna@', 'eve@') }), 401)
  assert.equal(await send({ headers: { 'content-type': 'application/json' }, body: received.body }), 401)
  const untimed = Object.entries(received.headers).filter(([name]) => !name.startsWith('webhook-'))
  assert.equal(await send({ headers: Object.fromEntries(untimed), body: received.body }), 401)
  await gatehouse.clock.advance({ minutes: 6 })
  assert.equal(await send(received), 401)
  assert.deepEqual(greeted, ['anna@acme.test'])
})
