import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { type Config, readConfig } from '../../app/config.ts'
import { findSecretKey } from '../../app/stored-secrets.ts'
import { findHolder, type Holder } from '../../platform/database/embedded/control-socket.ts'
import { migrate, migrationState } from '../../platform/database/migrate.ts'
import type { CommonOptions } from '../add-command.ts'
import { prepareDataDir } from '../data-dir.ts'
import { CommandFailure } from '../failures.ts'
import { show } from '../output.ts'
import { type Manifest, readArchive } from './archive.ts'
import { embeddedFolder, fingerprintOf, refusePostgres } from './embedded-database.ts'
import { recordOfDatabase } from './record.ts'

const embedded = () => import('../../platform/database/embedded/open-embedded.ts')

const pollMilliseconds = 100
const startsWithinMilliseconds = 60_000

/** Checks a backup as a whole, then puts it in the place of the present database, which is kept beside it. */
export async function restoreDatabase(file: string, options: CommonOptions & { replace?: boolean }): Promise<void> {
  const { replaceByRestored, restoredFolder } = await embedded()
  const config = readConfig(process.env)
  refusePostgres(config, 'restore')
  const folder = embeddedFolder(config)
  const isReplaced = existsSync(folder)
  if (isReplaced && !options.replace && !options.dryRun) {
    throw new CommandFailure(`There is a database in ${config.dataDir}: give --replace, and it is kept beside the restored one`)
  }
  await prepareDataDir(config)
  const unpacked = `${folder}.restoring-${process.pid}`
  const former = isReplaced ? `${folder}.before-${new Date().toISOString().replaceAll(/[^\dTZ]/g, '')}` : null
  let manifest: Manifest
  let isRunning = false
  try {
    manifest = await readArchive(file, unpacked)
    await checkAndRecord(manifest, unpacked, config)
    if (!options.dryRun) {
      const holder = await findHolder(folder)
      isRunning = holder !== undefined
      // From here on a start finishes it.
      await rm(restoredFolder(folder), { recursive: true, force: true })
      await rename(unpacked, restoredFolder(folder))
      await (holder ? restartOn(holder, folder, former ?? '') : replaceByRestored(folder, former ?? '')).catch(async (error: Error) => {
        await rm(restoredFolder(folder), { recursive: true, force: true })
        throw new CommandFailure(error.message)
      })
    }
  } finally {
    for (const path of ['', '.lock', '.pid']) await rm(`${unpacked}${path}`, { recursive: true, force: true })
  }
  const lines = [
    `Restored what ${file} holds, as of ${manifest.createdAt}`,
    ...(former ? [`The former database is in ${former}: remove it when all is well`] : []),
    isRunning ? 'The service has started again on it' : 'Start the service',
    'Sessions, tokens, mails and webhooks are as they were then: what was revoked or sent since is valid again, or sent again',
  ]
  show(options, { file, createdAt: manifest.createdAt, former, restarted: isRunning }, lines.join('\n'))
}

/** What is written is of the unpacked copy alone. */
async function checkAndRecord(manifest: Manifest, unpacked: string, config: Config): Promise<void> {
  const secretKey = await findSecretKey(config)
  if (manifest.secretKeyFingerprint !== null && !secretKey)
    throw new CommandFailure(`SECRET_KEY is not set, and there is none in ${config.dataDir}: give the one of the backup`)
  if (manifest.secretKeyFingerprint !== null && secretKey && manifest.secretKeyFingerprint !== fingerprintOf(secretKey))
    throw new CommandFailure('The backup was made with another SECRET_KEY: give that one')
  const { openEmbedded } = await embedded()
  const engine = await openEmbedded(unpacked)
  try {
    const [newer] = (await migrationState(engine)).unknown
    if (newer !== undefined)
      throw new CommandFailure(
        `The backup is of a newer release (${manifest.gatehouse}): it has the migration ${newer}. Use the command of that release`,
      )
    // The next start would do it. Now it takes the entry, and what cannot be migrated is refused before it replaces anything.
    await migrate(engine)
    await recordOfDatabase(engine, {
      action: 'database.restored',
      metadata: { asOf: manifest.createdAt, release: manifest.gatehouse },
    })
  } finally {
    await engine.close()
  }
}

/** Has the service stop, put the restored database in place, and start again. */
async function restartOn(holder: Holder, folder: string, former: string): Promise<void> {
  const { restoredFolder } = await embedded()
  const answer = await holder.ask({ kind: 'restart', former })
  if ('refused' in answer) throw new Error(answer.refused)
  await holder.gone
  for (const deadline = performance.now() + startsWithinMilliseconds; performance.now() < deadline; ) {
    const started = await findHolder(folder)
    started?.close()
    if (started && !existsSync(restoredFolder(folder))) return
    await pause(pollMilliseconds)
  }
  throw new Error('The service did not start again within a minute: look into its log')
}
