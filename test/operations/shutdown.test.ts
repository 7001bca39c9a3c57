import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isDatabaseGone } from '../../src/platform/database/outage.ts'
import { startTestService } from '../support/service.ts'
import { processHome, ServiceProcess } from '../support/service-process.ts'

describe('SIGTERM', () => {
  it('lets running requests finish, closes every connection, and exits with 0, not by force', async () => {
    const home = await processHome()
    onTestFinished(() => home.remove())
    const service = await ServiceProcess.start(home.environment)
    onTestFinished(() => service.end('SIGKILL').then(() => {}))
    const { origin } = await service.ready()
    // A browser's idle connection must not delay it.
    expect((await fetch(`${origin}/healthz`)).status).toBe(200)
    const underWay = Array.from({ length: 5 }, (_, number) =>
      fetch(`${origin}/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: `nobody-${number}@example.test`, password: 'wrong password' }),
      }),
    )
    // After the first response, the others are being handled.
    await Promise.race(underWay)

    expect(await service.end('SIGTERM')).toBe(0)
    expect(service.output).not.toContain('by force')
    expect((await Promise.all(underWay)).map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
    await expect(fetch(`${origin}/healthz`)).rejects.toThrow()
  })
})

describe('SIGHUP', () => {
  it('does not end a process that is alone, and says how to replace it', async () => {
    const home = await processHome()
    onTestFinished(() => home.remove())
    const service = await ServiceProcess.start(home.environment)
    onTestFinished(() => service.end('SIGKILL').then(() => {}))
    const { origin } = await service.ready()

    service.child.kill('SIGHUP')

    await service.printed(/SIGHUP replaces the processes of WORKERS, and this one is alone: restart it to change it/)
    expect((await fetch(`${origin}/healthz`)).status).toBe(200)
    expect(await service.end('SIGTERM')).toBe(0)
  })
})

describe('a stop', () => {
  it('leaves no database to a request that outlives it, since its client has gone: that is no error of the service', async () => {
    const service = await startTestService()
    const { id } = await service.given.organisation()
    await service.stop()

    const reading = service.database.tenant(id).selectFrom('users').select('id').execute()
    expect(isDatabaseGone(await reading.catch((error) => error))).toBe(true)
  })

  it('serves a request that still arrives on an open connection, and closes it', async () => {
    const service = await startTestService()
    const socket = connect(Number(new URL(service.origin).port), '127.0.0.1')
    let received = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text
    })
    // Half a request after a complete one: after the response to that, the connection is in use again.
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /v1/me/profile HTTP/1.1\r\n')
    await expect.poll(() => received).toContain('200 OK')

    received = ''
    const stopped = service.stop()
    await expect.poll(() => fetch(service.origin).catch(() => 'refused')).toBe('refused')
    const ended = once(socket, 'close')
    socket.write('Host: x\r\n\r\n')
    await Promise.all([ended, stopped])

    expect(received).toMatch(/^HTTP\/1.1 401 /)
    expect(received).toMatch(/\r\ncontent-type: application\/problem\+json/i)
    expect(received).toMatch(/\r\nconnection: close\r\n/i)
  })

  it('answers each request of connections that are busy, and ends them with a response', async () => {
    const service = await startTestService()
    const connections = Array.from({ length: 20 }, () => busyConnection(Number(new URL(service.origin).port)))
    await Promise.all(connections.map(({ answered }) => answered))

    const stopped = service.stop()

    expect(await Promise.all(connections.map(({ ended }) => ended))).toEqual(connections.map(() => 'after a response that says so'))
    await stopped
  })
})

/** A connection on which each response is followed by the next request, until a response says that it is the last one. */
function busyConnection(port: number): { answered: Promise<unknown>; ended: Promise<string> } {
  const socket = connect(port, '127.0.0.1')
  const request = () => socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  let [received, isLast] = ['', false]
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
    const [head = '', body] = received.split('\r\n\r\n')
    if (body === undefined || body.length < Number(/^content-length: (\d+)$/im.exec(head)?.[1])) return
    received = ''
    isLast = /^connection: close$/im.test(head)
    if (!isLast) request()
  })
  request()
  const ended = new Promise<string>((resolve) => {
    socket.on('error', () => {})
    socket.on('close', () => resolve(isLast ? 'after a response that says so' : 'while a request was under way'))
  })
  return { answered: once(socket, 'data'), ended }
}
