import { setTimeout as pause } from 'node:timers/promises'
import type { QueryResult } from 'kysely'
import type { Engine, Query } from './engine.ts'

/** How long a read waits for what was committed before it to arrive at the replica. */
const catchUpMilliseconds = 100
const askAgainMilliseconds = 5
/** How long a replica is left alone that was behind or did not respond. */
const restMilliseconds = 1_000
/** A replica that is gone without a word must not hold a request for long. */
const readMilliseconds = 5_000

const writtenSoFar: Query = { sql: 'select pg_current_wal_lsn()::text as position', parameters: [] }
/** Of a server that is no replica it is null, which is not `true`. */
const hasReplayed = (position: string): Query => ({
  sql: 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as replayed',
  parameters: [position],
})

/**
 * An engine whose {@link Engine.listRead} may be answered by a replica: by one that has replayed everything that the primary had
 * committed when the read began. So nobody misses what was written before, by whichever process. A replica that is behind or gone is passed over.
 */
export function withReplica(primary: Engine, replica: Engine): Engine {
  let restUntil = 0

  async function hasCaughtUp(): Promise<boolean> {
    const [now] = (await primary.pointRead<{ position: string }>(writtenSoFar)).rows
    if (!now) return false
    const until = performance.now() + catchUpMilliseconds
    for (;;) {
      const [state] = (await replica.pointRead<{ replayed: boolean | null }>(hasReplayed(now.position))).rows
      if (state?.replayed !== false) return state?.replayed === true
      if (performance.now() >= until) return false
      await pause(askAgainMilliseconds)
    }
  }

  async function readReplica<Row>(query: Query, setUp: Query | undefined): Promise<QueryResult<Row> | undefined> {
    if (performance.now() < restUntil) return undefined
    try {
      if (await within(2 * catchUpMilliseconds, hasCaughtUp())) return await within(readMilliseconds, replica.execute<Row>(query, setUp))
    } catch {
      // Whatever is wrong with the statement itself, the primary will say.
    }
    restUntil = performance.now() + restMilliseconds
    return undefined
  }

  return {
    ...primary,
    listRead: async <Row>(query: Query, setUp?: Query) => (await readReplica<Row>(query, setUp)) ?? primary.execute<Row>(query, setUp),
    async close() {
      await Promise.all([primary.close(), replica.close()])
    },
  }
}

/** @returns undefined when it takes longer */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  const patience = new AbortController()
  work.catch(() => {})
  try {
    return await Promise.race([work, pause(milliseconds, undefined, { signal: patience.signal }).catch(() => undefined)])
  } finally {
    patience.abort()
  }
}
