import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import type { Logger } from 'pino'
import { mailFolder } from '../operations/development-mail.ts'
import { systemClock } from '../platform/clock.ts'
import { newSecret } from '../platform/crypto/secrets.ts'
import type { Engine } from '../platform/database/engine.ts'
import { createLogger } from '../platform/http/log.ts'
import { fileTransport, smtpTransport } from '../platform/mail/transports.ts'
import { releaseMemoryOfStart } from '../platform/memory.ts'
import { fileSender, gatewaySender } from '../platform/sms/senders.ts'
import type { Config } from './config.ts'
import { greeting } from './greeting.ts'
import { type Service, startService } from './start-service.ts'
import { type StoredSecret, storedSecret, unprintedSecret } from './stored-secrets.ts'

const stopWithinMilliseconds = 9_000

/** Runs the service on an opened database until it is told to stop (SIGTERM, SIGINT). */
export async function serve(config: Config, engine: Engine): Promise<void> {
  const isRead = !config.production && process.stdout.isTTY
  const logger = createLogger({ level: config.logLevel }, isRead ? await readableLines() : undefined)
  const secretKey =
    config.secretKey ?? Buffer.from((await storedSecret(config.dataDir, 'secret-key', () => newSecret())).value, 'base64url')
  const systemApiKey = await systemApiKeyOf(config)
  const ownerPassword = unprintedSecret(config.dataDir, 'owner-password')

  const starting = startService({
    config,
    engine,
    clock: systemClock,
    mailTransport: config.smtpUrl ? smtpTransport(config.smtpUrl) : fileTransport(mailFolder(config.dataDir)),
    smsSender: smsSenderOf(config),
    logger,
    secretKey,
    systemApiKey: systemApiKey.value,
    ownerPassword,
  })
  stopOnSignals(starting, logger)
  const service = await starting
  process.stdout.write(greeting(config, service, { systemApiKey }))
  await Promise.all([systemApiKey.markPrinted(), ownerPassword.forget()])
  flushCompileCache()
  releaseMemoryOfStart()
}

/** For a developer who looks at a terminal. */
async function readableLines() {
  const { default: pretty } = await import('pino-pretty')
  return pretty({ ignore: 'pid,hostname', sync: true })
}

/** From the beginning, so that a service that is told to stop while it starts ends as cleanly as any other. */
function stopOnSignals(starting: Promise<Service>, logger: Logger): void {
  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) return
      stopping = true
      logger.info({ signal }, 'stopping')
      setTimeout(() => process.exit(0), stopWithinMilliseconds).unref()
      starting
        .then((service) => service.stop())
        .then(
          () => process.exit(0),
          (error) => {
            logger.error({ err: error }, 'did not stop cleanly')
            process.exit(1)
          },
        )
    })
  }
}

function smsSenderOf({ smsGateway, production, dataDir }: Config) {
  if (smsGateway) return gatewaySender(smsGateway)
  return production ? undefined : fileSender(join(dataDir, 'sms'))
}

/** Without a key in production the system API is closed: this one is known to no one. */
async function systemApiKeyOf({
  systemApiKey,
  production,
  dataDir,
}: Config): Promise<Pick<StoredSecret, 'value' | 'isUnprinted' | 'markPrinted'> & { file: string | undefined }> {
  const known = { file: undefined, isUnprinted: false, markPrinted: async () => {} }
  if (systemApiKey) return { ...known, value: systemApiKey }
  if (production) return { ...known, value: newSecret() }
  return storedSecret(dataDir, 'system-api-key', () => newSecret('sk_'))
}
