import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { useService } from '../support/service.ts'

// The other clients are of this thread, too: while it opens hundreds of connections on a busy machine, what they sent waits to be read.
const timeouts = { headersMilliseconds: 6_000, requestMilliseconds: 8_000, checkMilliseconds: 50 }
const service = useService({ readTimeouts: timeouts })

const stalledMilliseconds = 500
const impatient = useService({ readTimeouts: { stalledMilliseconds } })

const document = 'GET /openapi.json HTTP/1.1\r\nHost: gatehouse.test\r\n\r\n'
const answersOf = (path: string) => service().logLines.filter((line) => JSON.parse(line).path === path).length

interface Connection {
  socket: Socket
  /** What was received, once the connection has ended. */
  ended: Promise<string>
}

/** Opens connections, each of which sends a text at once. */
function open(count: number, text = ''): Promise<Connection[]> {
  const { port } = new URL(service().origin)
  const opening = Array.from({ length: count }, async () => {
    const socket = connect(Number(port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    let received = ''
    socket.on('data', (chunk) => (received += chunk.toString('latin1')))
    socket.on('error', () => {})
    const ended = new Promise<string>((resolve) => {
      socket.once('end', () => resolve(received))
      socket.once('close', () => resolve(received))
    })
    await new Promise((resolve) => socket.once('connect', resolve))
    socket.write(text)
    return { socket, ended }
  })
  return Promise.all(opening)
}

/** Another client is served, also on a new connection. */
async function expectServed(): Promise<void> {
  for (let number = 0; number < 5; number++) {
    const response = await fetch(`${service().origin}/readyz`, { headers: { connection: 'close' } })
    expect(response.status).toBe(200)
  }
}

describe('hundreds of clients that send nothing, or very slowly', () => {
  it('are refused with 408, while others are served', async () => {
    const silent = await open(300)
    const slow = await open(100, 'GET /healthz HTTP/1.1\r\nHost: gatehouse.test\r\nX: ')
    const drip = setInterval(() => {
      for (const { socket } of slow) if (socket.writable) socket.write('x')
    }, 100)
    onTestFinished(() => clearInterval(drip))
    await expectServed()
    const received = await Promise.all([...silent, ...slow].map(({ ended }) => ended))
    expect(new Set(received.map((text) => text.slice(0, 12)))).toEqual(new Set(['HTTP/1.1 408']))
    await expectServed()
  })
})

describe('a client that sends several requests before it reads a response', () => {
  it('is answered in their order', async () => {
    const paths = ['/healthz', '/openapi.json', '/v1/me/profile', '/readyz']
    const [connection] = await open(1, paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: gatehouse.test\r\n\r\n`).join(''))
    const last = 'GET /v1/unknown HTTP/1.1\r\nHost: gatehouse.test\r\nConnection: close\r\n\r\n'
    connection?.socket.write(last)
    const statuses = [...((await connection?.ended) ?? '').matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
    expect(statuses).toEqual(['200', '200', '401', '200', '404'])
  })

  it('is cut off when there are more than a few, whose responses would fill the memory', async () => {
    const before = answersOf('/openapi.json')
    const connections = await open(20, document.repeat(1_000))
    for (const { socket } of connections) socket.pause()
    for (const { socket, ended } of connections) {
      socket.resume()
      await ended
    }
    await service().settled()
    expect(answersOf('/openapi.json') - before).toBeLessThanOrEqual(connections.length)
    await expectServed()
  })
})

describe('a client that does not read its responses', () => {
  it('is answered no further, and cut off when nothing has moved for a while', async () => {
    // The first response is made when it is asked for, which may take longer than a client may stall.
    let length = 0
    const read = async () => {
      const { headers } = await fetch(`${impatient().origin}/openapi.json`)
      length = Number(headers.get('content-length'))
      return length
    }
    await expect.poll(read).toBeGreaterThan(0)
    const { port } = new URL(impatient().origin)
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.pause()
    const count = 30
    socket.write(document.repeat(count))
    // A paused client does not notice its end: if it had none, everything would arrive now.
    await pause(4 * stalledMilliseconds)
    let received = 0
    socket.on('data', (chunk) => (received += chunk.length))
    socket.resume()
    await closed
    expect(received).toBeLessThan(count * length)
  })
})
