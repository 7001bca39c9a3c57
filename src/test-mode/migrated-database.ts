import { createHash, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import packageJson from '../../package.json' with { type: 'json' }
import { startPglite } from '../platform/database/embedded/pglite-options.ts'
import { migrate, migrationNames } from '../platform/database/migrate.ts'

/**
 * The files of a migrated embedded database without rows, as a tar. Migrating takes longer than everything else in a start, so the user's
 * cache holds what the first start of a release has made.
 */
export async function migratedDatabase(environment: Record<string, string | undefined>): Promise<Buffer> {
  const file = await cachedFile(environment)
  const cached = file && (await readOwn(file))
  if (cached) return cached
  const tar = await makeMigrated()
  // Without the file, the next start takes a few seconds longer, and that is all.
  if (file) await store(file, tar).catch(() => {})
  return tar
}

/** Undefined for a user without a home. */
async function cachedFile({ XDG_CACHE_HOME }: Record<string, string | undefined>): Promise<string | undefined> {
  const home = homedir()
  const cache = XDG_CACHE_HOME || (home && join(home, '.cache'))
  if (!cache) return undefined
  const schema = createHash('sha256')
    .update((await migrationNames()).join('\n'))
    .digest('hex')
    .slice(0, 16)
  return join(cache, 'gatehouse', `test-mode-${packageJson.version}-${schema}.tar`)
}

/** Reads the file, unless another user can have written it. */
async function readOwn(file: string): Promise<Buffer | undefined> {
  try {
    const { uid, mode } = await stat(file)
    const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
    return isOwn ? await readFile(file) : undefined
  } catch {
    return undefined
  }
}

/** Another start may be writing the same file: each renames a whole one. */
async function store(file: string, tar: Buffer): Promise<void> {
  await mkdir(join(file, '..'), { recursive: true, mode: 0o700 })
  const whole = `${file}.${randomUUID()}`
  await writeFile(whole, tar, { mode: 0o600, flag: 'wx' })
  await rename(whole, file)
}

async function makeMigrated(): Promise<Buffer> {
  const { openEmbedded } = await import('../platform/database/embedded/open-embedded.ts')
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-migrated-'))
  try {
    const dataDir = join(folder, 'database')
    const engine = await openEmbedded(dataDir)
    await migrate(engine)
    await engine.close()
    return await tarOf(dataDir)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The files of a closed database. Nothing connects to the templates of new databases: without them a copy in memory is half as large. */
export async function tarOf(dataDir: string): Promise<Buffer> {
  const databases = await readdir(join(dataDir, 'base'))
  for (const template of ['1', '4'].filter((name) => databases.includes(name)))
    await rm(join(dataDir, 'base', template), { recursive: true })
  const pglite = await startPglite({ dataDir })
  const tar = Buffer.from(await (await pglite.dumpDataDir('none')).arrayBuffer())
  await pglite.close()
  return tar
}
