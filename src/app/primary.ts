import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { alsoTakenBy, createLogger } from '../platform/http/log.ts'
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
 * Runs the processes of `WORKERS` until it is told to stop. It opens no database itself, and passes each connection to one of them.
 * On SIGTERM and SIGINT they stop one after another, once all report that they are not ready. On SIGHUP they are replaced one by one.
 */
export async function runPrimary(config: Config): Promise<void> {
  const ofProcess = { level: config.logLevel, worker: 'primary' }
  // It serves nothing, so there is nothing to trace or to measure.
  const telemetry = await telemetryOf(
    config.sentSignals.filter((signal) => signal === 'logs'),
    () => createLogger(ofProcess),
  )
  const logger = createLogger(ofProcess, telemetry?.takeLine && alsoTakenBy(telemetry.takeLine))
  const places: WorkerSlot[] = []
  let isStopping = false
  passOnMeasurements()

  const readiness = new WeakMap<Worker, Promise<void>>()
  function start(number: number): Worker {
    const worker = cluster.fork({ [workerNumberVariable]: String(number) })
    endUndelivered(worker)
    const ready = whenReady(worker)
    readiness.set(worker, ready)
    ready.then(() => logger.info({ number, pid: worker.process.pid }, 'a worker is ready'), ignore)
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
    for (const worker of workers) tellToDrain(worker)
    await pause(config.drainSeconds * 1_000)
    const told = telemetry?.close()
    for (const worker of workers) {
      const hasEnded = await end(worker, stopWithinMilliseconds / workers.length)
      if (!hasEnded) logger.warn({ code: 'stopped-by-force', pid: worker.process.pid }, 'a worker was ended by force')
    }
    await told
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)

  // The first starts alone: it migrates and creates what is missing, and a failure is then printed only once.
  const first = start(1)
  try {
    await readiness.get(first)
  } catch (code) {
    if (isStopping) return
    await telemetry?.close()
    process.exit(typeof code === 'number' && code !== 0 ? code : 1)
  }
  for (let number = 1; number <= config.workers; number++) {
    const worker = number === 1 ? first : start(number)
    const place = { number, worker, failures: 0 }
    places.push(place)
    watch(place, worker)
  }

  let isReplacing = false
  process.on('SIGHUP', async () => {
    if (isReplacing) return
    isReplacing = true
    await replaceAll()
    isReplacing = false
  })

  /** Replaces all workers. Each ends once its successor is ready. */
  async function replaceAll(): Promise<void> {
    logger.info({ signal: 'SIGHUP' }, 'replacing the workers')
    for (const place of places) {
      if (isStopping) return
      const former = place.worker
      const next = start(place.number)
      try {
        await readiness.get(next)
      } catch {
        return logger.error({ code: 'worker-not-replaced', number: place.number }, 'a new worker did not start; the former ones continue')
      }
      if (isStopping) return
      watch(place, next)
      tellToDrain(former)
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

function tellToDrain(worker: Worker): void {
  if (worker.isConnected()) worker.send({ gatehouse: 'drain' } satisfies SiblingMessage, () => {})
}

/** Tells a worker to stop, and waits for its end at most this long. @returns whether it has ended by then */
async function end(worker: Worker, milliseconds: number): Promise<boolean> {
  if (worker.isDead()) return true
  const ended = once(worker, 'exit')
  worker.process.kill('SIGTERM')
  return Promise.race([ended.then(() => true), pause(milliseconds, false)])
}

const ignore = () => {}
