import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { useService } from '../support/service.ts'

const service = useService()

const paths = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server', '/oauth2/jwks.json']

/** The raw response without the parts that differ each time. */
async function received(method: string, path: string, headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(service().origin)
  const socket = connect(Number(port), hostname)
  const sent = Object.entries({ host: 'gatehouse.test', connection: 'close', ...headers })
  socket.write(`${method} ${path} HTTP/1.1\r\n${sent.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`)
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  const [head = '', body] = Buffer.concat(chunks).toString().split('\r\n\r\n')
  const lines = head.split('\r\n')
  const requestId = lines.find((line) => line.startsWith('x-request-id: '))
  return { head: lines.filter((line) => line !== requestId && !line.startsWith('Date: ')).sort(), body, requestId }
}

const metrics = async () => (await fetch(`${service().origin}/metrics`)).text()

const countOf = (metrics: string, path: string) =>
  Number(new RegExp(`http_request_duration_seconds_count\\{method="GET",route="${path}",status="200"\\} (\\d+)`).exec(metrics)?.[1] ?? 0)

describe('a document that is requested again', () => {
  it.each(paths)('has the same headers and body, with its own request id: %s', async (path) => {
    // With a query, the request does not count as a repeated one.
    const first = await received('GET', `${path}?first`)
    const again = [await received('GET', path), await received('GET', path), await received('GET', path)]

    expect(first.head).toContain('HTTP/1.1 200 OK')
    expect(first.head).toContain('access-control-allow-origin: *')
    for (const { head, body } of again) expect({ head, body }).toEqual({ head: first.head, body: first.body })
    expect(new Set([first, ...again].map(({ requestId }) => requestId)).size).toBe(4)
  })

  it.each(paths)('is measured and logged each time: %s', async (path) => {
    const before = countOf(await metrics(), path)
    service().logLines.length = 0
    const asked = [await received('GET', path), await received('GET', path), await received('GET', path)]

    expect(countOf(await metrics(), path) - before).toBe(3)
    const lines = service()
      .logLines.map((line) => JSON.parse(line))
      .filter((line) => line.path === path)
    expect(lines).toHaveLength(3)
    expect(lines.map(({ reqId }) => `x-request-id: ${reqId}`)).toEqual(asked.map(({ requestId }) => requestId))
    for (const line of lines)
      expect(line).toMatchObject({ msg: 'request completed', method: 'GET', status: 200, milliseconds: expect.any(Number) })
  })

  it('still honours If-None-Match and HEAD, and is refused by other methods', async () => {
    const [path = ''] = paths
    await received('GET', path)
    const { head } = await received('GET', path)
    const etag = head.find((line) => line.startsWith('etag: '))?.slice('etag: '.length) ?? ''

    expect(await received('GET', path, { 'if-none-match': etag })).toMatchObject({
      head: expect.arrayContaining(['HTTP/1.1 304 Not Modified']),
    })
    expect(await received('HEAD', path)).toMatchObject({ head: expect.arrayContaining(['HTTP/1.1 200 OK']), body: '' })
    expect(await received('DELETE', path)).toMatchObject({ head: expect.arrayContaining(['HTTP/1.1 405 Method Not Allowed']) })
    const foreign = await received('GET', path, { origin: 'https://app.test' })
    expect(foreign.head).toEqual(expect.arrayContaining(['HTTP/1.1 200 OK', 'access-control-allow-origin: *']))
  })
})
