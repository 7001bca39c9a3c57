import { readdir } from 'node:fs/promises'
import type { System } from './database.ts'
import type { Engine } from './engine.ts'
import { statement } from './statement.ts'

const migrationsFolder = new URL('./migrations/', import.meta.url)

const appliedMigrations = statement<Record<never, never>, { name: string }>('select name from kysely_migration')

/**
 * Brings the schema up to date, all of it or nothing. Processes that start together do it once.
 *
 * @returns the names of the migrations that were applied
 */
export async function migrate(engine: Engine): Promise<string[]> {
  const applied = engine.execute<{ name: string }>(appliedMigrations.with({})).then(({ rows }) => rows)
  // Most starts have nothing to apply and need not load the migrator. An error here is ignored: the code below reports it.
  if (await hasAll(applied).catch(() => false)) return []
  const { applyMigrations } = await import('./apply-migrations.ts')
  return applyMigrations(engine, await migrationFiles())
}

/** Whether every migration of this release has been applied. */
export async function isMigrated(system: System): Promise<boolean> {
  return hasAll(system.run(appliedMigrations, {}))
}

async function hasAll(applied: Promise<{ name: string }[]>): Promise<boolean> {
  const names = new Set((await applied).map(({ name }) => name))
  return [...(await migrationFiles()).keys()].every((name) => names.has(name))
}

/** The modules of this release's migrations by name: TypeScript in the sources, JavaScript in the built service. */
async function migrationFiles(): Promise<Map<string, URL>> {
  const files = (await readdir(migrationsFolder)).filter((file) => /^\d{4}-[^.]+\.[jt]s$/.test(file)).sort()
  return new Map(files.map((file) => [file.slice(0, -'.ts'.length), new URL(file, migrationsFolder)]))
}
