import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from 'tar'
import { migrate } from '../platform/database/migrate.ts'

/** Writes the files of an empty database with all migrations to a tar. */
export async function makeMigrated(file: string): Promise<void> {
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
