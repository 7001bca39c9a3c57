import { join } from 'node:path'
import { openEmbedded } from './embedded/open-embedded.ts'
import type { Engine } from './engine.ts'
import { openPostgres } from './postgres.ts'

const poolSize = 20

/** Opens PostgreSQL when there is a URL, else the embedded one in the data directory. */
export async function openEngine({ databaseUrl, dataDir }: { databaseUrl: string | undefined; dataDir: string }): Promise<Engine> {
  if (databaseUrl) return openPostgres(databaseUrl, { poolSize })
  return openEmbedded(join(dataDir, 'database'))
}
