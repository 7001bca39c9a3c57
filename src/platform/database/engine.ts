import type { CompiledQuery, QueryResult } from 'kysely'

/** A statement with its values, which can be sent to another thread. */
export type Query = Pick<CompiledQuery, 'sql' | 'parameters'>

/** A connection inside a transaction. */
export interface EngineTransaction {
  execute<Row>(query: Query): Promise<QueryResult<Row>>
}

export interface ReplicaReport {
  /** Called when no list has been read from the replica for seconds. */
  passedOver(error: Error): void
  readAgain(milliseconds: number): void
}

/** Gives the space of deleted rows to new ones, or finds out how values are spread. */
export type Maintenance = 'vacuum' | 'analyze'

/** The backup from which the embedded database was restored, if any. */
export interface Origin {
  restored: { id: string; asOf: string; release: string; former: string | null } | undefined
  /** Whether the database has just been restored. */
  isFirstStart: boolean
  /** The restore that this start could not finish, so that the database is the former one. */
  undone: { id: string; reason: string } | undefined
}

/**
 * One of the two databases that the service runs on. Only `platform/database` and the code that opens it use this interface. Both return
 * the same types: timestamptz is a Date, bigint a number, jsonb is parsed.
 */
export interface Engine {
  readonly kind: 'postgres' | 'pglite'
  /**
   * Runs one statement by itself. `setUp`, if given, runs before it in the same transaction and the same round trip. With it, the
   * connection is one that sees no organisation by default; without it, one that sees every organisation.
   */
  execute<Row>(query: Query, setUp?: Query): Promise<QueryResult<Row>>
  /**
   * Runs one statement that finds a few rows by their key, as {@link execute} would. It may share a connection with other point reads, so
   * it must not be slow, lock, or write: later ones would wait for it.
   */
  pointRead<Row>(query: Query, setUp?: Query): Promise<QueryResult<Row>>
  /**
   * Reads rows as {@link execute} would, perhaps from a replica that has
   * everything that was committed before. An engine without a replica lacks it.
   */
  listRead?<Row>(query: Query, setUp?: Query): Promise<QueryResult<Row>>
  /** Tries the replica behind {@link listRead}, and reports from now on when it is passed over. An engine without a replica lacks it. */
  watchReplica?(report: ReplicaReport): void
  /**
   * Runs one statement that changes a few rows by their key, as {@link execute} would. It may share a commit with others, so it
   * must not be slow, nor wait for anything but rows.
   *
   * @param key equal for two statements that change the same row
   */
  keyedWrite<Row>(query: Query, key: string): Promise<QueryResult<Row>>
  /** Runs `work` in a transaction that commits when it returns and rolls back when it throws. May run it again: see `Database`. */
  transaction<T>(work: (transaction: EngineTransaction) => Promise<T>, setUp?: Query): Promise<T>
  /** Runs `work` in a transaction as the owner of the tables: for migrations, which change them. */
  ownerTransaction<T>(work: (transaction: EngineTransaction) => Promise<T>): Promise<T>
  /** Runs one statement as the owner outside of a transaction, where PostgreSQL requires that. The embedded database lacks it. */
  ownerStatement?<Row>(query: Query): Promise<QueryResult<Row>>
  /** Calls back at every NOTIFY on the channel, and once whenever notices may have been missed. */
  listen(channel: string, onNotice: () => void): Promise<void>
  /** Copies the files of the embedded database, as they are between two statements, into a new folder. PostgreSQL has its own tools. */
  backUp?(folder: string): Promise<void>
  /** The origin of the embedded database. */
  readonly origin?: Origin
  /** Looks after a table of the embedded database. A server does so by itself. */
  maintain?(work: Maintenance, table: string): Promise<void>
  /** Waits for running statements, then closes. */
  close(): Promise<void>
}
