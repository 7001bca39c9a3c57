import { join } from 'node:path'
import type { Engine } from './engine.ts'

const poolSize = 20

/** Opens PostgreSQL when there is a URL, otherwise the embedded database in the data directory. Loads only the one that it opens. */
export async function openEngine({ databaseUrl, dataDir }: { databaseUrl: string | undefined; dataDir: string }): Promise<Engine> {
  if (databaseUrl) {
    const { openPostgres } = await import('./postgres.ts')
    return openPostgres(databaseUrl, { poolSize })
  }
  const { openEmbedded } = await import('./embedded/open-embedded.ts')
  return openEmbedded(join(dataDir, 'database'))
}
