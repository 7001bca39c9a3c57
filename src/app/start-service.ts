import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { systemActor } from '../activity/actor.ts'
import { type StartWarning, setUpWarnings, unreachableServers } from '../operations/start-warnings.ts'
import { warningOfOtherRelyingParties } from '../passkeys/other-relying-parties.ts'
import { textOfBlocked } from '../platform/database/contended-migration.ts'
import type { Database } from '../platform/database/database.ts'
import type { Engine } from '../platform/database/engine.ts'
import { isDatabaseGone, reportOutages } from '../platform/database/outage.ts'
import { type Waiting, whenReachable } from '../platform/database/when-reachable.ts'
import type { App } from '../platform/http/app.ts'
import type { ReservedPort } from '../platform/http/reserve-port.ts'
import type { UnprintedSecret } from '../platform/unprinted-secret.ts'
import { type Bootstrap, checkBootstrap, createFirstOrganisation, isEmpty, unprintedOrganisation } from '../provisioning/bootstrap.ts'
import { composeHttp, type HttpOptions } from './compose-http.ts'
import type { Config } from './config.ts'
import { migrateDatabase } from './migrate-database.ts'
import { openServices, type Services, type ServicesOptions } from './services.ts'
import type { Siblings } from './siblings.ts'
import { startWorkers, type WorkerOptions, type Workers } from './workers.ts'

export interface ServiceOptions extends ServicesOptions, Omit<HttpOptions, 'hasStarted'>, WorkerOptions {
  /** Holds the first owner's password until it is printed. */
  ownerPassword?: UnprintedSecret
  /** A port that this process listens on already; otherwise the port of the configuration. */
  port?: ReservedPort
  /** The other processes of `WORKERS`. */
  siblings?: Siblings | undefined
  /** Called when the start begins and ends to wait for a database that cannot be reached. */
  onWaiting?(waits: boolean): void
}

export interface Service {
  /** The address that it listens on, such as `http://127.0.0.1:3000`. */
  address: string
  services: Services
  /** How to sign in for the first time; undefined when an organisation existed already. */
  bootstrapped: { slug: string; email: string; password: string; generated: boolean } | undefined
  /** Delivers the webhooks that are due now rather than at the next poll, and resolves when that is done. */
  deliverDueWebhooks(): Promise<void>
  /** Does all background work that is due now rather than at the next polls, and resolves when that is done. */
  finishDueWork(): Promise<void>
  /** Waits for the work that follows the responses so far. */
  settled(): Promise<void>
  /** Reports that the service is not ready, but serves for `DRAIN_SECONDS`: long enough for proxies to notice. */
  drain(): Promise<void>
  /** Drains, then lets requests and jobs in flight finish, then closes the database. */
  stop(): Promise<void>
}

// A slow request must not use up the time of the jobs, which finish or release what they have claimed.
const requestsAloneMilliseconds = 4_000

/**
 * Starts the whole service. Database work overlaps with processor work:
 *
 * - The schema is migrated and the signing keys are read while the routes are registered: a database that has
 *   just started is slow to serve its first statements, and the embedded one works in a thread of its own.
 * - The service is ready before the workers run, because queued work can wait a little longer than a request. The exception is
 *   a first start, which is ready when its first user can sign in.
 *
 * Overlapping work may fail before it is awaited. That must not end the process without a message, so each part is caught at once
 * and throws where it is awaited.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, logger } = options
  const phase: Phase = { isStarted: false, isDraining: false }
  const reporting = reportOutagesOf(options, phase)
  const engine = options.telemetry?.tracing?.engine(reporting) ?? reporting

  const migrated = startEarly(migrate(engine, options))
  const services = await openServices({ ...options, engine })
  const { keysAreRead, isFirstStart } = prepareDatabase(services, migrated, options)

  const app = await composeHttp(services, { ...options, hasStarted: () => phase.isStarted && !phase.isDraining })
  await keysAreRead
  await options.siblings?.takePort()
  const address = await (options.port?.handTo(app) ?? app.listen({ port: config.port, host: config.host }))
  const announceReady = () => {
    phase.isStarted = true
    logger.info({ address, publicUrl: config.publicUrl, milliseconds: Math.round(performance.now()) }, 'Gatehouse is ready')
  }

  const first = (await isFirstStart) ? config.bootstrap : undefined
  const { workers, bootstrapped } = await (first
    ? startWithFirstOwner(services, options, first, announceReady)
    : startWithOwner(services, options, announceReady))
  warn(logger, await warningsOf(services.database, config))
  void unreachableServers(config).then((warnings) => warn(logger, warnings))
  reportReplica(engine, options)

  return {
    address,
    services,
    bootstrapped,
    deliverDueWebhooks: workers.deliverDueWebhooks,
    finishDueWork: workers.finishDueWork,
    settled: () => app.settled(),
    ...stopper({ app, workers, services }, options, phase),
  }
}

/** How far the start has come: requests are told, and the log depends on it. */
interface Phase {
  isStarted: boolean
  isDraining: boolean
}

/** A failing start explains itself, so outages are reported only once the service has started. */
function reportOutagesOf({ engine, logger }: ServiceOptions, phase: Phase): Engine {
  const tell = (began: string, ended: string) => ({
    began: ({ message }: Error) => phase.isStarted && logger.error({ reason: message }, began),
    ended: (milliseconds: number) => phase.isStarted && logger.info({ milliseconds }, ended),
  })
  return reportOutages(engine, {
    away: tell('the database cannot be reached', 'the database can be reached again'),
    diskFull: tell('the disk of the database is full', 'the disk of the database has room again'),
  })
}

async function migrate(engine: Engine, options: ServiceOptions): Promise<void> {
  const applied = await migrateDatabase(engine, systemActor, options.clock, waitingFor(options))
  if (applied.length > 0) options.logger.info({ migrations: applied.length, last: applied.at(-1) }, 'migrated the database')
}

/** The statements of a start, one after another, so that only one reports that it waits. */
function prepareDatabase({ database, signingKeys }: Services, migrated: Promise<void>, options: ServiceOptions) {
  const { bootstrap } = options.config
  const readKeys = () => signingKeys.open()
  // Only a database that has to be migrated first has no keys yet, or none that this release can read.
  const keysAreRead = startEarly(readKeys().catch(() => migrated.then(() => whenReachable(readKeys, waitingFor(options)))))
  const isFirst = async () => bootstrap !== undefined && (await whenReachable(() => isEmpty(database), waitingFor(options)))
  return { keysAreRead, isFirstStart: startEarly(Promise.all([migrated, keysAreRead]).then(isFirst)) }
}

/** Works before the first owner exists: a failing start must not leave an owner whose password was never shown. */
async function startWithFirstOwner(services: Services, options: ServiceOptions, bootstrap: Bootstrap, announceReady: () => void) {
  await checkBootstrap(bootstrap, services.breachedPasswords)
  const workers = await startWorkers(services, options)
  const create = () => createFirstOrganisation(services, bootstrap, options.ownerPassword)
  const bootstrapped = await whenReachable(create, waitingFor(options))
  announceReady()
  return { workers, bootstrapped }
}

/** Handles an earlier start that may have ended between creating the owner and printing the password. */
async function startWithOwner(services: Services, options: ServiceOptions, announceReady: () => void) {
  const { config, ownerPassword } = options
  const { bootstrap } = config
  const bootstrapped =
    bootstrap && ownerPassword
      ? await whenReachable(() => unprintedOrganisation(services, bootstrap, ownerPassword), waitingFor(options))
      : undefined
  announceReady()
  return { workers: await startWorkers(services, options), bootstrapped }
}

function reportReplica(engine: Engine, { config, logger }: ServiceOptions): void {
  engine.watchReplica?.({
    passedOver: (error) =>
      void import('./explain-failure.ts').then(({ explainReplica }) => {
        const why = explainReplica(error, config.databaseReplicaUrl ?? '')
        warn(logger, [{ code: 'replica-passed-over', message: `Lists are read from the primary. ${why}` }])
      }),
    readAgain: (milliseconds) => logger.info({ milliseconds }, 'lists are read from the replica again'),
  })
}

interface Running {
  app: App
  workers: Workers
  services: Services
}

function stopper(
  { app, workers, services }: Running,
  { config, telemetry }: ServiceOptions,
  phase: Phase,
): Pick<Service, 'drain' | 'stop'> {
  let drained: Promise<unknown> | undefined
  const drain = async () => {
    if (!drained) app.drain()
    phase.isDraining = true
    drained ??= pause(config.drainSeconds * 1_000)
    await drained
  }
  return {
    drain,
    async stop() {
      phase.isDraining = true
      if (config.drainSeconds > 0) await drain()
      try {
        const closed = app.close()
        await Promise.race([closed, pause(requestsAloneMilliseconds, undefined, { ref: false })])
        await workers.stop()
        await closed
        await services.close()
      } finally {
        await telemetry?.close()
      }
    },
  }
}

/** Warnings about the state of the database. The service already serves, and continues if the database cannot be reached just now. */
async function warningsOf(database: Database, config: Config): Promise<StartWarning[]> {
  try {
    const message = await warningOfOtherRelyingParties(database, config.relyingParty)
    return [...(message === undefined ? [] : [{ code: 'other-relying-parties', message }]), ...(await setUpWarnings(database, config))]
  } catch (error) {
    if (!isDatabaseGone(error)) throw error
    return [{ code: 'set-up-not-examined', message: 'The database went away before it told of the set-up: run `gatehouse doctor`' }]
  }
}

export function warn(logger: Logger, warnings: readonly StartWarning[]): void {
  for (const { code, message } of warnings) logger.warn({ code }, message)
}

const waitingFor = ({ config, logger, onWaiting }: ServiceOptions): Waiting => ({
  seconds: config.databaseWaitSeconds,
  onAway(error, secondsLeft) {
    onWaiting?.(true)
    void import('./explain-failure.ts').then(({ lineOfWaiting }) =>
      logger.warn({ code: 'database-away' }, lineOfWaiting(error, secondsLeft, config.databaseUrl)),
    )
  },
  onBack() {
    onWaiting?.(false)
    logger.info('the database can be reached')
  },
  onBlocked(blocked) {
    const { name: migration, by, secondsLeft } = blocked
    logger.warn(
      { code: 'migration-blocked', migration, by, secondsLeft },
      `${textOfBlocked(blocked)}. It is tried again for ${secondsLeft} s`,
    )
  },
})

/** Starts work that is awaited further down. */
function startEarly<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {})
  return work
}
