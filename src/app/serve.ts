import { flushCompileCache } from 'node:module'
import process from 'node:process'
import type { Logger } from 'pino'
import { mailFolder } from '../operations/development-mail.ts'
import { nearlyOurNames } from '../operations/start-warnings.ts'
import { systemClock } from '../platform/clock.ts'
import { newSecret } from '../platform/crypto/secrets.ts'
import type { Engine } from '../platform/database/engine.ts'
import { alsoTakenBy, createLogger } from '../platform/http/log.ts'
import type { ReservedPort } from '../platform/http/reserve-port.ts'
import { fileTransport, smtpTransport } from '../platform/mail/transports.ts'
import { releaseMemoryOfStart } from '../platform/memory.ts'
import type { Config } from './config.ts'
import { endByForce } from './end-by-force.ts'
import { greeting } from './greeting.ts'
import type { Siblings } from './siblings.ts'
import { smsSenderOf } from './sms-sender.ts'
import { type Service, startService, warn } from './start-service.ts'
import { type StoredSecret, secretKeyOf, storedSecret, unprintedSecret } from './stored-secrets.ts'
import type { Telemetry } from './telemetry/telemetry.ts'
import { telemetryOf } from './telemetry/telemetry-of.ts'
import { variableNames } from './variables.ts'

interface Serving {
  /** Does something with the started service before it is announced. @returns what to print then */
  begin?(service: Service): Promise<string>
  /** A port that this process listens on already. */
  port?: ReservedPort
  /** The other processes of `WORKERS`, which share the port. */
  siblings?: Siblings
}

/** Runs the service on an opened database until it is told to stop (SIGTERM, SIGINT). */
export async function serve(config: Config, engine: Engine, { port, siblings, begin }: Serving): Promise<void> {
  const isRead = !config.production && process.stdout.isTTY
  const output = isRead ? await readableLines() : undefined
  const ofProcess = { level: config.logLevel, worker: siblings?.worker }
  const telemetry = await telemetryOf(config.sentSignals, () => createLogger(ofProcess, output))
  const logger = createLogger(
    { ...ofProcess, fields: telemetry?.tracing?.logFields },
    telemetry?.takeLine ? alsoTakenBy(telemetry.takeLine, output) : output,
  )
  const secretKey = await secretKeyOf(config)
  const systemApiKey = await systemApiKeyOf(config)
  const ownerPassword = unprintedSecret(config.dataDir, 'owner-password')

  let isWaiting = false
  const starting = startService({
    config,
    engine,
    telemetry,
    ...(port && { port }),
    siblings,
    onWaiting: (waits) => {
      isWaiting = waits
    },
    clock: systemClock,
    mailTransport: config.smtpUrl ? smtpTransport(config.smtpUrl) : fileTransport(mailFolder(config.dataDir)),
    smsSender: smsSenderOf(config),
    logger,
    // In development, the greeting would be lost among these lines.
    logsResponses: config.production || logger.isLevelEnabled('debug'),
    secretKey,
    systemApiKey: systemApiKey.value,
    ownerPassword,
  })
  stopOnSignals(starting, logger, config, { isWaiting: () => isWaiting, telemetry, siblings })
  siblings?.onDrain(
    () =>
      void starting.then(
        (service) => service.drain(),
        () => {},
      ),
  )
  const service = await starting.catch(async (error) => {
    await telemetry?.close()
    throw error
  })
  const begun = await begin?.(service).catch(async (error) => {
    await service.stop()
    throw error
  })
  if (engine.backUp) await (await import('./control-database.ts')).controlDatabase({ config, engine, service, logger })
  siblings?.ready()
  if (siblings?.isFirst ?? true) process.stdout.write(greeting(config, service, { systemApiKey }))
  if (begun !== undefined) process.stdout.write(begun)
  systemApiKey.markPrinted()
  ownerPassword.forget()
  warn(logger, nearlyOurNames(Object.keys(process.env), variableNames))
  flushCompileCache()
  releaseMemoryOfStart()
}

async function readableLines() {
  const { default: pretty } = await import('pino-pretty')
  return pretty({ ignore: 'pid,hostname', sync: true })
}

/** Handles signals from the beginning, so that a service that is told to stop while it starts ends as cleanly as any other. */
function stopOnSignals(
  starting: Promise<Service>,
  logger: Logger,
  config: Config,
  { isWaiting, telemetry, siblings }: { isWaiting: () => boolean; telemetry: Telemetry | undefined; siblings: Siblings | undefined },
): void {
  let stopping = false
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return
    stopping = true
    logger.info({ signal }, 'stopping')
    // Nothing is in flight yet.
    if (isWaiting()) return void Promise.resolve(telemetry?.close()).then(() => process.exit(0))
    endByForce(config, logger, () => process.exit(0))
    starting
      .then((service) => service.stop())
      // A connection that the primary process has passed on meanwhile is given back to it. Ended before, this process would take it along.
      .then(() => siblings?.leave())
      .then(
        () => process.exit(0),
        (error) => {
          logger.error({ err: error }, 'did not stop cleanly')
          process.exit(1)
        },
      )
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop)
  // Without a handler it would end the process at once. It comes from a terminal that is closed, or from an operator who wants a reload; of
  // several processes, the primary handles it.
  process.on('SIGHUP', (signal) => {
    if (!siblings && process.stdout.isTTY) return stop(signal)
    if (!siblings)
      logger.warn(
        { code: 'not-replaced', signal },
        'SIGHUP replaces the processes of WORKERS, and this one is alone: restart it to change it',
      )
  })
}

/** The key of the system API. Without one in production the system API is closed: its key is random and never shown. */
async function systemApiKeyOf({
  systemApiKey,
  production,
  dataDir,
}: Config): Promise<Pick<StoredSecret, 'value' | 'isUnprinted' | 'markPrinted'> & { file: string | undefined }> {
  const known = { file: undefined, isUnprinted: false, markPrinted() {} }
  if (systemApiKey) return { ...known, value: systemApiKey }
  if (production) return { ...known, value: newSecret() }
  return storedSecret(dataDir, 'system-api-key', () => newSecret('sk_'))
}
