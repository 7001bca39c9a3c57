import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { type Config, readConfig, refusePublicSuffix } from '../../app/config.ts'
import { ConfigError } from '../../app/config-mistakes.ts'
import { secretKeyOf } from '../../app/stored-secrets.ts'
import type { CheckResult, Examination } from '../../doctor/examine.ts'
import { systemClock } from '../../platform/clock.ts'
import { createKeyring } from '../../platform/crypto/keyring.ts'
import { createDatabase } from '../../platform/database/database.ts'
import type { Engine } from '../../platform/database/engine.ts'
import { migrationState } from '../../platform/database/migrate.ts'
import { openEngine } from '../../platform/database/open.ts'
import { MendableError } from '../../platform/mendable-error.ts'
import { counted } from '../../platform/text.ts'
import type { CommonOptions } from '../add-command.ts'
import { hasEmbeddedDatabase, mistakeInDataDir, useAsOwner } from '../data-dir.ts'
import { show } from '../output.ts'
import { openBesideService } from '../with-services.ts'

export async function doctor(options: CommonOptions & { strict?: boolean }): Promise<void> {
  const examination = await examineEnvironment()
  show(options, examination, textOf(examination))
  if (examination.state === 'failure' || (options.strict && examination.state === 'warning')) process.exitCode = 1
}

async function examineEnvironment(): Promise<Examination> {
  const { examine, examineMistakes } = await import('../../doctor/examine.ts')
  try {
    const config = readConfig(process.env)
    await refusePublicSuffix(config)
    const { doctorContext } = await import('../../app/doctor-context.ts')
    await useAsOwner(config)
    const engine = await openForDoctor(config)
    try {
      return await examine(
        doctorContext({
          config,
          database: createDatabase(engine, systemClock),
          keyring: createKeyring(await presentSecretKey(config), config.previousSecretKey),
          migrationState: () => migrationState(engine),
        }),
      )
    } finally {
      await engine.close()
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return examineMistakes(error.mistakes)
  }
}

/** Opens the database. If that fails, the check that queries it reports it. */
async function openForDoctor(config: Config): Promise<Engine> {
  const { databaseUrl, dataDir } = config
  if (!databaseUrl && !(await hasEmbeddedDatabase(config))) {
    return closedEngine(new MendableError(`There is no database in ${dataDir}`, 'Set DATA_DIR or DATABASE_URL as the service has them'))
  }
  // A check then finds a pooler without DATABASE_POOLER. Otherwise the pooler would make other checks fail.
  return openEngine({ ...config, databasePooler: 'transaction' }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'DATABASE_IN_USE') return closedEngine(mistakeInDataDir(error, config) ?? error)
    const seen = `${error.message}, which is probably the service, and does not answer`
    const starting = new MendableError(seen, 'Wait until it is ready, or stop it')
    return (await openBesideService(config)) ?? closedEngine(starting)
  })
}

function closedEngine(error: Error): Engine {
  const refuse = async () => Promise.reject(error)
  return {
    kind: 'pglite',
    execute: refuse,
    pointRead: refuse,
    keyedWrite: refuse,
    transaction: refuse,
    ownerTransaction: refuse,
    listen: refuse,
    close: async () => {},
  }
}

/** The secret key. It is not created if the service has not created it: nothing can be stored under it then. */
const presentSecretKey = async (config: Config): Promise<Buffer> =>
  config.secretKey || existsSync(join(config.dataDir, 'secret-key')) ? secretKeyOf(config) : randomBytes(32)

const marks = { ok: 'ok     ', warning: 'WARNING', failure: 'FAILURE' } as const

function textOf({ checks, leftOut }: Examination): string {
  const groups = Map.groupBy(checks, ({ group }) => group)
  const blocks = [...groups].map(([group, results]) => [headingOf(group), ...results.flatMap(linesOf)].join('\n'))
  const countOf = (state: CheckResult['state']) => checks.filter((check) => check.state === state).length
  return [
    ...blocks,
    ...(leftOut.length > 0 ? [`Left out because of a failure: ${leftOut.join(', ')}`] : []),
    `${countOf('ok')} ok, ${counted(countOf('warning'), 'warning')}, ${counted(countOf('failure'), 'failure')}`,
  ].join('\n\n')
}

const headingOf = (group: string) => `${group.slice(0, 1).toUpperCase()}${group.slice(1)}`

const linesOf = ({ name, state, seen, why, remedy }: CheckResult): string[] => [
  `  ${marks[state]}  ${name}: ${seen}`,
  ...(why === null ? [] : [`           Why: ${why}`, `           Remedy: ${remedy}`]),
]
