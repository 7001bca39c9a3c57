import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { type Gatehouse, type Organisation, startGatehouse } from '@gatehouse-iam/testing'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { createApp } from './app.ts'

let gatehouse: Gatehouse
let acme: Organisation
let identifier: string
const server = createServer()
const scopes = ['notes:read', 'notes:write']

before(async () => {
  gatehouse = await startGatehouse({ env: { OAUTH_EXTENSIONS: 'resource_indicators' } })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  identifier = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  server.on('request', createApp({ issuer: gatehouse.url, audience: identifier, clock: gatehouse.clock.now }))
  acme = await gatehouse.organisation({
    users: [{ email: 'anna' }],
    resourceServers: { notes: { name: 'Notes', identifier, scopes: scopes.map((name) => ({ name })) } },
    clients: [{ key: 'agent', redirectUris: ['http://127.0.0.1/callback'], scopes: ['openid', ...scopes], resourceServers: ['notes'] }],
  })
})
after(async () => {
  server.close()
  await gatehouse?.stop()
})

/** An agent of a user, with a token for these scopes. */
async function agentWith(scope: string): Promise<Client> {
  const asked = { scope, parameters: { resource: identifier } }
  const { access_token } = await gatehouse.tokens(acme.user('anna'), acme.client('agent'), asked)
  const agent = new Client({ name: 'Agent', version: '1.0.0' })
  const requestInit = { headers: { authorization: `Bearer ${access_token}` } }
  await agent.connect(new StreamableHTTPClientTransport(new URL(identifier), { requestInit }))
  return agent
}

test('an agent reads and writes with the scopes for it, and only reads with one', async () => {
  const agent = await agentWith('notes:read notes:write')
  await agent.callTool({ name: 'add_note', arguments: { text: 'Water the plants' } })
  assert.deepEqual((await agent.callTool({ name: 'list_notes', arguments: {} })).content, [{ type: 'text', text: 'Water the plants' }])

  const reader = await agentWith('notes:read')
  assert.deepEqual((await reader.callTool({ name: 'list_notes', arguments: {} })).content, [{ type: 'text', text: 'Water the plants' }])
  await assert.rejects(reader.callTool({ name: 'add_note', arguments: { text: 'Let the plants dry' } }), /insufficient_scope|403/)
})

test('without a token an agent is told where to begin', async () => {
  const response = await fetch(identifier, { method: 'POST' })
  assert.equal(response.status, 401)
  const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(response.headers.get('www-authenticate') ?? '') ?? []
  const { authorization_servers } = (await (await fetch(metadata)).json()) as { authorization_servers: string[] }
  assert.deepEqual(authorization_servers, [gatehouse.url])
})
