import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { Engine } from './engine.ts'
import { lockFolder } from './lock-folder.ts'
import { usePglite } from './pglite.ts'
import { openPostgres } from './postgres.ts'

const poolSize = 20

/** Opens PostgreSQL when there is a URL, else the embedded one in the data directory. */
export async function openEngine({ databaseUrl, dataDir }: { databaseUrl: string | undefined; dataDir: string }): Promise<Engine> {
  if (databaseUrl) return openPostgres(databaseUrl, { poolSize })
  return openEmbedded(join(dataDir, 'database'))
}

/** Opens the embedded database of a folder; throws when another process has it open. */
async function openEmbedded(folder: string): Promise<Engine> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const unlock = await lockFolder(folder)
  const engine = usePglite(await PGlite.create(folder))
  return {
    ...engine,
    async close() {
      await engine.close()
      await unlock()
    },
  }
}
