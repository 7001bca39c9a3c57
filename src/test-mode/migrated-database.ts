import { createHash, randomUUID } from 'node:crypto'
import { access, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from 'tar'
import packageJson from '../../package.json' with { type: 'json' }
import { migrate, migrationNames } from '../platform/database/migrate.ts'
import { userCache } from '../platform/user-cache.ts'

/**
 * The path of the files of a migrated embedded database without rows, as a tar. Migrating takes longer than everything else in a start, so
 * the user's cache holds what the first start of a release has made.
 *
 * @param folder where it is made if there is no cache, or no room in it
 */
export async function migratedDatabase(environment: Record<string, string | undefined>, folder: string): Promise<string> {
  const name = await nameOfRelease()
  const cache = await userCache(environment)
  return (cache && (await findOrMake(join(cache, name)).catch(() => undefined))) ?? findOrMake(join(folder, name))
}

async function findOrMake(file: string): Promise<string> {
  if (!(await exists(file))) await makeMigrated(file)
  return file
}

async function nameOfRelease(): Promise<string> {
  const schema = createHash('sha256')
    .update((await migrationNames()).join('\n'))
    .digest('hex')
    .slice(0, 16)
  return `test-mode-${packageJson.version}-${schema}.tar`
}

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )

async function makeMigrated(file: string): Promise<void> {
  const { openEmbedded } = await import('../platform/database/embedded/open-embedded.ts')
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-migrated-'))
  // Another start may be writing the same file: each renames a whole one.
  const whole = `${file}.${randomUUID()}`
  try {
    const dataDir = join(folder, 'database')
    const engine = await openEmbedded(dataDir)
    await migrate(engine)
    await engine.close()
    await archive(dataDir, whole)
    await rename(whole, file)
  } finally {
    await rm(folder, { recursive: true, force: true })
    await rm(whole, { force: true })
  }
}

/** Writes the files of a closed database to a tar. Nothing connects to the templates of new databases: without them it is half as large. */
export async function archive(dataDir: string, file: string): Promise<void> {
  const databases = await readdir(join(dataDir, 'base'))
  for (const template of ['1', '4'].filter((name) => databases.includes(name)))
    await rm(join(dataDir, 'base', template), { recursive: true })
  await create({ cwd: dataDir, file, mode: 0o600, portable: true, noPax: true }, await readdir(dataDir))
}
