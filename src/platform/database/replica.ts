import { setTimeout as pause } from 'node:timers/promises'
import type { QueryResult } from 'kysely'
import { databaseIdentity } from './database-identity.ts'
import type { Engine, Query, ReplicaReport } from './engine.ts'
import { reportListRead } from './list-reads.ts'
import { UnfitReplica } from './unfit-replica.ts'

/** How long a read waits for the replica to replay everything that was committed before it. */
const catchUpMilliseconds = 100
const askAgainMilliseconds = 5
/** How long a replica is left alone after it was behind or did not respond. */
const coolDownMilliseconds = 1_000
/** The timeout of a read, so that a replica that has vanished does not delay a request for long. */
const readMilliseconds = 5_000
/** The least time for which a replica has to be passed over to be worth a line in the log. */
const reportAfterMilliseconds = 5_000
const closeMilliseconds = 1_000

/**
 * The identity of a database within its cluster: the same for a server and its replicas. The time line that a replica follows is the one that
 * it receives, which a role without `pg_read_all_stats` does not see; then the one of its last restart point, which is a few minutes old.
 */
const identityOf: Query = {
  sql: `select pg_is_in_recovery() as "isReplica", ${databaseIdentity} as database,
    greatest((select received_tli from pg_stat_wal_receiver), (select timeline_id from pg_control_checkpoint()),
      (select min_recovery_end_timeline from pg_control_recovery())) as followed`,
  parameters: [],
}
interface Identity {
  isReplica: boolean
  database: string
  followed: number
}
/** The name of the log file begins with the time line, which a promotion changes. */
const writtenSoFar: Query = {
  sql: `select pg_current_wal_lsn()::text as position, left(pg_walfile_name(pg_current_wal_lsn()), 8) as "timeLine"`,
  parameters: [],
}
const hasReplayed = (position: string): Query => ({
  sql: 'select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn as replayed',
  parameters: [position],
})

interface Written {
  position: string
  timeLine: string
}
interface StateOfPrimary extends Written {
  /** Undefined when the replica has proven to be one of this time line. */
  identity: Identity | undefined
}

/** Whether a server is a replica of the primary, and how far it has followed it. */
function followerOf(primary: Engine, replica: Engine) {
  /** The time line of the primary on which it has proven to be its replica since it was last passed over. */
  let provenOn: string | undefined

  const identityAt = async (engine: Engine) => (await engine.pointRead<Identity>(identityOf)).rows[0] as Identity

  /** Proves the identity first, since the log positions of two unrelated servers, and of two time lines, can be compared, too. */
  async function prove({ database }: Identity, timeLine: string): Promise<void> {
    const ofReplica = await identityAt(replica)
    if (!ofReplica.isReplica) throw new UnfitReplica('it is no replica, it takes writes itself', 'Name a streaming replica of DATABASE_URL')
    if (ofReplica.database !== database) {
      throw new UnfitReplica('it is a replica of another database', 'Name a streaming replica of DATABASE_URL, with the same database')
    }
    if (ofReplica.followed !== Number.parseInt(timeLine, 16)) {
      throw new UnfitReplica(
        'it has not followed the primary since a failover',
        'Look at pg_stat_wal_receiver there, and rewind it if it is empty',
      )
    }
    provenOn = timeLine
  }

  return {
    doubt: () => {
      provenOn = undefined
    },

    /** The state that the replica must have reached. When it cannot be determined, the primary is gone, and all callers fail. */
    async stateOfPrimary(): Promise<StateOfPrimary> {
      const [{ rows }, identity] = await Promise.all([
        primary.pointRead<Written>(writtenSoFar),
        provenOn === undefined ? identityAt(primary) : undefined,
      ])
      const written = rows[0] as Written
      return { ...written, identity: identity ?? (written.timeLine === provenOn ? undefined : await identityAt(primary)) }
    },

    /** @throws UnfitReplica, or why it cannot be asked */
    async catchUp({ position, timeLine, identity }: StateOfPrimary, milliseconds: number): Promise<void> {
      if (identity) await prove(identity, timeLine)
      const until = performance.now() + milliseconds
      for (;;) {
        const [state] = (await replica.pointRead<{ replayed: boolean | null }>(hasReplayed(position))).rows
        if (state?.replayed) return
        if (performance.now() >= until) {
          throw new UnfitReplica(
            `it is behind: after ${milliseconds} ms it has not replayed what the primary had written`,
            'Look at pg_stat_replication there',
          )
        }
        await pause(askAgainMilliseconds)
      }
    },
  }
}

/** Why lists would not be read from a server now; undefined if they would. Asked as patiently as when a service starts. */
export async function whyPassedOver(primary: Engine, replica: Engine): Promise<Error | undefined> {
  const { stateOfPrimary, catchUp } = followerOf(primary, replica)
  const wanted = await stateOfPrimary()
  return within(2 * readMilliseconds, catchUp(wanted, readMilliseconds)).then(
    () => undefined,
    (error: Error) => error,
  )
}

/**
 * An engine that may run {@link Engine.listRead} on a replica, once it has replayed everything that the primary had committed when the
 * read began. So no reader misses earlier writes of any process. A replica that is behind or gone is passed over.
 */
export function withReplica(primary: Engine, replica: Engine): Engine {
  let coolDownUntil = 0
  let passedOverSince: number | undefined
  let isReported = false
  let report: ReplicaReport | undefined

  const { doubt, stateOfPrimary, catchUp } = followerOf(primary, replica)

  function passOver(error: Error, reportAfter = reportAfterMilliseconds): void {
    const now = performance.now()
    coolDownUntil = now + coolDownMilliseconds
    doubt()
    passedOverSince ??= now
    if (isReported || now - passedOverSince < reportAfter) return
    isReported = true
    report?.passedOver(error)
  }

  function noteReading(): void {
    if (isReported) report?.readAgain(Math.round(performance.now() - (passedOverSince ?? 0)))
    passedOverSince = undefined
    isReported = false
  }

  async function readReplica<Row>(query: Query, setUp: Query | undefined): Promise<QueryResult<Row> | undefined> {
    if (performance.now() < coolDownUntil) return undefined
    const wanted = await stateOfPrimary()
    try {
      await within(2 * catchUpMilliseconds, catchUp(wanted, catchUpMilliseconds))
      const result = await within(readMilliseconds, replica.execute<Row>(query, setUp))
      noteReading()
      return result
    } catch (error) {
      // The primary will report any mistake in the statement itself.
      passOver(error as Error)
      return undefined
    }
  }

  return {
    ...primary,
    async listRead<Row>(query: Query, setUp?: Query) {
      const result = await readReplica<Row>(query, setUp)
      reportListRead(result ? 'replica' : 'primary')
      return result ?? primary.execute<Row>(query, setUp)
    },
    watchReplica(given) {
      report = given
      // This has a longer timeout than a read: it opens the connections, and the replica may just have started.
      stateOfPrimary().then(
        (wanted) => within(2 * readMilliseconds, catchUp(wanted, readMilliseconds)).then(noteReading, (error: Error) => passOver(error, 0)),
        () => {},
      )
    },
    async close() {
      report = undefined
      // A replica that has vanished never ends its connections.
      await Promise.all([primary.close(), within(closeMilliseconds, replica.close()).catch(() => {})])
    },
  }
}

/** @throws UnfitReplica when it takes longer */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const patience = new AbortController()
  work.catch(() => {})
  const late = pause(milliseconds, undefined, { signal: patience.signal }).then(() => {
    throw new UnfitReplica(`it has not responded within ${milliseconds} ms`, 'Start it, or let the network and its firewalls through')
  })
  late.catch(() => {})
  try {
    return await Promise.race([work, late])
  } finally {
    patience.abort()
  }
}
