import { readFile, writeFile } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import type { Logger } from 'pino'
import { type Service, startService } from './app.ts'
import type { Config } from './config.ts'
import { mailFolder } from './operations/development-mail.ts'
import { systemClock } from './platform/clock.ts'
import { newSecret } from './platform/crypto/secrets.ts'
import type { Engine } from './platform/database/engine.ts'
import { createLogger } from './platform/http/log.ts'
import { fileTransport, smtpTransport } from './platform/mail/transports.ts'
import { releaseMemoryOfStart } from './platform/memory.ts'
import { fileSender, gatewaySender } from './platform/sms/senders.ts'

const stopWithinMilliseconds = 9_000

/** Runs the service on an opened database until it is told to stop (SIGTERM, SIGINT). */
export async function serve(config: Config, engine: Engine): Promise<void> {
  const logger = createLogger({ level: config.logLevel, pretty: !config.production && process.stdout.isTTY })
  const secretKey = config.secretKey ?? Buffer.from((await kept(config.dataDir, 'secret-key', () => newSecret())).value, 'base64url')
  const systemApiKey = await systemApiKeyOf(config)

  const starting = startService({
    config,
    engine,
    clock: systemClock,
    mailTransport: config.smtpUrl ? smtpTransport(config.smtpUrl) : fileTransport(mailFolder(config.dataDir)),
    smsSender: smsSenderOf(config),
    logger,
    secretKey,
    systemApiKey: systemApiKey.value,
  })
  stopOnSignals(starting, logger)
  const service = await starting
  greet(config, service, systemApiKey)
  flushCompileCache()
  releaseMemoryOfStart()
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

/** What a newcomer needs, printed once. */
function greet(config: Config, service: Service, systemApiKey: { value: string; made: boolean }): void {
  const lines: string[] = []
  if (service.bootstrapped) {
    const { slug, email, password, generated } = service.bootstrapped
    lines.push(`Organisation ${slug}: sign in as ${email}${generated ? ` with the password ${password}` : ''}`)
  }
  if (systemApiKey.made) lines.push(`System API key: ${systemApiKey.value}`)
  if (lines.length > 0) process.stdout.write(`\n  ${[...lines, `API: ${config.publicUrl}/docs`].join('\n  ')}\n\n`)
}

/** Without a key in production the system API is closed: nobody knows this one. */
async function systemApiKeyOf({ systemApiKey, production, dataDir }: Config): Promise<{ value: string; made: boolean }> {
  if (systemApiKey) return { value: systemApiKey, made: false }
  if (production) return { value: newSecret(), made: false }
  return kept(dataDir, 'system-api-key', () => newSecret('sk_'))
}

/** A secret that development makes once and keeps in the data directory. */
async function kept(dataDir: string, name: string, make: () => string): Promise<{ value: string; made: boolean }> {
  const file = join(dataDir, name)
  try {
    return { value: await readFile(file, 'utf8'), made: false }
  } catch {
    const value = make()
    await writeFile(file, value, { mode: 0o600, flag: 'wx' })
    return { value, made: true }
  }
}
