import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { defaultReadTimeouts } from '../../src/platform/http/unreadable-requests.ts'
import { unique } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService({ readTimeouts: { headersMilliseconds: 300, requestMilliseconds: 600, checkMilliseconds: 50 } })

interface RawAnswer {
  status: number
  headers: Record<string, string>
  body: Record<string, unknown>
  /** Milliseconds until the service closed the connection. */
  closedAfter: number
}

/** Sends text as it is, and reads until the service closes the connection. */
async function exchange(...parts: string[]): Promise<RawAnswer> {
  const { port } = new URL(service().origin)
  const started = performance.now()
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => {})
  for (const part of parts) socket.write(part)
  const text = await readAll(socket)
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(lines.map((line) => line.split(': ') as [string, string])),
    body: JSON.parse(body),
    closedAfter: performance.now() - started,
  }
}

async function readAll(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket) text += chunk
  return text
}

const problem = (slug: string, status: number, code: string) => ({
  status,
  headers: {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[\w-]{36}$/),
    connection: 'close',
  },
  body: {
    type: `https://gatehouse.test/problems/${slug}`,
    title: expect.any(String),
    status,
    detail: expect.any(String),
    instance: expect.stringMatching(/^\//),
    code,
  },
})
const inTime = problem('request-timeout', 408, 'request-timeout')

describe('a request that does not arrive', () => {
  it('has 30 seconds, and 15 for its headers', () => {
    expect(defaultReadTimeouts).toMatchObject({ headersMilliseconds: 15_000, requestMilliseconds: 30_000 })
  })

  it('is 408 when its headers take too long, and its connection is closed', async () => {
    const answer = await exchange('GET /v1/me/profile HTTP/1.1\r\nHost: gatehouse.test\r\n')
    expect(answer).toMatchObject(inTime)
    expect(answer.closedAfter).toBeGreaterThan(250)
  })

  it('is 408 when its body takes too long, names its address, and changes nothing', async () => {
    const { owner } = await service().given.organisation()
    const body = JSON.stringify({ email: `${unique()}@example.test`, firstName: 'Slow', lastName: 'Lane' })
    const headers = Object.entries({ ...owner.headers, 'Content-Type': 'application/json', 'Content-Length': String(body.length) })
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const before = (await owner.get('/v1/admin/users')).body.total
    const answer = await exchange(`POST /v1/admin/users?x=1 HTTP/1.1\r\nHost: gatehouse.test\r\n${lines}\r\n`, body.slice(0, -1))
    expect(answer).toMatchObject({ ...inTime, body: { ...inTime.body, instance: '/v1/admin/users' } })
    expect(answer.closedAfter).toBeGreaterThan(550)
    expect((await owner.get('/v1/admin/users')).body.total).toBe(before)
  })

  it('is closed also when the body arrives byte by byte', async () => {
    const { port } = new URL(service().origin)
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write('POST /v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n')
    const drip = setInterval(() => socket.write(' '), 50)
    // A byte sent after the response meets a closed connection.
    socket.once('data', () => clearInterval(drip))
    const text = await readAll(socket)
    expect(text).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/)
  })

  it('logs neither an error nor a warning', async () => {
    const linesOfStart = service().logLines.length
    const length = 'Host: a\r\nContent-Length: 9\r\n'
    await exchange(`POST /v1/auth/login HTTP/1.1\r\n${length}Content-Type: application/json\r\n\r\n{`)
    for (const path of ['/login', '/oauth2/token'])
      await exchange(`POST ${path} HTTP/1.1\r\n${length}Content-Type: application/x-www-form-urlencoded\r\n\r\na`)
    await service().settled()
    const loud = service()
      .logLines.slice(linesOfStart)
      .filter((line) => JSON.parse(line).level >= 40)
    expect(loud).toEqual([])
  })

  it('does not affect keep-alive connections between requests', async () => {
    const { port } = new URL(service().origin)
    const socket = connect(Number(port), '127.0.0.1')
    const ask = 'GET /healthz HTTP/1.1\r\nHost: gatehouse.test\r\n\r\n'
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.write(ask)
    await pause(900)
    socket.write(ask)
    await pause(150)
    socket.destroy()
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
  })
})

describe('a request that cannot be read', () => {
  it('is 431 when its headers are too large, also while more of them are sent', async () => {
    const cookie = `Cookie: a=${'x'.repeat(20_000)}\r\n`
    const answer = await exchange('GET /v1/me/profile HTTP/1.1\r\nHost: gatehouse.test\r\n', cookie, cookie.repeat(20), '\r\n')
    expect(answer).toMatchObject(problem('request-header-fields-too-large', 431, 'headers-too-large'))
  })

  it.each([
    ['is no HTTP', 'hello\r\n\r\n'],
    ['has a header that is none', 'GET /v1/me/profile HTTP/1.1\r\nHost: a\r\nno header\r\n\r\n'],
    ['has two lengths', 'POST /v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['has a NUL in a header', 'GET /v1/me/profile HTTP/1.1\r\nHost: a\r\nUser-Agent: a\0b\r\n\r\n'],
    ['does not name a host', 'GET /v1/me/profile HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ])('is 400 when it %s', async (_, text) => {
    expect(await exchange(text)).toMatchObject(problem('bad-request', 400, 'malformed-request'))
  })

  it('is 400 when its address cannot be decoded', async () => {
    const { status, body, headers } = await service().anonymous.get('/v1/admin/users/%ff?x=1')
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'malformed-request', instance: '/v1/admin/users/%ff' } })
    expect(Object.fromEntries(headers)).toMatchObject({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' })
  })

  it('names the address that it was sent to, as far as it can be read', async () => {
    const headers = 'Host: a\r\nno header\r\n\r\n'
    expect((await exchange(`GET /v1/me/profile?token=x HTTP/1.1\r\n${headers}`)).body.instance).toBe('/v1/me/profile')
    expect((await exchange('hello\r\n\r\n')).body.instance).toBe('/')
  })

  it('gets a normal response when it only has an unusual Expect header', async () => {
    const answer = await exchange('GET /v1/me/profile HTTP/1.1\r\nHost: a\r\nExpect: the best\r\nConnection: close\r\n\r\n')
    expect(answer).toMatchObject({ status: 401, body: { code: 'authentication-required' } })
  })

  it('is answered as one by its path when it names scheme and host, too', async () => {
    const send = (method: string, path: string) =>
      exchange(`${method} http://gatehouse.test${path} HTTP/1.1\r\nHost: gatehouse.test\r\nConnection: close\r\n\r\n`)
    expect(await send('GET', '/v1/me/profile?x=1')).toMatchObject({ status: 401, body: { instance: '/v1/me/profile' } })
    expect(await send('PUT', '/v1/me/profile')).toMatchObject({ status: 405, headers: { allow: 'GET, PATCH' } })
    expect(await send('GET', '/v1/nothing')).toMatchObject({ status: 404, body: { instance: '/v1/nothing' } })
  })

  it('is 404 like any unknown id when the id in its address is very long', async () => {
    const { owner } = await service().given.organisation()
    const unknown = (await owner.get('/v1/admin/users/usr_unknown')).body
    const { status, body } = await owner.get(`/v1/admin/users/${'x'.repeat(5_000)}`)
    expect({ status, ...body, instance: '' }).toEqual({ status: 404, ...unknown, instance: '' })
  })
})
