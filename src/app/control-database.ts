/** Lets commands reach the process that serves the embedded database: statements, `gatehouse database backup` and `restore`. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { commandActor } from '../activity/actor.ts'
import { recordForWholeDatabase } from '../activity/record-for-every-organisation.ts'
import { systemClock } from '../platform/clock.ts'
import { createDatabase } from '../platform/database/database.ts'
import { type Control, type ControlAnswer, openControlSocket } from '../platform/database/embedded/control-socket.ts'
import { mustFitTwice } from '../platform/database/embedded/disk-guard.ts'
import { acceptRestore } from '../platform/database/embedded/restore-folder.ts'
import type { Engine, Origin } from '../platform/database/engine.ts'
import { migrationState } from '../platform/database/migrate.ts'
import type { Config } from './config.ts'
import { endByForce } from './end-by-force.ts'
import { type Service, warn } from './start-service.ts'

/** The time that a database is given to close, once what uses it is ended by force. */
const closeMilliseconds = 1_000

export interface Controlled {
  config: Pick<Config, 'dataDir' | 'drainSeconds'>
  engine: Engine
  service: Pick<Service, 'stop'>
  logger: Logger
}

export async function controlDatabase({ config, engine, service, logger }: Controlled): Promise<void> {
  const folder = join(config.dataDir, 'database')
  const snapshot = `${folder}.snapshot`
  const database = createDatabase(engine, systemClock)
  let isBusy = false
  const control: Control = {
    engine,
    async answer(request, ended) {
      if (request.kind === 'recordBackup') {
        const actor = commandActor(request.operatingSystemUser)
        await database.systemTransaction((system) => recordForWholeDatabase(system, actor, { action: 'database.backed_up' }))
        return { recorded: true }
      }
      if (request.kind === 'origin') return { origin: engine.origin ?? {} }
      if (isBusy) return { refused: 'Another backup or restore is at work: run this again when it has ended' }
      isBusy = true
      if (request.kind === 'restore') return restore(request.prepared)
      const startedAt = performance.now()
      try {
        // A process that was killed may have left it.
        await rm(snapshot, { recursive: true, force: true })
        const { applied } = await migrationState(engine)
        await mustFitTwice(folder, snapshot)
        await engine.backUp?.(snapshot)
        logger.info({ milliseconds: Math.round(performance.now() - startedAt) }, 'copied the database for a backup')
        return { folder: snapshot, lastMigration: applied.at(-1) ?? '' }
      } finally {
        const end = async () => {
          await rm(snapshot, { recursive: true, force: true }).catch((error) => logger.error({ err: error }, 'a copy for a backup is left'))
          isBusy = false
        }
        if (ended.aborted) await end()
        else ended.addEventListener('abort', end)
      }
    },
  }

  async function restore(prepared: string): Promise<ControlAnswer> {
    try {
      if (process.execve === undefined || process.platform === 'win32')
        throw new Error('This service cannot start again by itself: stop it, restore, and start it')
      const { checkOpens } = await import('../platform/database/embedded/open-embedded.ts')
      const { asOf, former } = await acceptRestore(folder, prepared, checkOpens)
      logger.info({ asOf }, 'stopping, to start again on a restored database')
      // Only after the response has been sent.
      setImmediate(startAgain)
      return { former }
    } catch (error) {
      isBusy = false
      throw error
    }
  }

  /** Starts the service again, which puts the restored database in place. */
  async function startAgain(): Promise<void> {
    const execute = () => process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], process.env)
    const notClean = (error: unknown) => logger.error({ err: error }, 'did not stop cleanly')
    // The database is closed if it can be: it is the one to which an operator may return. Its thread ends with `execve` in any case.
    endByForce(config, logger, () => void Promise.race([engine.close().catch(notClean), pause(closeMilliseconds)]).then(execute))
    await service.stop().catch(notClean)
    execute()
  }

  logOrigin(engine.origin ?? {}, logger)
  // Some file systems of containers have no sockets. Everything else works there.
  await openControlSocket(folder, control).catch(({ message }: Error) =>
    warn(logger, [
      {
        code: 'no-socket',
        message: `DATA_DIR can hold no socket (${message}): stop the service for every command that needs the database`,
      },
    ]),
  )
}

function logOrigin({ restored, isFirstStart, undone }: Partial<Origin>, logger: Logger): void {
  if (undone) logger.error(undone, 'the restored database could not take its place; the former one is in it again')
  else if (isFirstStart) logger.info(restored, 'serving a restored database')
}
