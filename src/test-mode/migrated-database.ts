import { createHash } from 'node:crypto'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { migrationNames } from '../platform/database/migrate.ts'
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
  if (!(await exists(file))) await (await import('./make-migrated.ts')).makeMigrated(file)
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
