import { listMigrations, migrate } from '../../platform/database/migrate.ts'
import type { CommonOptions } from '../add-command.ts'
import { show, showList } from '../output.ts'
import { withEngine } from '../with-services.ts'

export const migrateUp = (options: CommonOptions) =>
  withEngine({ isMigration: true }, async (_config, engine, { pending }) => {
    if (options.dryRun) return show(options, { pending }, pending.length > 0 ? `Would apply ${pending.join(', ')}` : 'Nothing to migrate')
    const applied = await migrate(engine)
    show(options, { applied }, applied.length > 0 ? `Applied ${applied.join(', ')}` : 'Nothing to migrate')
  })

export const migrateStatus = (options: CommonOptions & { pending?: boolean }) =>
  withEngine({}, async (_config, engine) => {
    const migrations = await listMigrations(engine)
    const shown = options.pending ? migrations.filter(({ state }) => state === 'pending') : migrations
    showList(options, shown, ['name', 'state', 'appliedAt', 'whileFormerReleaseRuns'])
  })
