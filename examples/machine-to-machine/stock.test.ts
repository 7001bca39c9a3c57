import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { type Gatehouse, type Organisation, startGatehouse } from '@gatehouse-iam/testing'
import { createApi } from './api.ts'
import { createCaller } from './caller.ts'

let gatehouse: Gatehouse
let acme: Organisation
let apiUrl: string
const server = createServer()
/** How often the API was asked. */
let calls = 0

before(async () => {
  gatehouse = await startGatehouse()
  acme = await gatehouse.organisation({
    clients: [{ key: 'shop', grantTypes: ['client_credentials'], scopes: ['stock:read'] }],
  })
  server.on('request', () => calls++)
  server.on('request', createApi({ gatehouseUrl: gatehouse.url, audience: acme.client('shop').id, clock: gatehouse.clock.now }))
  server.listen(0)
  await once(server, 'listening')
  apiUrl = `http://localhost:${(server.address() as AddressInfo).port}`
})
after(async () => {
  server.close()
  await gatehouse?.stop()
})

const caller = () => {
  const { id: clientId, secret } = acme.client('shop')
  return createCaller({ gatehouseUrl: gatehouse.url, clientId, clientSecret: secret ?? '', apiUrl, clock: gatehouse.clock.now })
}

test('the API refuses a request without a token, and takes one of its client', async () => {
  assert.equal((await fetch(`${apiUrl}/stock`)).status, 401)
  assert.deepEqual(await caller().stock(), { organisation: acme.id, screws: 1_200 })
})

test('a token is used until it ends, and then another one', async () => {
  const shop = caller()
  await shop.stock()
  // To ask for a second token would fail now.
  await gatehouse.fail({ path: '/oauth2/token', status: 503 })
  await shop.stock()
  await gatehouse.clock.advance({ hours: 2 })
  await assert.rejects(shop.stock())
  await shop.stock()
})

test('a token that the API refuses is replaced once', async () => {
  const shop = caller()
  await gatehouse.bend({ token: 'access', audience: 'https://other.test' })
  calls = 0
  assert.equal((await shop.stock()).screws, 1_200)
  assert.equal(calls, 2)
})
