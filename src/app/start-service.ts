import { setTimeout as pause } from 'node:timers/promises'
import { productionWarnings } from '../operations/production-warnings.ts'
import { warningOfOtherRelyingParties } from '../passkeys/other-relying-parties.ts'
import { migrate } from '../platform/database/migrate.ts'
import { reportOutages } from '../platform/database/outage.ts'
import { bootstrapOrganisation, checkBootstrap, isEmpty, type UntoldPassword, untoldOrganisation } from '../provisioning/bootstrap.ts'
import { composeHttp, type HttpOptions } from './compose-http.ts'
import { openServices, type Services, type ServicesOptions } from './services.ts'
import { startWorkers, type WorkerOptions } from './workers.ts'

export interface ServiceOptions extends ServicesOptions, Omit<HttpOptions, 'hasStarted'>, WorkerOptions {
  /** Where the first owner's password waits until it is printed. */
  ownerPassword?: UntoldPassword
}

export interface Service {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  address: string
  /** What it is made of, for tests. */
  services: Services
  /** How to sign in for the first time; undefined when there was an organisation already. */
  bootstrapped: { slug: string; email: string; password: string; generated: boolean } | undefined
  /** Delivers the webhooks that are due now rather than at the next poll, and resolves when it has. */
  deliverDueWebhooks(): Promise<void>
  /** Waits for what is done after the answers so far. */
  settled(): Promise<void>
  /** Lets requests and jobs in flight finish, then closes the database. */
  stop(): Promise<void>
}

// A request that takes its time must not use up that of the jobs, which finish or give back what they hold.
const requestsAloneMilliseconds = 4_000

/**
 * Starts the whole service. What asks the database overlaps with what loads the processor:
 *
 * - The schema is brought up to date, and the signing keys are read, while the routes are registered: a database that has
 *   just started is slow to answer its first questions, and the embedded one works in a thread of its own.
 * - The service is ready before the workers run: what waits in the queues can wait a little longer than a request. Not at
 *   a first start, which is ready when its first user can sign in.
 *
 * What overlaps may fail before it is awaited. That must not end the process without a word, so each is caught at once and
 * throws where it is awaited.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, logger } = options
  let started = false
  const engine = reportOutages(options.engine, {
    // A start that fails says why by itself.
    began: ({ message }) => started && logger.error({ reason: message }, 'the database cannot be reached'),
    ended: (milliseconds) => started && logger.info({ milliseconds }, 'the database can be reached again'),
  })

  const migrated = startEarly(
    migrate(engine).then((applied) => {
      if (applied.length > 0) logger.info({ migrations: applied }, 'migrated the database')
    }),
  )
  const services = await openServices({ ...options, engine })
  const { database, signingKeys } = services
  const isFirstStart = startEarly(migrated.then(async () => config.bootstrap !== undefined && (await isEmpty(database))))
  // Only a database that has to be migrated first has no keys yet, or none that this release can read.
  const keysAreRead = startEarly(signingKeys.open().catch(() => migrated.then(() => signingKeys.open())))

  const app = await composeHttp(services, { ...options, hasStarted: () => started })
  await keysAreRead
  const address = await app.listen({ port: config.port, host: config.host })
  const beReady = () => {
    started = true
    logger.info({ address, publicUrl: config.publicUrl, milliseconds: Math.round(performance.now()) }, 'Gatehouse is ready')
  }

  const first = (await isFirstStart) ? config.bootstrap : undefined
  if (first) await checkBootstrap(first, services.breachedPasswords)
  if (!first) beReady()
  const workers = await startWorkers(services, options)
  // Last, so that a start that fails does not leave an owner whose password was never shown.
  const bootstrapped = first
    ? await bootstrapOrganisation(services, first, options.ownerPassword)
    : config.bootstrap && options.ownerPassword && (await untoldOrganisation(services, config.bootstrap, options.ownerPassword))
  if (first) beReady()
  const otherRelyingParties = await warningOfOtherRelyingParties(database, config.relyingParty)
  if (otherRelyingParties !== undefined) logger.warn(otherRelyingParties)
  if (config.production) for (const warning of await productionWarnings(database, config)) logger.warn(warning)

  return {
    address,
    services,
    bootstrapped,
    deliverDueWebhooks: workers.deliverDueWebhooks,
    settled: () => app.settled(),
    async stop() {
      const closed = app.close()
      await Promise.race([closed, pause(requestsAloneMilliseconds, undefined, { ref: false })])
      await workers.stop()
      await closed
      await services.close()
    },
  }
}

/** What is awaited further down. */
function startEarly<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {})
  return work
}
