import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { Agent, fetch } from 'undici'
import { allClosed, describeEnds, Latencies, openConnections } from '../support/connections.ts'
import { filesOf, memoryOf } from '../support/process-status.ts'
import { startService } from '../support/started-service.ts'
import type { Fault } from './fault.ts'

const ofEachKind = 5_000
const requests = 200
/** Longer than the service leaves an idle connection open. */
const patienceMilliseconds = 120_000

/** Connections that have never sent anything, and others that sent one request and then nothing more. */
export const idle: Fault = async () => {
  const service = await startService()
  try {
    const headers = await service.signIn()
    const ask = () => fetch(`${service.origin}/v1/me/profile`, { headers }).then(readWhole)
    // Each on a connection of its own: new ones are accepted.
    const askAnew = async () => {
      const dispatcher = new Agent({ connections: 1 })
      const response = await fetch(`${service.origin}/v1/me/profile`, { headers, dispatcher }).then(readWhole)
      await dispatcher.close()
      return response
    }
    const [before, during, anew, after] = [new Latencies(), new Latencies(), new Latencies(), new Latencies()]
    await new Latencies().measure(requests, ask)
    await before.measure(requests, ask)
    const memoryBefore = await memoryOf(service.pid)

    const from = performance.now()
    const silent = await openConnections(service.origin, ofEachKind, () => {})
    const keptAlive = await openConnections(service.origin, ofEachKind, (socket) => {
      socket.write('GET /healthz HTTP/1.1\r\nHost: gatehouse.test\r\n\r\n')
    })
    const openedWithin = performance.now() - from
    await pause(500)
    const [memoryDuring, files] = [await memoryOf(service.pid), await filesOf(service.pid)]
    await during.measure(requests / 2, ask)
    await anew.measure(requests / 2, askAnew)

    const all = [...silent, ...keptAlive]
    const areClosed = await allClosed(all, patienceMilliseconds)
    await after.measure(requests, ask)
    const memoryAfter = await memoryOf(service.pid)
    const perConnection = ((memoryDuring.now - memoryBefore.now) * 1_024) / all.length
    return {
      holds: areClosed && [before, during, anew, after].every(({ isSound }) => isSound),
      rows: {
        connections: `${all.length}, opened within ${(openedWithin / 1_000).toFixed(1)} s`,
        'files of the service': `${files.open} of ${files.limit}`,
        'requests before': String(before),
        'requests meanwhile': String(during),
        'requests meanwhile, each on a new connection': String(anew),
        'requests afterwards': String(after),
        'never sent anything': describeEnds(silent),
        'one request, then idle': describeEnds(keptAlive),
        memory: `${memoryBefore.now} MiB before, ${memoryDuring.now} MiB with them (${perConnection.toFixed(1)} KiB each), ${memoryAfter.now} MiB after`,
      },
    }
  } finally {
    await service.stop()
  }
}

async function readWhole(response: { status: number; arrayBuffer(): Promise<unknown> }): Promise<{ status: number }> {
  await response.arrayBuffer()
  return response
}
