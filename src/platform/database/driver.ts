import pg from 'pg'
import type { Query } from './engine.ts'
import { isPlannedEachTime } from './planned-each-time.ts'
import { isStalePlan } from './retry.ts'

const namedStatementsMax = 1_000
/** Characters. What is longer lists very many rows, and seldom as many again. */
const namedTextMax = 10_000
const int8 = 20

/** How values are read, for every connection: a bigint is a number. */
export const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

export type RunQuery = <Row extends pg.QueryResultRow>(client: pg.ClientBase, query: Query) => Promise<pg.QueryResult<Row>>

/**
 * Runs statements as named, prepared ones: planning would cost more than running them. Not those that ask to be planned each
 * time, and none before it comes a second time, so that what a request makes up once (a PATCH of some fields, an insert of so
 * many rows) takes no name. When the names have run out, all are given up and given anew: those in use have one again at once,
 * and no connection holds more than so many statements, however many there are.
 */
export function namedStatements({ namesMax = namedStatementsMax } = {}): RunQuery {
  let names = new Map<string, string>()
  let seen = new Set<string>()
  let generation = 0
  let namesGiven = 0
  const generations = new WeakMap<pg.ClientBase, number>()

  function nameOf(sql: string): string | undefined {
    const name = names.get(sql)
    if (name !== undefined || isPlannedEachTime(sql) || sql.length > namedTextMax) return name
    if (!seen.has(sql)) {
      if (seen.size >= namesMax) seen = new Set()
      seen.add(sql)
      return undefined
    }
    if (names.size >= namesMax) {
      names = new Map()
      generation++
    }
    // Never a name again that was given up: a connection may still know it.
    const given = `gatehouse_${++namesGiven}`
    names.set(sql, given)
    return given
  }

  /** Has the connection forget the statements whose names were given up. */
  function forgetFormer(client: pg.ClientBase): void {
    const known = generations.get(client)
    generations.set(client, generation)
    if (known === undefined || known === generation) return
    const { connection } = client as pg.ClientBase & { connection: { parsedStatements: Record<string, string> } }
    connection.parsedStatements = {}
    // In a transaction that has failed it is refused, and the next time does it.
    client.query('deallocate all').catch(() => {})
  }

  return (client, { sql, parameters }) => {
    const name = nameOf(sql)
    forgetFormer(client)
    return client.query({ ...(name !== undefined && { name }), text: sql, values: parameters as unknown[] }).catch((error: unknown) => {
      if (isStalePlan(error)) names.delete(sql)
      throw error
    })
  }
}
