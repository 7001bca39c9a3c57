import { realpath, rm, stat } from 'node:fs/promises'
import process from 'node:process'
import packageJson from '../../../package.json' with { type: 'json' }
import { type Config, readConfig } from '../../app/config.ts'
import { findSecretKey } from '../../app/stored-secrets.ts'
import { findHolder, type Holder } from '../../platform/database/embedded/control-socket.ts'
import type { Engine } from '../../platform/database/engine.ts'
import type { MigrationState } from '../../platform/database/migrate.ts'
import { counted } from '../../platform/text.ts'
import type { CommonOptions } from '../add-command.ts'
import { useAsOwner } from '../data-dir.ts'
import { operatingSystemUser } from '../data-dir-owner.ts'
import { CommandFailure } from '../failures.ts'
import { show } from '../output.ts'
import { showProgress } from '../progress.ts'
import { withEngine } from '../with-services.ts'
import { writeArchive } from './archive.ts'
import { embeddedFolder, fingerprintOf, refusePostgres } from './embedded-database.ts'
import { recordOfDatabase } from './record.ts'

export async function backUpDatabase(file: string, options: CommonOptions & { force?: boolean }): Promise<void> {
  const config = readConfig(process.env)
  refusePostgres(config, 'back up')
  await useAsOwner(config)
  const place = await placeOf(file, options.force)
  const secretKey = await findSecretKey(config)
  const write: Write = async (folder, lastMigration, createdAt, record) => {
    let progress: ReturnType<typeof showProgress> | undefined
    const manifest = {
      format: 1 as const,
      gatehouse: packageJson.version,
      lastMigration,
      createdAt: createdAt.toISOString(),
      secretKeyFingerprint: secretKey ? fingerprintOf(secretKey) : null,
    }
    const onFile = (done: number, total: number) => {
      progress ??= showProgress('files', total)
      progress.at(done)
    }
    const { files, bytes } = await writeArchive(folder, place, manifest, onFile).finally(() => progress?.end())
    const isRecorded = await record().catch((error: Error) => {
      throw new CommandFailure(`Wrote ${file}, but the audit log does not say so: ${error.message}`)
    })
    const unrecorded = 'The audit log does not say so, since the database lacks migrations of this release'
    const text = `Wrote ${file}: ${counted(files, 'file')} in ${counted(bytes, 'byte')}, as of ${manifest.createdAt}\nKeep it as secret as the database, and SECRET_KEY somewhere else${isRecorded ? '' : `\n${unrecorded}`}`
    show(options, { file, files, bytes, createdAt: manifest.createdAt, lastMigration, recorded: isRecorded }, text)
  }

  const running = await findHolder(embeddedFolder(config))
  if (running) return fromService(running, write)
  let isWritten = false
  await withEngine({}, async (_config, engine, state) => {
    isWritten = await fromStopped(config, engine, state, write)
  })
  if (isWritten) return
  const started = await findHolder(embeddedFolder(config))
  if (!started) throw new CommandFailure('The service has started meanwhile: run this again')
  await fromService(started, write)
}

async function fromService(service: Holder, write: Write): Promise<void> {
  try {
    const answer = await service.ask({ kind: 'backUp' })
    if (!('folder' in answer)) throw new CommandFailure('refused' in answer ? answer.refused : 'The service did not make a copy')
    await write(answer.folder, answer.lastMigration, new Date(), async () => {
      const recorded = await service.ask({ kind: 'recordBackup', operatingSystemUser: operatingSystemUser() })
      if ('refused' in recorded) throw new Error(recorded.refused)
      return true
    })
  } finally {
    service.close()
  }
}

/**
 * Where a link leads, so that the file is replaced and not the link. A folder or a device is never replaced: root could rename a backup
 * over /dev/stdout, which the whole machine would then lack.
 */
async function placeOf(file: string, isForced = false): Promise<string> {
  const present = await stat(file).catch(() => undefined)
  if (present && !present.isFile()) throw new CommandFailure(`${file} is not a file: name one, which is made or replaced`)
  if (present && !isForced) throw new CommandFailure(`${file} exists already: name another file, or give --force`)
  return present ? realpath(file) : file
}

/** @param record writes the audit entries; false where the database cannot take them */
type Write = (folder: string, lastMigration: string, createdAt: Date, record: () => Promise<boolean>) => Promise<void>

/** @returns whether it has; the service may have started meanwhile, which alone can copy its database then */
async function fromStopped(config: Config, engine: Engine, { applied, pending }: MigrationState, write: Write): Promise<boolean> {
  if (!engine.backUp) return false
  const snapshot = `${embeddedFolder(config)}.snapshot`
  await rm(snapshot, { recursive: true, force: true })
  try {
    await engine.backUp(snapshot)
    await write(snapshot, applied.at(-1) ?? '', new Date(), async () => {
      if (pending.length > 0) return false
      await recordOfDatabase(engine, { action: 'database.backed_up' })
      return true
    })
    return true
  } finally {
    await rm(snapshot, { recursive: true, force: true })
  }
}
