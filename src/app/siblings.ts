import cluster, { type Worker } from 'node:cluster'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import type { SharedMetrics } from '../operations/shared-metrics.ts'

/** How one of several processes (`WORKERS`) deals with the others. The primary process relays the messages. */
export interface Siblings extends SharedMetrics {
  /** Whether it is the first of this start, which reports for all. */
  isFirst: boolean
  /** Settles once the primary process has left the common port, where it answers until the first of them listens. */
  takePort(): Promise<void>
  /** Tells the primary process that the service is ready. */
  ready(): void
  onDrain(drain: () => void): void
  /** Settles once the primary process has confirmed that it passes no more connections to this one, which has closed its port. */
  leave(): Promise<void>
}

/** The messages between the primary process and its workers. */
export type SiblingMessage =
  | { gatehouse: 'port-wanted' }
  | { gatehouse: 'port-left' }
  | { gatehouse: 'ready' }
  | { gatehouse: 'drain' }
  /** A worker requests the measurements of all; the primary process requests them from each. */
  | { gatehouse: 'measurements-wanted'; id: string }
  | { gatehouse: 'measurements'; id: string; measurements: object[][] }

export const workerNumberVariable = 'GATEHOUSE_WORKER'

/** A process that is too busy to respond in this time is left out of the measurements, like one that has ended. */
const measurementsMilliseconds = 2_000

export function isSiblingMessage(message: unknown): message is SiblingMessage {
  return typeof message === 'object' && message !== null && 'gatehouse' in message
}

/** Connects a worker with its siblings, through the primary process. */
export function siblingsOf(worker: Worker): Siblings {
  const asked = new Map<string, (measurements: object[][]) => void>()
  let measure: () => Promise<object[]> = async () => []
  let startDraining = () => {}
  const portLeft = Promise.withResolvers<void>()
  const send = (message: SiblingMessage) => process.send?.(message)

  process.on('message', (message) => {
    if (!isSiblingMessage(message)) return
    switch (message.gatehouse) {
      case 'port-left':
        return portLeft.resolve()
      case 'drain':
        return startDraining()
      case 'measurements-wanted':
        return void measure().then((own) => send({ ...message, gatehouse: 'measurements', measurements: [own] }))
      case 'measurements':
        asked.get(message.id)?.(message.measurements)
        return
    }
  })
  return {
    worker: process.env[workerNumberVariable] ?? String(worker.id),
    isFirst: worker.id === 1,
    takePort() {
      send({ gatehouse: 'port-wanted' })
      return portLeft.promise
    },
    ready: () => void send({ gatehouse: 'ready' }),
    onDrain(drain) {
      startDraining = drain
    },
    async leave() {
      // Without the primary process there is nothing left to be passed on.
      if (!worker.isConnected()) return
      const left = once(worker, 'disconnect')
      worker.disconnect()
      await left
    },
    onMeasure(ownMeasurements) {
      measure = ownMeasurements
    },
    async measureAll() {
      const id = randomUUID()
      const { promise, resolve } = Promise.withResolvers<object[][]>()
      asked.set(id, resolve)
      send({ gatehouse: 'measurements-wanted', id })
      const own = pause(2 * measurementsMilliseconds, undefined, { ref: false }).then(async () => [await measure()])
      return Promise.race([promise, own]).finally(() => asked.delete(id))
    },
  }
}

/**
 * Runs in the primary process: collects the measurements of all workers for the worker that requests them.
 *
 * @param measured one worker for each number: of two, the sum would be shown
 */
export function passOnMeasurements(measured: () => readonly Worker[]): void {
  const collecting = new Map<string, (measurements: object[]) => void>()
  cluster.on('message', (asking, message: unknown) => {
    if (!isSiblingMessage(message)) return
    if (message.gatehouse === 'measurements') collecting.get(message.id)?.(message.measurements[0] ?? [])
    if (message.gatehouse !== 'measurements-wanted') return
    const workers = measured().filter((worker) => worker.isConnected())
    const measurements: object[][] = []
    const finish = () => {
      clearTimeout(patience)
      if (!collecting.delete(message.id) || !asking.isConnected()) return
      asking.send({ gatehouse: 'measurements', id: message.id, measurements } satisfies SiblingMessage, () => {})
    }
    const patience = setTimeout(finish, measurementsMilliseconds)
    collecting.set(message.id, (ofOne) => {
      measurements.push(ofOne)
      if (measurements.length === workers.length) finish()
    })
    for (const worker of workers) worker.send(message, () => {})
  })
}
