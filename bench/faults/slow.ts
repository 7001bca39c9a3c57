import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { allClosed, type Connection, describeEnds, Latencies, openConnections } from '../support/connections.ts'
import { connectionsTo, memoryOf } from '../support/process-status.ts'
import { startService } from '../support/started-service.ts'
import type { Fault } from './fault.ts'

const ofEachKind = 1_000
const requests = 200
const byteEveryMilliseconds = 1_000
/** Longer than the service waits for a client that makes no progress. */
const patienceMilliseconds = 300_000

/** Clients that send headers or bodies byte by byte, stop in the middle, or do not read what they asked for. */
export const slow: Fault = async () => {
  const service = await startService()
  const drips: NodeJS.Timeout[] = []
  try {
    const headers = await service.signIn()
    const ask = () =>
      fetch(`${service.origin}/v1/me/profile`, { headers }).then(async (response) => {
        await response.arrayBuffer()
        return response
      })
    const [before, during, after] = [new Latencies(), new Latencies(), new Latencies()]
    await new Latencies().measure(requests, ask)
    await before.measure(requests, ask)
    const memoryBefore = await memoryOf(service.pid)

    const open = (start: string, drip?: string) =>
      openConnections(service.origin, ofEachKind, (socket) => {
        socket.write(start)
        if (drip === undefined) return
        const timer = setInterval(() => socket.writable && socket.write(drip), byteEveryMilliseconds)
        socket.once('close', () => clearInterval(timer))
        drips.push(timer)
      })
    const post = 'POST /v1/auth/login HTTP/1.1\r\nHost: gatehouse.test\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{'
    const document = 'GET /openapi.json HTTP/1.1\r\nHost: gatehouse.test\r\n\r\n'
    const openedAt = performance.now()
    const read: Record<string, Connection[]> = {
      'headers byte by byte': await open('GET /healthz HTTP/1.1\r\nHost: gatehouse.test\r\nX: ', 'x'),
      'stopped within the headers': await open('GET /healthz HTTP/1.1\r\nHost: gatehouse.test\r\n'),
      'body byte by byte': await open(post, ' '),
      'stopped within the body': await open(post),
    }
    const unread = [
      await openConnections(service.origin, ofEachKind, (socket) => {
        socket.pause()
        socket.write(document.repeat(20))
      }),
      await openConnections(service.origin, ofEachKind, (socket) => {
        socket.pause()
        socket.write(document.repeat(1_000))
      }),
    ].flat()
    // The burst is over.
    await pause(3_000)
    const memoryDuring = await memoryOf(service.pid)
    await during.measure(requests, ask)
    const all = [...Object.values(read).flat(), ...unread]
    // A client that does not read does not notice that its connection was closed.
    while ((await connectionsTo(service.origin)) > 0 && performance.now() - openedAt < patienceMilliseconds) await pause(500)
    const closedAfterSeconds = (performance.now() - openedAt) / 1_000
    for (const { socket } of all) socket.resume()
    const areClosed = await allClosed(all, 60_000)
    await after.measure(requests, ask)
    const memoryAfter = await memoryOf(service.pid)
    return {
      holds: areClosed && [before, during, after].every(({ isSound }) => isSound),
      rows: {
        connections: `${all.length}: ${ofEachKind} each that send headers or a body byte by byte, that stop within them, that read nothing of 20 and of 1,000 responses`,
        'requests before': String(before),
        'requests meanwhile': String(during),
        'requests afterwards': String(after),
        ...Object.fromEntries(Object.entries(read).map(([name, members]) => [name, describeEnds(members)])),
        'read nothing': `closed with all others within ${closedAfterSeconds.toFixed(0)} s`,
        memory: `${memoryBefore.now} MiB before, ${memoryDuring.now} MiB with them, at most ${memoryAfter.most} MiB, ${memoryAfter.now} MiB after`,
      },
    }
  } finally {
    for (const drip of drips) clearInterval(drip)
    await service.stop()
  }
}
