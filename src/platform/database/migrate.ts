import { readdir } from 'node:fs/promises'
import { CompiledQuery } from 'kysely'
import type { Engine } from './engine.ts'

const migrationsFolder = new URL('./migrations/', import.meta.url)

/**
 * Brings the schema up to date, all of it or nothing. Processes that start together do it once.
 *
 * @returns the names of the migrations that were applied
 */
export async function migrate(engine: Engine): Promise<string[]> {
  // Most starts have nothing to do: they need not even load the migrator. What cannot be asked now fails below, in its own words.
  if (await isMigrated(engine).catch(() => false)) return []
  const { applyMigrations } = await import('./apply-migrations.ts')
  return applyMigrations(engine, migrationsFolder, await migrationNames())
}

/** Whether every migration of this release has been applied. */
export async function isMigrated(engine: Engine): Promise<boolean> {
  const { rows } = await engine.execute<{ name: string }>(CompiledQuery.raw('select name from kysely_migration'))
  const applied = new Set(rows.map(({ name }) => name))
  return (await migrationNames()).every((name) => applied.has(name))
}

async function migrationNames(): Promise<string[]> {
  const files = await readdir(migrationsFolder)
  return files
    .filter((file) => /^\d{4}-/.test(file))
    .map((file) => file.replace(/\.[jt]s$/, ''))
    .sort()
}
