import { join } from 'node:path'
import type { Engine } from './engine.ts'

const poolSize = 20

interface Where {
  databaseUrl: string | undefined
  databasePooler?: 'transaction' | undefined
  databaseListenUrl?: string | undefined
  databaseReplicaUrl?: string | undefined
  dataDir: string
  /** Whether so many rows are written or read that the embedded database may start more slowly and use more memory. */
  isBulk?: boolean
}

/** Opens PostgreSQL when there is a URL, otherwise the embedded database in the data directory. Loads only the one that it opens. */
export async function openEngine(where: Where): Promise<Engine> {
  const {
    databaseUrl,
    databaseReplicaUrl: replicaUrl,
    dataDir,
    databasePooler: pooler,
    databaseListenUrl: listenUrl,
    isBulk = false,
  } = where
  if (databaseUrl) {
    const { openPostgres } = await import('./postgres.ts')
    const primary = openPostgres(databaseUrl, { poolSize, pooler, listenUrl })
    if (!replicaUrl) return primary
    const { withReplica } = await import('./replica.ts')
    return withReplica(primary, openPostgres(replicaUrl, { poolSize, pooler }))
  }
  const { openEmbedded } = await import('./embedded/open-embedded.ts')
  return openEmbedded(join(dataDir, 'database'), { isBulk })
}
