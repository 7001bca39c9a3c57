import { readdir } from 'node:fs/promises'
import type { DeclaredMigration, MigrationOptions } from './apply-migrations.ts'
import type { System } from './database.ts'
import type { Engine, EngineTransaction } from './engine.ts'
import type { RehearsedMigration } from './rehearse-migrations.ts'
import shownSafe from './shown-safe.json' with { type: 'json' }
import { statement } from './statement.ts'

const migrationsFolder = new URL('./migrations/', import.meta.url)

/** The SQLSTATE of a database to which no migration was ever applied. */
const undefinedTable = '42P01'

const appliedMigrations = statement<Record<never, never>, { name: string }>('select name from kysely_migration')

/**
 * Brings the schema up to date, each migration by itself. Of processes that start together, one does so.
 *
 * @returns the names of the migrations that were applied
 */
export async function migrate(engine: Engine, options?: MigrationOptions): Promise<string[]> {
  const applied = engine.execute<{ name: string }>(appliedMigrations.with({})).then(({ rows }) => rows)
  // Most starts have nothing to apply and need not load the migrator. An error here is ignored: the code below reports it.
  if (await hasAll(applied).catch(() => false)) return []
  const { applyMigrations } = await import('./apply-migrations.ts')
  return applyMigrations(engine, await migrationFiles(), options)
}

/** Creates the schema of this release within a transaction of the owner. */
export async function migrateWithin(engine: Engine, owner: EngineTransaction): Promise<void> {
  const { applyMigrations } = await import('./apply-migrations.ts')
  await applyMigrations({ ...engine, ownerTransaction: (work) => work(owner) }, await migrationFiles())
}

/** Tries the pending migrations on a copy of the schema, to find out what they would do. */
export async function rehearsePending(engine: Engine, { applied, pending }: MigrationState): Promise<RehearsedMigration[]> {
  const { rehearseMigrations } = await import('./rehearse-migrations.ts')
  return rehearseMigrations(engine, { applied, pending, files: await migrationFiles() })
}

/** Whether every migration of this release has been applied. */
export async function isMigrated(system: System): Promise<boolean> {
  return hasAll(system.run(appliedMigrations, {}))
}

async function hasAll(applied: Promise<{ name: string }[]>): Promise<boolean> {
  const names = new Set((await applied).map(({ name }) => name))
  return [...(await migrationFiles()).keys()].every((name) => names.has(name))
}

export interface MigrationState {
  applied: string[]
  pending: string[]
  /** Applied migrations that this release does not have: the database belongs to a newer release. */
  unknown: string[]
}

/** Compares the migrations of this release with those that the database has. */
export async function migrationState(engine: Engine): Promise<MigrationState> {
  return stateOf([...(await applicationTimes(engine)).keys()])
}

/** The state of a database that has the schema. */
export async function schemaState(system: System): Promise<MigrationState> {
  return stateOf((await system.run(appliedMigrations, {})).map(({ name }) => name).sort())
}

async function stateOf(theirs: readonly string[]): Promise<MigrationState> {
  const ours = [...(await migrationFiles()).keys()]
  return {
    applied: theirs.filter((name) => ours.includes(name)),
    pending: ours.filter((name) => !theirs.includes(name)),
    unknown: theirs.filter((name) => !ours.includes(name)),
  }
}

export interface ListedMigration {
  name: string
  state: 'applied' | 'pending'
  appliedAt: string | null
  /**
   * For a pending migration: `safe` when an upgrade under load has shown it safe beside the release that runs here, else why every process
   * of that release has to be stopped before.
   */
  whileFormerReleaseRuns: string | null
}

const notShown = `stop its processes first: shown to be safe only beside the release that ends with ${shownSafe.endsWith}`

/** The migrations of this release in their order. It loads the pending ones. */
export async function listMigrations(engine: Engine): Promise<ListedMigration[]> {
  const times = await applicationTimes(engine)
  const files = await migrationFiles()
  const pending = [...files.keys()].filter((name) => !times.has(name))
  // An empty database has no process to stop.
  const isShown = times.size === 0 || pending.every((name) => shownSafe.migrations.includes(name))
  const listed = [...files].map(async ([name, file]): Promise<ListedMigration> => {
    const appliedAt = times.get(name)
    if (appliedAt !== undefined) return { name, state: 'applied', appliedAt, whileFormerReleaseRuns: null }
    const { stopsFormerRelease } = (await import(file.href)) as DeclaredMigration
    return { name, state: 'pending', appliedAt: null, whileFormerReleaseRuns: stopsFormerRelease ?? (isShown ? 'safe' : notShown) }
  })
  return Promise.all(listed)
}

/** When each migration was applied, by its name, in their order. */
async function applicationTimes(engine: Engine): Promise<Map<string, string>> {
  const query = { sql: 'select name, timestamp from kysely_migration order by name', parameters: [] }
  // Run it as the owner: a server that has never had the service has no roles to take on either.
  const { rows } = await engine
    .ownerTransaction((owner) => owner.execute<{ name: string; timestamp: string }>(query))
    .catch((error: { code?: string }) => {
      if (error.code === undefinedTable) return { rows: [] }
      throw error
    })
  return new Map(rows.map(({ name, timestamp }) => [name, timestamp]))
}

/** The names of this release's migrations, in their order. */
export const migrationNames = async (): Promise<string[]> => [...(await migrationFiles()).keys()]

/** The modules of this release's migrations by name: TypeScript in the sources, JavaScript in the built service. */
async function migrationFiles(): Promise<Map<string, URL>> {
  const files = (await readdir(migrationsFolder)).filter((file) => /^\d{4}-[^.]+\.[jt]s$/.test(file)).sort()
  return new Map(files.map((file) => [file.slice(0, -'.ts'.length), new URL(file, migrationsFolder)]))
}
