import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { securityHeaders } from '../../src/platform/http/security-headers.ts'
import { useService } from '../support/service.ts'

const service = useService()

/** The raw response: every header line as it was sent, and the body. */
async function received(request: string, headers: Record<string, string> = {}): Promise<{ status: number; lines: string[]; body: string }> {
  const { hostname, port } = new URL(service().origin)
  const socket = connect(Number(port), hostname)
  const sent = { host: 'gatehouse.test', connection: 'close', ...headers }
  socket.write(
    `${request} HTTP/1.1\r\n${Object.entries(sent)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`,
  )
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  const [head = '', ...rest] = Buffer.concat(chunks).toString().split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  return { status: Number(statusLine.split(' ')[1]), lines, body: rest.join('\r\n\r\n') }
}

const nameOf = (line: string) => line.slice(0, line.indexOf(':')).toLowerCase()
const valuesOf = (lines: readonly string[], name: string) =>
  lines.filter((line) => nameOf(line) === name).map((line) => line.slice(name.length + 2))

const block = { ...securityHeaders({ https: false }), 'cache-control': 'no-store' }

describe('every response has each header of the block once', () => {
  it.each([
    ['a document', 'GET /oauth2/jwks.json', {}, 200],
    ['its head alone', 'HEAD /oauth2/jwks.json', {}, 200],
    ['a refusal', 'GET /v1/admin/users', {}, 401],
    ['an address that there is not', 'GET /nothing', {}, 404],
    ['a page that there is not', 'GET /nothing', { accept: 'text/html' }, 404],
    ['another method', 'DELETE /oauth2/token', {}, 405],
    ['a page', 'GET /login', {}, 200],
    ['a stylesheet', 'GET /assets/icon.svg', {}, 200],
    ['a redirect', 'GET /account', {}, 303],
    ['a preflight request', 'OPTIONS /oauth2/token', { origin: 'https://app.test', 'access-control-request-method': 'POST' }, 204],
    ['an answer to a page of another origin', 'GET /oauth2/jwks.json', { origin: 'https://app.test' }, 200],
    ['what a framework refuses', 'GET /%zz', {}, 400],
    ['a list of metrics', 'GET /metrics', {}, 200],
  ])('%s', async (_, request, headers, status) => {
    const { lines, ...answer } = await received(request, headers)

    expect(answer.status).toBe(status)
    for (const name of Object.keys(block)) expect(valuesOf(lines, name), name).toHaveLength(1)
    expect(valuesOf(lines, 'x-request-id')).toEqual([expect.stringMatching(/^[\w-]{36}$/)])
    const names = lines.map(nameOf)
    expect(names).toEqual([...new Set(names)])
    // The body begins after the headers.
    if (request.startsWith('HEAD') || status === 204) expect(answer.body).toBe('')
    else expect(answer.body).not.toMatch(/^[\w-]+: /)
  })

  it('as the service sets it, except where a page overrides it', async () => {
    const document = await received('GET /oauth2/jwks.json')
    const page = await received('GET /login')

    for (const [name, value] of Object.entries(securityHeaders({ https: false }))) {
      expect(valuesOf(document.lines, name), name).toEqual([value])
    }
    expect(valuesOf(document.lines, 'cache-control')).toEqual(['public, max-age=300'])
    expect(valuesOf(page.lines, 'cache-control')).toEqual(['no-store'])
    expect(valuesOf(page.lines, 'content-security-policy')).toEqual([expect.stringContaining("style-src 'self'")])
  })

  it('also when it is written in pieces', async () => {
    const { owner, id } = await service().given.organisation()
    const tenant = service().database.tenant(id)
    const times = { createdAt: tenant.now, updatedAt: tenant.now }
    const teams = Array.from({ length: 600 }, (_, index) => ({ id: `tem_${index}`, name: 'Team', slug: `team-${index}`, ...times }))
    await tenant.insertInto('teams').values(teams).execute()

    const { lines, status } = await received('GET /v1/admin/teams', { cookie: owner.cookie, 'x-csrf-token': owner.csrfToken })

    expect(status).toBe(200)
    expect(valuesOf(lines, 'transfer-encoding')).toEqual(['chunked'])
    for (const name of Object.keys(block)) expect(valuesOf(lines, name), name).toHaveLength(1)
  })
})
