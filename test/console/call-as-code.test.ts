import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import createClient from 'openapi-fetch'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asFetch, asOpenapiFetch, type CalledOperation } from '../../console/src/shell/call-as-code.ts'

interface Arrived {
  method: string | undefined
  path: string | undefined
  body: string
  key: string | undefined
}

const arrived: Arrived[] = []
/** Takes any request, and responds as the service does: without a body to what deletes. */
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { method, url: path, headers } = request
    arrived.push({ method, path, body: Buffer.concat(chunks).toString(), key: headers.authorization })
    if (method === 'DELETE') response.writeHead(204).end()
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"one"}')
  })
})

let origin = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => (...values: unknown[]) => Promise<unknown>
/** Runs a snippet as it is shown, and returns what it makes of the response. */
const run = (code: string, result: string) =>
  new AsyncFunction('process', 'createClient', `${code.replace('<paths>', '')}\nreturn ${result}`)(
    { env: { GATEHOUSE_API_KEY: 'ak_test' } },
    createClient,
  )

const audit: CalledOperation = { template: '/v1/admin/audit-logs', query: { action: 'list', limit: 'number' } }
const role: CalledOperation = { template: '/v1/admin/roles/{id}', query: {} }
const calls = [
  ['a filter that is repeated', 'GET', '/v1/admin/audit-logs?action=role.created&action=role.deleted&limit=5', undefined, audit],
  ['a filter that is given once', 'GET', '/v1/admin/audit-logs?action=role.created', undefined, audit],
  ['a search with an apostrophe', 'GET', "/v1/admin/users?q=it's&limit=10", undefined, { ...audit, template: '/v1/admin/users' }],
  ['a change', 'PATCH', '/v1/admin/roles/rol_1', { name: 'It\'s "one": two', permissionIds: ['users:read'] }, role],
  ['a deletion', 'DELETE', '/v1/admin/roles/rol_1', undefined, role],
  ['an id that is encoded', 'GET', '/v1/admin/roles/a%2Fb%20c', undefined, role],
] as const

describe('a call as code', () => {
  it.each(calls)('does the same again as it is shown: %s', async (_what, method, path, requestBody, operation) => {
    const status = method === 'DELETE' ? 204 : 200
    const call = { method, path, requestBody, status }
    const expected = {
      method,
      path: path.replace("'", '%27'),
      body: requestBody === undefined ? '' : JSON.stringify(requestBody),
      key: 'Bearer ak_test',
    }
    const answer = status === 204 ? undefined : { id: 'one' }
    arrived.length = 0
    expect(await run(asFetch(call, origin), status === 204 ? 'undefined' : 'answer')).toEqual(answer)
    expect(await run(asOpenapiFetch(call, origin, operation), status === 204 ? 'error' : 'data')).toEqual(answer)
    expect(arrived.map((one) => ({ ...one, path: one.path?.replace("'", '%27') }))).toEqual([expected, expected])
  })

  it('has each parameter of the query in the type that the description gives it', () => {
    const call = { method: 'GET', path: '/v1/admin/audit-logs?action=role.created&limit=5&q=12', requestBody: undefined, status: 200 }
    const code = asOpenapiFetch(call, origin, audit)
    expect(code).toContain('limit: 5,')
    expect(code).toContain('q: "12"')
    expect(code.replaceAll(/\s+/g, '')).toContain('action:["role.created"]')
  })
})
