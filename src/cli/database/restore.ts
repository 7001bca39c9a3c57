import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import { sql } from 'kysely'
import { type Config, readConfig } from '../../app/config.ts'
import { findSecretKey } from '../../app/stored-secrets.ts'
import { systemClock } from '../../platform/clock.ts'
import { createDatabase } from '../../platform/database/database.ts'
import { type ControlAnswer, findHolder, type Holder } from '../../platform/database/embedded/control-socket.ts'
import { exists } from '../../platform/database/embedded/database-traces.ts'
import type { FolderInUse } from '../../platform/database/embedded/lock-folder.ts'
import {
  describeRestore,
  lockRestores,
  pendingRestore,
  preparedFolder,
  type Restore,
} from '../../platform/database/embedded/restore-folder.ts'
import type { Engine, Origin } from '../../platform/database/engine.ts'
import { migrate, migrationState } from '../../platform/database/migrate.ts'
import { counted } from '../../platform/text.ts'
import type { ConfirmOptions } from '../add-command.ts'
import { confirm } from '../confirm.ts'
import { prepareDataDir } from '../data-dir.ts'
import { CommandFailure } from '../failures.ts'
import { showChange } from '../output.ts'
import { printNotice } from '../print.ts'
import { type Manifest, readArchive } from './archive.ts'
import { embeddedFolder, fingerprintOf, refusePostgres } from './embedded-database.ts'
import { recordOfDatabase } from './record.ts'

const embedded = () => import('../../platform/database/embedded/open-embedded.ts')

const pollMilliseconds = 100
const startsWithinMilliseconds = 120_000

/** Checks a whole backup, then puts it in the place of the present database, which is retained in a folder next to it. */
export async function restoreDatabase(file: string, options: ConfirmOptions & { replace?: boolean }, command: Command): Promise<void> {
  const config = readConfig(process.env)
  refusePostgres(config, 'restore')
  await prepareDataDir(config)
  const folder = embeddedFolder(config)
  const isReplaced = await exists(folder)
  if (isReplaced && !options.replace && !options.dryRun) {
    throw new CommandFailure(`There is a database in ${config.dataDir}: give --replace, and it is kept beside the restored one`)
  }
  const unlock = await lockRestores(folder).catch((error: FolderInUse) => {
    if (error.code !== 'DATABASE_IN_USE') throw error
    throw new CommandFailure(`Another restore is at work (${error.holder}): run this again when it has ended`)
  })
  const id = randomBytes(8).toString('hex')
  const prepared = preparedFolder(folder, id)
  try {
    await mustNotBePending(folder)
    const manifest = await readArchive(file, prepared, (await isServed(folder)) ? folder : undefined)
    const contents = await checkAndRecord(manifest, prepared, config)
    const instead = isReplaced ? ', in place of the present database, which would stay beside it' : ''
    const would = `restore what ${file} holds, as of ${manifest.createdAt}: ${contents}${instead}`
    const document = { file, createdAt: manifest.createdAt }
    if (options.dryRun) return showChange(options, { ...document, former: null, restarted: false }, { done: '', would })
    if (isReplaced) {
      await confirm(command, options, {
        consequences: [
          `The database in ${config.dataDir} is replaced by what ${file} holds, as of ${manifest.createdAt}: ${contents}`,
          'What was written since is in the former database alone, which is kept beside it',
        ],
        name: basename(resolve(config.dataDir)),
      })
    }
    await describeRestore(prepared, { id, asOf: manifest.createdAt, release: manifest.gatehouse, former: null, isProven: false })
    const holder = await findHolder(folder)
    const former = holder ? await restartOn(holder, folder, prepared, id) : await openOn(folder, prepared, id)
    const formerFolder = former === null ? null : join(dirname(folder), former)
    const done = [
      `Restored what ${file} holds, as of ${manifest.createdAt}`,
      ...(formerFolder ? [`The former database is in ${formerFolder}: remove it when all is well`] : []),
      holder ? 'The service has started again on it' : 'Start the service',
      'Sessions, tokens, mails and webhooks are as they were then: what was revoked or sent since is valid again, or sent again',
    ].join('\n')
    showChange(options, { ...document, former: formerFolder, restarted: holder !== undefined }, { done, would })
  } finally {
    await rm(prepared, { recursive: true, force: true })
    unlock()
  }
}

async function isServed(folder: string): Promise<boolean> {
  const holder = await findHolder(folder)
  holder?.close()
  return holder !== undefined
}

async function mustNotBePending(folder: string): Promise<void> {
  if (await pendingRestore(folder))
    throw new CommandFailure('Another restore waits for the service to start: run this again when it has started')
}

/** Writes only to the prepared copy. @returns what the copy holds, in numbers */
async function checkAndRecord(manifest: Manifest, prepared: string, config: Config): Promise<string> {
  const secretKey = await findSecretKey(config)
  if (manifest.secretKeyFingerprint !== null && !secretKey)
    throw new CommandFailure(`SECRET_KEY is not set, and there is none in ${config.dataDir}: give the one of the backup`)
  if (manifest.secretKeyFingerprint !== null && secretKey && manifest.secretKeyFingerprint !== fingerprintOf(secretKey))
    throw new CommandFailure('The backup was made with another SECRET_KEY: give that one')
  const { openCopy } = await embedded()
  const engine = await openCopy(prepared)
  try {
    const [newer] = (await migrationState(engine)).unknown
    if (newer !== undefined)
      throw new CommandFailure(
        `The backup is of a newer release (${manifest.gatehouse}): it has the migration ${newer}. Use the command of that release`,
      )
    // The next start would migrate it, too. Doing it now lets the copy take the entry, and refuses a bad copy before it replaces anything.
    await migrate(engine)
    await recordOfDatabase(engine, {
      action: 'database.restored',
      metadata: { asOf: manifest.createdAt, release: manifest.gatehouse },
    })
    return await contentsOf(engine)
  } finally {
    await engine.close()
  }
}

async function contentsOf(engine: Engine): Promise<string> {
  const { rows } = await createDatabase(engine, systemClock).systemTransaction((system) =>
    sql<{ organisations: number; users: number }>`
      select (select count(*) from organisations) as organisations,
        (select count(*) from users where deleted_at is null) as users`.execute(system),
  )
  const { organisations = 0, users = 0 } = rows[0] ?? {}
  return `${counted(organisations, 'organisation')} with ${counted(users, 'user')}`
}

/** Puts the copy in place without a service, and opens it there. @returns the name of the folder of the former database */
async function openOn(folder: string, prepared: string, id: string): Promise<string | null> {
  const { openEmbedded } = await embedded()
  const engine = await openEmbedded(folder, { prepared: basename(prepared) }).catch((error: FolderInUse) => {
    if (error.code !== 'DATABASE_IN_USE') throw error
    throw new CommandFailure(`${error.message}, which is probably the service: wait until it is ready, or stop it, and run this again`)
  })
  await engine.close()
  return formerOf(engine.origin, id)
}

/** Makes the service adopt the copy and start again. @returns the name of the folder of the former database */
async function restartOn(holder: Holder, folder: string, prepared: string, id: string): Promise<string | null> {
  const answer = await holder.ask({ kind: 'restore', prepared: basename(prepared) }).catch(async (error: Error) => {
    // A service that is killed between the takeover and its answer has taken the copy over all the same.
    if (await exists(prepared)) throw error
  })
  if (answer && 'refused' in answer) throw new CommandFailure(answer.refused)
  const goesOn = (): never => {
    printNotice('The service restores anyway: it has taken the backup over. Its log says when it has started on it')
    process.exit(130)
  }
  process.once('SIGINT', goesOn)
  try {
    await holder.gone
    for (const deadline = performance.now() + startsWithinMilliseconds; performance.now() < deadline; ) {
      const started = await findHolder(folder)
      const told: ControlAnswer | undefined = await started?.ask({ kind: 'origin' }).catch(() => undefined)
      started?.close()
      if (told && 'origin' in told) return formerOf(told.origin, id)
      await pause(pollMilliseconds)
    }
  } finally {
    process.off('SIGINT', goesOn)
  }
  throw new CommandFailure(
    'The service has not started again within two minutes: look into its log. It has taken the backup over, and restores it when it starts',
  )
}

/** @throws CommandFailure when the opened database comes from another backup, or from none */
function formerOf({ restored, undone }: Partial<Origin> = {}, id: string): Restore['former'] {
  if (restored?.id === id) return restored.former
  throw new CommandFailure(
    undone?.id === id
      ? `The backup could not take the place of the database, which is as it was: ${undone.reason}`
      : 'The service has started on another database than this backup: look into its log',
  )
}
