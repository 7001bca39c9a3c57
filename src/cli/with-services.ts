import { join } from 'node:path'
import process from 'node:process'
import { type Config, readConfig, refusePublicSuffix } from '../app/config.ts'
import { ConfigError } from '../app/config-mistakes.ts'
import { openServices, type Services } from '../app/services.ts'
import { smsSenderOf } from '../app/sms-sender.ts'
import { findSecretKey, secretKeyOf } from '../app/stored-secrets.ts'
import { systemClock } from '../platform/clock.ts'
import { createDatabase } from '../platform/database/database.ts'
import type { FolderInUse } from '../platform/database/embedded/lock-folder.ts'
import { openOverSocket } from '../platform/database/embedded/open-over-socket.ts'
import type { Engine } from '../platform/database/engine.ts'
import { type MigrationState, migrationState } from '../platform/database/migrate.ts'
import { openEngine } from '../platform/database/open.ts'
import { rehearsing } from '../platform/database/rehearsal.ts'
import { whenReachable } from '../platform/database/when-reachable.ts'
import { createLogger } from '../platform/http/log.ts'
import { counted } from '../platform/text.ts'
import { canReadSigningKeys, listSigningKeys } from '../tokens/rotate-signing-keys.ts'
import type { CommonOptions } from './add-command.ts'
import { hasEmbeddedDatabase, mistakeInDataDir, prepareDataDir } from './data-dir.ts'
import { CommandFailure } from './failures.ts'
import { refuseNewer } from './refuse-newer.ts'
import { sayWaiting } from './say-waiting.ts'

export interface OpenedServices {
  config: Config
  services: Services
  /** An engine for the same database. Its opener closes it. */
  engine: Engine
  /** 32 bytes. */
  secretKey: Buffer
}

interface Bulk {
  /** Whether the command writes or reads very many rows. */
  isBulk?: boolean | undefined
}

interface Opening extends Bulk {
  /** Whether to create the embedded database if it is missing, and to wait for a database that cannot be reached. */
  isMigration?: boolean
  /** Whether it needs the embedded database for itself, so that the service must be stopped. */
  isAlone?: boolean
}

/** The keys that secrets are read and written with. */
export interface Keys {
  secretKey: Buffer
  previousSecretKey: Buffer | undefined
}

interface ServicesOf extends CommonOptions, Bulk, Pick<Opening, 'isAlone'> {
  /** Keys to use instead of those in the environment. @param present the key that the service uses */
  keysOf?(config: Config, present: Buffer): Keys
}

/**
 * Runs a command on the database that the environment names, through the operations of the service and without HTTP. With
 * `--dry-run` all writes are rolled back.
 */
export async function withServices(options: ServicesOf, run: (opened: OpenedServices) => Promise<void>): Promise<void> {
  await withEngine({ isBulk: options.isBulk, isAlone: options.isAlone ?? false }, async (given, engine, { pending }) => {
    refusePending(pending)
    const present = await secretKeyFor(given, engine)
    const { secretKey, previousSecretKey } = options.keysOf?.(given, present) ?? { ...given, secretKey: present }
    // Counters in Redis could not be rolled back.
    const config = { ...given, previousSecretKey, ...(options.dryRun && { redisUrl: undefined }) }
    // It is closed once, below.
    const shared: Engine = { ...(options.dryRun ? rehearsing(engine) : engine), close: async () => {} }
    const services = await openServices({
      config,
      engine: shared,
      clock: systemClock,
      logger: createLogger({ level: 'warn' }, process.stderr),
      secretKey,
      smsSender: smsSenderOf(config),
    })
    try {
      // The service could not read secrets that are written under another key.
      if (!(await canReadSigningKeys(services.database, services.keyring))) {
        throw new CommandFailure('SECRET_KEY is not that of this database, whose signing keys it cannot read: give the one of the service')
      }
      await run({ config, services, engine: shared, secretKey })
    } finally {
      await services.close()
    }
  })
}

/** @throws CommandFailure when this release has migrations that the database lacks */
export function refusePending(pending: readonly string[]): void {
  if (pending.length > 0) {
    throw new CommandFailure(
      `The database lacks ${counted(pending.length, 'migration')} of this release: run \`gatehouse migrate up\` first`,
    )
  }
}

/** The key of the service; for a database that was never served, the key that its first start will find. */
async function secretKeyFor(config: Config, engine: Engine): Promise<Buffer> {
  const known = await findSecretKey(config)
  if (!known && (await listSigningKeys(createDatabase(engine, systemClock))).length > 0) {
    throw new CommandFailure(`SECRET_KEY is not set, and there is none in ${config.dataDir}: give the one of the service`)
  }
  return known ?? secretKeyOf(config)
}

/** Runs work on the whole database: through the socket of a service that has it open. Refuses a database of a newer release. */
export async function withEngine(
  { isMigration = false, isBulk = false, isAlone = isMigration }: Opening,
  run: (config: Config, engine: Engine, state: MigrationState) => Promise<void>,
): Promise<void> {
  const config = readConfig(process.env)
  await refusePublicSuffix(config)
  const explained = async (error: unknown): Promise<never> => {
    if (error instanceof CommandFailure || error instanceof ConfigError) throw error
    const mistake = mistakeInDataDir(error, config)
    if (mistake) throw mistake
    const { explainError } = await import('../app/explain-failure.ts')
    throw new CommandFailure(explainError(error, config.databaseUrl))
  }
  const engine = await open(config, { mayCreate: isMigration, isBulk, isAlone }).catch(explained)
  try {
    // Deployments start the database and migrate it at the same time.
    const seconds = isMigration ? config.databaseWaitSeconds : 0
    const state = await whenReachable(() => migrationState(engine), { seconds, ...sayWaiting(config) }).catch(explained)
    refuseNewer(state)
    await run(config, engine, state)
  } finally {
    await engine.close()
  }
}

async function open(
  config: Config,
  { mayCreate, isBulk, isAlone }: { mayCreate: boolean; isBulk: boolean; isAlone: boolean },
): Promise<Engine> {
  const { databaseUrl, dataDir } = config
  if (!mayCreate && !databaseUrl && !(await hasEmbeddedDatabase(config))) {
    throw new CommandFailure(
      `There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL as the service has them, or make one by \`gatehouse migrate\``,
    )
  }
  await prepareDataDir(config)
  return openEngine({ ...config, isBulk }).catch(async (error: FolderInUse) => {
    if (error.code !== 'DATABASE_IN_USE') throw error
    const shared = isAlone ? undefined : await openBesideService(config)
    if (shared) return shared
    // A service that is still starting does not respond yet.
    const remedy = isAlone ? 'stop it, run this again, and start it afterwards' : 'wait until it is ready, or stop it, and run this again'
    throw new CommandFailure(`${error.message}, which is probably the service: ${remedy}`)
  })
}

/** The embedded database of the running service. @returns undefined when it does not respond */
export const openBesideService = ({ dataDir }: Pick<Config, 'dataDir'>): Promise<Engine | undefined> =>
  openOverSocket(join(dataDir, 'database'))
