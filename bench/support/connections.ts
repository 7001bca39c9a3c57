import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { median, percentile } from './percentiles.ts'

/** A connection below HTTP, and what became of it. */
export interface Connection {
  socket: Socket
  /** Undefined while it is open. */
  closedAfterMilliseconds: number | undefined
  /** The first bytes of what the service sent. */
  received: string
}

const atATime = 200

/** Opens many connections. @param onOpen what each of them does with its connection */
export async function openConnections(origin: string, count: number, onOpen: (socket: Socket) => void): Promise<Connection[]> {
  const { hostname, port } = new URL(origin)
  const connections: Connection[] = []
  while (connections.length < count) {
    const some = Array.from({ length: Math.min(atATime, count - connections.length) }, async () => {
      const socket = connect(Number(port), hostname)
      const connection: Connection = { socket, closedAfterMilliseconds: undefined, received: '' }
      const openedAt = performance.now()
      socket.on('error', () => {})
      socket.on('data', (chunk) => {
        if (connection.received.length < 100) connection.received += chunk.toString('latin1', 0, 100)
      })
      const ended = () => {
        connection.closedAfterMilliseconds ??= performance.now() - openedAt
        socket.destroy()
      }
      socket.once('end', ended)
      socket.once('close', ended)
      await new Promise<void>((resolve) => {
        socket.once('connect', resolve)
        socket.once('close', resolve)
      })
      onOpen(socket)
      return connection
    })
    connections.push(...(await Promise.all(some)))
  }
  return connections
}

/** Waits until all are closed. @returns false if some are open when the time is over */
export async function allClosed(connections: readonly Connection[], withinMilliseconds: number): Promise<boolean> {
  const deadline = performance.now() + withinMilliseconds
  const areOpen = () => connections.some(({ closedAfterMilliseconds }) => closedAfterMilliseconds === undefined)
  while (areOpen() && performance.now() < deadline) await pause(200)
  return !areOpen()
}

/** How the connections ended, by the status of the last answer, and when. */
export function describeEnds(connections: readonly Connection[]): string {
  const groups = Map.groupBy(connections, ({ closedAfterMilliseconds, received }) => {
    if (closedAfterMilliseconds === undefined) return 'still open'
    const [, status] = /^HTTP\/1\.1 (\d+)/.exec(received) ?? []
    return status ? `closed after ${status}` : 'closed without a response'
  })
  return [...groups]
    .map(([end, members]) => {
      const times = members.map(({ closedAfterMilliseconds = 0 }) => closedAfterMilliseconds / 1_000)
      return `${members.length} ${end}${end === 'still open' ? '' : ` (${Math.min(...times).toFixed(1)} to ${Math.max(...times).toFixed(1)} s)`}`
    })
    .join(', ')
}

/** The times of requests that another client makes, each on a connection of its own when `isNew`. */
export class Latencies {
  readonly milliseconds: number[] = []
  readonly statuses = new Map<string, number>()

  async measure(count: number, ask: () => Promise<{ status: number }>): Promise<void> {
    for (let number = 0; number < count; number++) {
      const from = performance.now()
      const status = String((await ask().catch(() => undefined))?.status ?? 'no answer')
      this.milliseconds.push(performance.now() - from)
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
      await pause(20)
    }
  }

  get isSound(): boolean {
    return this.statuses.size === 1 && this.statuses.has('200')
  }

  toString(): string {
    const statuses = [...this.statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
    const [half, most] = [median(this.milliseconds), percentile(this.milliseconds, 0.95)]
    return `${statuses}, median ${half.toFixed(1)} ms, 95 % below ${most.toFixed(1)} ms`
  }
}
