import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'

const requiredNode = 24
if (Number(process.versions.node.split('.')[0]) < requiredNode) {
  process.stderr.write(`Gatehouse needs Node.js ${requiredNode} or later, this is ${process.versions.node}: start it with \`npm start\`\n`)
  process.exit(1)
}

// Halves the time of the second start. Not in the system's temporary folder, where others could put code for us to run.
const { enableCompileCache } = await import('node:module')
const dataDir = process.env.DATA_DIR?.trim() || './data'
await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch(() => {})
enableCompileCache(join(dataDir, 'compile-cache'))

// Loaded only now: an older Node would fail on them before it could say why.
const { startService } = await import('./app.ts')
const { ConfigError, readConfig } = await import('./config.ts')
const { mailFolder } = await import('./operations/development-mail.ts')
const { systemClock } = await import('./platform/clock.ts')
const { newSecret } = await import('./platform/crypto/secrets.ts')
const { openEngine } = await import('./platform/database/open.ts')
const { migrate } = await import('./platform/database/migrate.ts')
const { createLogger } = await import('./platform/http/log.ts')
const { releaseMemoryOfStart } = await import('./platform/memory.ts')
const { fileTransport, smtpTransport } = await import('./platform/mail/transports.ts')
const { fileSender, gatewaySender } = await import('./platform/sms/senders.ts')

const stopWithinMilliseconds = 9_000

try {
  const config = readConfig(process.env)
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  if (process.argv[2] === 'migrate') await migrateOnly(config)
  else await serve(config)
} catch (error) {
  if (error instanceof ConfigError) process.stderr.write(`${error.mistakes.join('\n')}\n`)
  else process.stderr.write(`Gatehouse could not start: ${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}

type Config = ReturnType<typeof readConfig>

async function serve(config: Config): Promise<void> {
  const logger = createLogger({ level: config.logLevel, pretty: !config.production && process.stdout.isTTY })
  const secretKey = config.secretKey ?? Buffer.from((await kept(config.dataDir, 'secret-key', () => newSecret())).value, 'base64url')
  const systemApiKey = await systemApiKeyOf(config)

  const service = await startService({
    config,
    engine: await openEngine(config),
    clock: systemClock,
    mailTransport: config.smtpUrl ? smtpTransport(config.smtpUrl) : fileTransport(mailFolder(config.dataDir)),
    smsSender: smsSenderOf(config),
    logger,
    secretKey,
    systemApiKey: systemApiKey.value,
  })
  logger.info({ address: service.address, publicUrl: config.publicUrl }, 'Gatehouse is ready')
  greet(config, service, systemApiKey)
  releaseMemoryOfStart()

  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) return
      stopping = true
      logger.info({ signal }, 'stopping')
      setTimeout(() => process.exit(0), stopWithinMilliseconds).unref()
      service.stop().then(
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
function greet(config: Config, service: Awaited<ReturnType<typeof startService>>, systemApiKey: { value: string; made: boolean }): void {
  const lines: string[] = []
  if (service.bootstrapped) {
    const { slug, email, password, generated } = service.bootstrapped
    lines.push(`Organisation ${slug}: sign in as ${email}${generated ? ` with the password ${password}` : ''}`)
  }
  if (systemApiKey.made) lines.push(`System API key: ${systemApiKey.value}`)
  if (lines.length > 0) process.stdout.write(`\n  ${[...lines, `API: ${config.publicUrl}/docs`].join('\n  ')}\n\n`)
}

async function migrateOnly(config: Config): Promise<void> {
  const engine = await openEngine(config)
  const applied = await migrate(engine)
  await engine.close()
  process.stdout.write(applied.length > 0 ? `Applied ${applied.join(', ')}\n` : 'Nothing to migrate\n')
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
