import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { alsoTakenBy, createLogger } from '../platform/http/log.ts'
import type { ReservedPort } from '../platform/http/reserve-port.ts'
import type { Config } from './config.ts'
import { endUndelivered } from './end-undelivered.ts'
import { isSiblingMessage, passOnMeasurements, type SiblingMessage, workerNumberVariable } from './siblings.ts'
import { telemetryOf } from './telemetry/telemetry-of.ts'

/** A worker that was ready for this long did not fail at its start. */
const soundMilliseconds = 10_000
const restartFirstMilliseconds = 1_000
const restartMaxMilliseconds = 30_000
/** The time in which all workers must end after they have drained; each gets its share of it. */
const stopWithinMilliseconds = 9_000

/** A slot for one of the serving processes, which is replaced when it ends. */
interface WorkerSlot {
  number: number
  worker: Worker
  /** How many processes in a row have ended soon after their start. */
  failures: number
}

/**
 * Runs the processes of `WORKERS` until it is told to stop. It opens no database itself, and passes each connection to one of them; until the first of them
 * listens, it answers at their port.
 * On SIGTERM and SIGINT they stop one after another, once all report that they are not ready. On SIGHUP they are replaced one by one.
 */
export async function runPrimary(config: Config, port: ReservedPort): Promise<void> {
  const ofProcess = { level: config.logLevel, worker: 'primary' }
  // It serves nothing, so there is nothing to trace or to measure.
  const telemetry = await telemetryOf(
    config.sentSignals.filter((signal) => signal === 'logs'),
    () => createLogger(ofProcess),
  )
  const logger = createLogger(ofProcess, telemetry?.takeLine && alsoTakenBy(telemetry.takeLine))
  const places: WorkerSlot[] = []
  let isStopping = false
  passOnMeasurements(() => places.map(({ worker }) => worker))

  const readiness = new WeakMap<Worker, Promise<void>>()
  const serving = new WeakSet<Worker>()
  let isReserved = true
  function leavePortTo(worker: Worker): void {
    // It listens no more from here on; what it still answers does not hold up the worker.
    if (isReserved) void port.release()
    isReserved = false
    tell(worker, { gatehouse: 'port-left' })
  }

  function start(number: number): Worker {
    const worker = cluster.fork({ [workerNumberVariable]: String(number) })
    endUndelivered(worker)
    worker.on('message', (message: unknown) => {
      if (isSiblingMessage(message) && message.gatehouse === 'port-wanted') leavePortTo(worker)
    })
    const ready = whenReady(worker)
    readiness.set(worker, ready)
    ready.then(() => {
      serving.add(worker)
      logger.info({ number, pid: worker.process.pid }, 'a worker is ready')
    }, ignore)
    return worker
  }

  /** Replaces the worker of a slot whenever it ends by itself. */
  function watch(place: WorkerSlot, worker: Worker): void {
    place.worker = worker
    let readyAt: number | undefined
    readiness.get(worker)?.then(() => {
      readyAt = performance.now()
    }, ignore)
    worker.once('exit', async (code, signal) => {
      if (isStopping || place.worker !== worker) return
      const wasSound = readyAt !== undefined && performance.now() - readyAt >= soundMilliseconds
      place.failures = wasSound ? 0 : place.failures + 1
      const milliseconds = wasSound ? 0 : Math.min(restartFirstMilliseconds * 2 ** (place.failures - 1), restartMaxMilliseconds)
      logger.error({ code: 'worker-ended', number: place.number, exit: signal ?? code, milliseconds }, 'a worker has ended; it is replaced')
      await pause(milliseconds)
      if (!isStopping && place.worker === worker) watch(place, start(place.number))
    })
  }

  const stop = async (signal: string) => {
    if (isStopping) return
    isStopping = true
    logger.info({ signal }, 'stopping')
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    for (const worker of workers) tell(worker, { gatehouse: 'drain' })
    // One that waits for the database has nothing that a proxy would have to notice.
    if (workers.some((worker) => serving.has(worker))) await pause(config.drainSeconds * 1_000)
    const told = telemetry?.close()
    // Those that end early leave their time to the others.
    const until = performance.now() + stopWithinMilliseconds
    for (const [index, worker] of workers.entries()) {
      const hasEnded = await end(worker, Math.max(0, until - performance.now()) / (workers.length - index))
      if (!hasEnded) logger.warn({ code: 'stopped-by-force', pid: worker.process.pid }, 'a worker was ended by force')
    }
    await told
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  const started = Promise.withResolvers<void>()
  let isReplacing = false
  // From the beginning: without a handler it would end this process, and all workers with it, while the first one waits or migrates.
  process.on('SIGHUP', async () => {
    if (isReplacing) return
    isReplacing = true
    if (places.length < config.workers) logger.info({ signal: 'SIGHUP' }, 'the workers are replaced once all have been started')
    await started.promise
    await replaceAll()
    isReplacing = false
  })

  // The first starts alone: it migrates and creates what is missing, and a failure is then printed only once.
  const first = { number: 1, worker: start(1), failures: 0 }
  places.push(first)
  try {
    await readiness.get(first.worker)
  } catch (code) {
    if (isStopping) return
    await telemetry?.close()
    process.exit(typeof code === 'number' && code !== 0 ? code : 1)
  }
  for (let number = 2; number <= config.workers; number++) places.push({ number, worker: start(number), failures: 0 })
  for (const place of places) watch(place, place.worker)
  started.resolve()

  /** Replaces all workers. Each ends once its successor is ready. */
  async function replaceAll(): Promise<void> {
    logger.info({ signal: 'SIGHUP' }, 'replacing the workers')
    for (const place of places) {
      if (isStopping) return
      const next = start(place.number)
      try {
        await readiness.get(next)
      } catch {
        return logger.error({ code: 'worker-not-replaced', number: place.number }, 'a new worker did not start; the former ones continue')
      }
      if (isStopping) return
      // Only now: the one of before may have ended meanwhile, and been replaced.
      const former = place.worker
      watch(place, next)
      tell(former, { gatehouse: 'drain' })
      await pause(config.drainSeconds * 1_000)
      await end(former, stopWithinMilliseconds)
    }
    logger.info('the workers have been replaced')
  }
}

/** @throws the exit code of a worker that ends before it is ready */
function whenReady(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('exit', reject)
    worker.on('message', (message: unknown) => {
      if (isSiblingMessage(message) && message.gatehouse === 'ready') resolve()
    })
  })
}

function tell(worker: Worker, message: SiblingMessage): void {
  if (worker.isConnected()) worker.send(message, () => {})
}

/** Tells a worker to stop, and waits for its end at most this long. @returns whether it has ended by then */
async function end(worker: Worker, milliseconds: number): Promise<boolean> {
  if (worker.isDead()) return true
  const ended = once(worker, 'exit')
  worker.process.kill('SIGTERM')
  return Promise.race([ended.then(() => true), pause(milliseconds, false)])
}

const ignore = () => {}
