import { AsyncLocalStorage } from 'node:async_hooks'
import {
  CamelCasePlugin,
  CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  PostgresAdapter,
  PostgresQueryCompiler,
  QueryCreator,
  type QueryExecutor,
  type QueryExecutorProvider,
} from 'kysely'
import type { Clock } from '../clock.ts'
import type { Engine, EngineTransaction, Maintenance, Query } from './engine.ts'
import { HeldCommit, holding, withoutBeginning } from './held-commit.ts'
import type { Channel } from './locks-and-channels.ts'
import type { KeyedValues, Statement } from './statement.ts'
import type { Tables } from './tables.ts'

/** Queries in the database; only a {@link Database} makes one. */
class Queries extends QueryCreator<Tables> implements QueryExecutorProvider {
  /** The time of this unit of work, the same for every row that it writes. */
  readonly now: Date
  readonly #executor: QueryExecutor

  constructor(executor: QueryExecutor, now: Date) {
    super({ executor })
    this.#executor = executor
    this.now = now
  }

  /** Lets Kysely's `sql` templates run here. */
  getExecutor(): QueryExecutor {
    return this.#executor
  }

  async run<Values extends object, Row>(statement: Statement<Values, Row>, values: Values): Promise<Row[]> {
    const { sql, parameters } = statement.with(values)
    return (await this.#executor.executeQuery<Row>(CompiledQuery.raw(sql, [...parameters]) as CompiledQuery<Row>)).rows
  }
}

/**
 * The data of one organisation only: row-level security applies whatever the
 * query says. Inserted rows belong to the organisation without naming it.
 */
export class Tenant extends Queries {
  readonly organisationId: string
  /** Whether all changes here will be rolled back: {@link Database.rehearse}. */
  readonly isRehearsal: boolean

  constructor(executor: QueryExecutor, now: Date, organisationId: string, isRehearsal = false) {
    super(executor, now)
    this.organisationId = organisationId
    this.isRehearsal = isRehearsal
  }
}

/** Builds statements that all organisations share, so it has neither the organisation nor the time of one of them. */
export type SharedReads = Pick<Tenant, 'selectFrom'>

/** The data of every organisation: for lookups without a tenant (a cookie, a client_id), for jobs and the operator. */
export class System extends Queries {
  /** Distinguishes System from Tenant in the type checker, although both can query. */
  declare readonly everyOrganisation: true
}

export interface HeldWork {
  /** Runs work, and whatever follows from it, with this commit. */
  run<T>(work: () => T): T
  /** Commits the changes of the work together with those of `last`. From then on, every change commits by itself again. */
  commit(last?: (system: System) => Promise<void>): Promise<void>
}

/** The only access to the data. */
export interface Database {
  readonly clock: Clock
  /** Whether the database serves only this process. */
  readonly isEmbedded: boolean
  /**
   * Finds the row of a key by a statement that every process may run very often. It may share a connection with other reads, so it must
   * not be slow, lock, or write. Row-level security does not restrict it to an organisation: the statement has to.
   */
  pointRead<Values extends object, Row>(statement: Statement<Values, Row>, values: Values): Promise<Row | undefined>
  /**
   * Changes a few rows of one organisation by their key. It may share a commit with other writes, so it must not be slow, nor wait for
   * anything but rows. Row-level security does not restrict it to the organisation: the statement has to.
   *
   * @returns the row that the statement returns, undefined when it changed none
   */
  keyedWrite<Values extends KeyedValues, Row>(statement: Statement<Values, Row>, values: Values): Promise<Row | undefined>
  /** For single statements of one organisation, each in a transaction and a round trip of its own. */
  tenant(organisationId: string): Tenant
  /** The same for statements that find a few rows by their key. Like {@link pointRead}, they may share a connection. */
  pointReads(organisationId: string): Tenant
  /**
   * For lists, exports and the audit log: {@link tenant}, whose statements may read from a replica. They see everything that was committed
   * before; they must not write.
   */
  listReads(organisationId: string): Tenant
  /** The same for small pages: {@link pointReads} where there is no replica. */
  pointListReads(organisationId: string): Tenant
  /** {@link listReads} over all organisations. */
  systemListReads(): System
  /**
   * Runs `work` on one organisation's data; commits when it returns, rolls back when it throws. After a deadlock or a serialisation
   * failure it runs `work` again, so `work` has no effects outside the database: mails, logs and requests follow the commit.
   */
  transaction<T>(organisationId: string, work: (tenant: Tenant) => Promise<T>): Promise<T>
  /**
   * Runs `work` and rolls it back, for requests that must take the same time whether or not there is anything to do.
   */
  rehearse(organisationId: string, work: (tenant: Tenant) => Promise<void>): Promise<void>
  /**
   * Prepares work whose first write begins a transaction that stays open until `commit`, so that the outcome is stored with the changes.
   *
   * @param begin the first statements of that transaction; when it throws, so does the first write
   */
  holdCommit(begin: (system: System) => Promise<void>): HeldWork
  /**
   * Runs work that reads what has been written: after the commit of {@link holdCommit}, otherwise at once. It reports its own failures, since
   * the changes stand.
   */
  afterCommit(work: () => Promise<void>): Promise<void>
  /** For single statements over all organisations. */
  system(): System
  /** The same for writes that are no change, such as counts: they do not begin the transaction of {@link holdCommit}. */
  counting(): System
  /** A {@link transaction} over all organisations. */
  systemTransaction<T>(work: (system: System) => Promise<T>): Promise<T>
  /** Looks after a table. Only the embedded database needs it. */
  maintain?(work: Maintenance, table: string): Promise<void>
  /** Calls back at every notice on the channel, and once whenever notices may have been missed. */
  listen(channel: Channel, onNotice: () => void): Promise<void>
  close(): Promise<void>
}

const compiler = new PostgresQueryCompiler()
const adapter = new PostgresAdapter()
const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })]

export function createDatabase(ownEngine: Engine, clock: Clock): Database {
  const heldCommits = new AsyncLocalStorage<HeldCommit>()
  const engine = holding(ownEngine, heldCommits)
  const reading = (read: Engine['execute']) => (organisationId: string) => {
    const setUp = setTenant(organisationId)
    return new Tenant(executorOn({ execute: (query) => read(query, setUp) }), clock.now(), organisationId)
  }
  return {
    clock,
    isEmbedded: engine.kind === 'pglite',
    pointRead: async <Values extends object, Row>(statement: Statement<Values, Row>, values: Values) =>
      (await engine.pointRead<Row>(statement.with(values))).rows[0],
    keyedWrite: async <Values extends KeyedValues, Row>(statement: Statement<Values, Row>, values: Values) =>
      (await engine.keyedWrite<Row>(statement.with(values), `${values.organisationId} ${values.key}`)).rows[0],
    tenant: reading(engine.execute),
    pointReads: reading(engine.pointRead),
    listReads: reading(engine.listRead ?? engine.execute),
    pointListReads: reading(engine.listRead ?? engine.pointRead),
    systemListReads: () => new System(executorOn({ execute: (query) => (engine.listRead ?? engine.execute)(query) }), clock.now()),
    transaction: (organisationId, work) =>
      engine.transaction(
        (connection) => untilItEnds(connection, (open) => work(new Tenant(executorOn(open), clock.now(), organisationId))),
        setTenant(organisationId),
      ),
    rehearse: async (organisationId, work) => {
      const undo = new Error('a rehearsal')
      const rehearsed = engine.transaction(async (connection) => {
        await untilItEnds(connection, (open) => work(new Tenant(executorOn(open), clock.now(), organisationId, true)))
        throw undo
      }, setTenant(organisationId))
      await rehearsed.catch((error: unknown) => {
        if (error !== undo) throw error
      })
    },
    holdCommit(begin) {
      const asSystem = (work: (system: System) => Promise<void>) => (connection: EngineTransaction) =>
        work(new System(executorOn(connection), clock.now()))
      const held = new HeldCommit(ownEngine, asSystem(begin))
      return { run: (work) => heldCommits.run(held, work), commit: (last) => held.commit(last && asSystem(last)) }
    },
    async afterCommit(work) {
      if (!heldCommits.getStore()?.defer(work)) await work()
    },
    system: () => new System(executorOn(engine), clock.now()),
    counting: () => new System(executorOn({ execute: withoutBeginning(ownEngine, heldCommits) }), clock.now()),
    systemTransaction: (work) =>
      engine.transaction((connection) => untilItEnds(connection, (open) => work(new System(executorOn(open), clock.now())))),
    ...(engine.maintain && { maintain: engine.maintain }),
    listen: (channel, onNotice) => engine.listen(channel, onNotice),
    close: () => engine.close(),
  }
}

/** Binds the rest of the transaction to one organisation: the row-level policies read the setting. */
function setTenant(organisationId: string): Query {
  return {
    sql: "select set_config('app.organisation_id', $1, true), set_config('role', 'gatehouse_tenant', true)",
    parameters: [organisationId],
  }
}

/** Refuses statements after the end of the work: by then, the connection may serve another organisation or all of them. */
async function untilItEnds<T>(connection: EngineTransaction, work: (open: EngineTransaction) => Promise<T>): Promise<T> {
  let hasEnded = false
  try {
    return await work({
      async execute(query) {
        if (hasEnded) throw new Error('The transaction has ended: what belongs to it has to be awaited in it')
        return connection.execute(query)
      },
    })
  } finally {
    hasEnded = true
  }
}

function executorOn(connection: EngineTransaction): QueryExecutor {
  const kyselyConnection: DatabaseConnection = {
    executeQuery: (query) => connection.execute(query),
    streamQuery: () => {
      throw new Error('Read a long list page by page: a cursor would hold a connection for as long as the slowest reader')
    },
  }
  return new DefaultQueryExecutor(compiler, adapter, { provideConnection: (consumer) => consumer(kyselyConnection) }, plugins)
}
