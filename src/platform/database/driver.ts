import pg from 'pg'
import type { Query } from './engine.ts'
import { isPlannedEachTime } from './planned-each-time.ts'
import { PreparedGroup, type PreparedStatement, type StatementResult, type WireValues, wireValuesOf } from './prepared-group.ts'
import { isStalePlan } from './retry.ts'

const namedStatementsMax = 1_000
/**
 * The length in characters beyond which a statement gets no name. Longer statements list very many rows, and rarely the same number again.
 */
const namedTextMax = 10_000
const int8 = 20

/** The parsers of every connection: a bigint becomes a number. */
export const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

export interface NamedStatements {
  run(client: pg.ClientBase, query: Query): Promise<StatementResult>
  /**
   * Runs statements in one transaction and one exchange, if the connection has prepared all of them.
   *
   * @returns undefined when one of them is not prepared: {@link run} prepares it
   */
  runPrepared(client: pg.ClientBase, queries: readonly Query[]): Promise<StatementResult[]> | undefined
}

/**
 * Runs statements as named, prepared ones, since planning would cost more than running them. A statement gets a name when it
 * runs for the second time, so that one-off statements (a PATCH of some fields, an insert of many rows) take none. Statements
 * that must be planned each time get none either. When the names run out, all are released: statements in use get a new one
 * with their next run, and no connection holds more than the maximum.
 *
 * @param options.isNamed false names none: a pooler runs each transaction on another connection
 */
export function namedStatements({ namesMax = namedStatementsMax, isNamed = true } = {}): NamedStatements {
  let names = new Map<string, string>()
  let seen = new Set<string>()
  let generation = 0
  let namesGiven = 0
  const generations = new WeakMap<pg.ClientBase, number>()
  /** The statements that each connection has prepared, by text. */
  const preparedOn = new WeakMap<pg.ClientBase, Map<string, PreparedStatement>>()

  function nameOf(sql: string): string | undefined {
    const name = names.get(sql)
    if (name !== undefined || !isNamed || isPlannedEachTime(sql) || sql.length > namedTextMax) return name
    if (!seen.has(sql)) {
      if (seen.size >= namesMax) seen = new Set()
      seen.add(sql)
      return undefined
    }
    if (names.size >= namesMax) {
      names = new Map()
      generation++
    }
    // Never reuse a released name: a connection may still have it prepared.
    const given = `gatehouse_${++namesGiven}`
    names.set(sql, given)
    return given
  }

  /** Deallocates the statements of the connection whose names were released. */
  function forgetFormer(client: pg.ClientBase): void {
    const known = generations.get(client)
    generations.set(client, generation)
    if (known === undefined || known === generation) return
    const { connection } = client as pg.ClientBase & { connection: { parsedStatements: Record<string, string> } }
    connection.parsedStatements = {}
    preparedOn.delete(client)
    // A failed transaction refuses this: they are then released with those of the next generation.
    client.query('deallocate all').catch(() => {})
  }

  function preparedBy(client: pg.ClientBase, sql: string): PreparedStatement | undefined {
    const statement = preparedOn.get(client)?.get(sql)
    // A statement whose plan was stale has another name by now.
    return statement?.name === names.get(sql) ? statement : undefined
  }

  function notePrepared(client: pg.ClientBase, sql: string, name: string, { fields }: pg.QueryResult): void {
    const columns = fields.map((field) => ({ name: field.name, parse: types.getTypeParser(field.dataTypeID, 'text') }))
    const prepared = preparedOn.get(client) ?? new Map<string, PreparedStatement>()
    preparedOn.set(client, prepared.set(sql, { name, columns }))
  }

  function runPrepared(client: pg.ClientBase, queries: readonly Query[]): Promise<StatementResult[]> | undefined {
    forgetFormer(client)
    const known: PreparedStatement[] = []
    const values: WireValues[] = []
    for (const { sql, parameters } of queries) {
      const statement = preparedBy(client, sql)
      const sent = statement && wireValuesOf(parameters)
      if (!sent) return undefined
      known.push(statement)
      values.push(sent)
    }
    const group = client.query(new PreparedGroup(known, values))
    return group.results.catch((error: unknown) => {
      const failed = queries[group.at]
      if (failed && isStalePlan(error)) names.delete(failed.sql)
      throw error
    })
  }

  async function prepareAndRun(client: pg.ClientBase, { sql, parameters }: Query): Promise<StatementResult> {
    const name = nameOf(sql)
    forgetFormer(client)
    try {
      const result = await client.query({ ...(name !== undefined && { name }), text: sql, values: parameters as unknown[] })
      if (name !== undefined && !preparedBy(client, sql)) notePrepared(client, sql, name, result)
      return result
    } catch (error) {
      if (isStalePlan(error)) names.delete(sql)
      throw error
    }
  }

  return {
    runPrepared,
    async run(client, query) {
      const results = await (runPrepared(client, [query]) ?? prepareAndRun(client, query))
      return Array.isArray(results) ? (results[0] as StatementResult) : results
    },
  }
}
