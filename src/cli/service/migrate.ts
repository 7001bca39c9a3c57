import process from 'node:process'
import { migrateDatabase } from '../../app/migrate-database.ts'
import { systemClock } from '../../platform/clock.ts'
import type { Engine } from '../../platform/database/engine.ts'
import { listMigrations, type MigrationState, rehearsePending } from '../../platform/database/migrate.ts'
import type { HeldLock } from '../../platform/database/rehearse-migrations.ts'
import { cliActor } from '../actor.ts'
import type { CommonOptions } from '../add-command.ts'
import { CommandFailure } from '../failures.ts'
import { show, showList } from '../output.ts'
import { withEngine } from '../with-services.ts'

export const migrateUp = (options: CommonOptions) =>
  withEngine({ isMigration: true }, async (_config, engine, { pending }) => {
    if (options.dryRun) return show(options, { pending }, pending.length > 0 ? `Would apply ${pending.join(', ')}` : 'Nothing to migrate')
    const applied = await migrateDatabase(engine, cliActor(), systemClock)
    show(options, { applied }, applied.length > 0 ? `Applied ${applied.join(', ')}` : 'Nothing to migrate')
  })

export const migrateStatus = (options: CommonOptions & { pending?: boolean; rehearse?: boolean }) =>
  withEngine({}, async (_config, engine, state) => {
    if (options.rehearse) return rehearse(options, engine, state)
    const migrations = await listMigrations(engine)
    const shown = options.pending ? migrations.filter((one) => one.state === 'pending') : migrations
    showList(options, shown, ['name', 'state', 'appliedAt', 'whileFormerReleaseRuns'])
  })

async function rehearse(options: CommonOptions, engine: Engine, state: MigrationState): Promise<void> {
  const rehearsed = await rehearsePending(engine, state)
  if (options.json) showList(options, rehearsed, [])
  else {
    const rows = rehearsed.map(({ locks, ...one }) => ({ ...one, locks: locks.map(textOfLock) }))
    showList(options, rows, ['name', 'milliseconds', 'locks'])
    if (rehearsed.length > 0)
      process.stdout.write(
        '\nThe tables of the copy are empty: what reads or rewrites rows takes longer on yours. Locks are held until all are applied\n',
      )
  }
  const failed = rehearsed.find(({ failure }) => failure !== null)
  if (failed) throw new CommandFailure(`${failed.name} cannot be applied: ${failed.failure}`)
}

const textOfLock = ({ table, mode, rows }: HeldLock) =>
  `${table} ${mode}${rows === null ? '' : ` (${rows.toLocaleString('en-GB')} ${rows === 1 ? 'row' : 'rows'})`}`
