import { migrateDatabase } from '../../app/migrate-database.ts'
import { systemClock } from '../../platform/clock.ts'
import type { Engine } from '../../platform/database/engine.ts'
import { listMigrations, type MigrationState, rehearsePending } from '../../platform/database/migrate.ts'
import type { HeldLock } from '../../platform/database/rehearse-migrations.ts'
import { counted } from '../../platform/text.ts'
import { cliActor } from '../actor.ts'
import type { CommonOptions } from '../add-command.ts'
import { CommandFailure } from '../failures.ts'
import { show, showChange, showList } from '../output.ts'
import { print } from '../print.ts'
import { sayWaiting } from '../say-waiting.ts'
import { textOfApplied } from '../text-of-applied.ts'
import { withEngine } from '../with-services.ts'

export const migrateUp = (options: CommonOptions) =>
  withEngine({ isMigration: true }, async (config, engine, { pending }) => {
    if (options.dryRun)
      return showChange(
        options,
        { pending },
        { done: '', would: pending.length > 0 ? `apply ${pending.join(', ')}` : 'apply nothing: the database is up to date' },
      )
    const applied = await migrateDatabase(engine, cliActor(), systemClock, {
      seconds: config.databaseWaitSeconds,
      ...sayWaiting(config),
    })
    show(options, { applied }, applied.length > 0 ? textOfApplied(applied) : 'Nothing to migrate')
  })

export const migrateStatus = (options: CommonOptions & { pending?: boolean; rehearse?: boolean }) =>
  withEngine({}, async (_config, engine, state) => {
    if (options.rehearse) return rehearse(options, engine, state)
    const migrations = await listMigrations(engine)
    const shown = options.pending ? migrations.filter((one) => one.state === 'pending') : migrations
    showList(options, shown, ['name', 'state', 'appliedAt', 'whileFormerReleaseRuns'], 'migrations')
  })

async function rehearse(options: CommonOptions, engine: Engine, state: MigrationState): Promise<void> {
  const rehearsed = await rehearsePending(engine, state)
  if (options.json) showList(options, rehearsed, [], 'migrations')
  else {
    const rows = rehearsed.map(({ locks, concurrentIndexes, ...one }) => ({
      ...one,
      locks: [...locks.map(textOfLock), ...concurrentIndexes.map((index) => `${index} (built concurrently: blocks no process)`)],
    }))
    showList(options, rows, ['name', 'milliseconds', 'locks'], 'migrations')
    if (rehearsed.length > 0)
      print(
        '\nThe tables of the copy are empty: what reads or rewrites rows takes longer on yours. Each migration holds its locks until it is applied, and makes way where it does not get them\n',
      )
  }
  const failed = rehearsed.find(({ failure }) => failure !== null)
  if (failed) throw new CommandFailure(`${failed.name} cannot be applied: ${failed.failure}`)
}

function textOfLock({ table, mode, holdsUp, rows, writesAnHour }: HeldLock): string {
  const use = [
    ...(rows === null ? [] : [counted(rows, 'row')]),
    ...(writesAnHour === null ? [] : [counted(writesAnHour, 'write an hour', 'writes an hour')]),
  ]
  return `${table} ${mode} (${[`holds up ${holdsUp}`, ...use].join('; ')})`
}
