import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { isPlannedEachTime } from './planned-each-time.ts'
import { isStalePlan } from './until-it-runs.ts'

const namedStatementsMax = 1_000
const int8 = 20

/** How values are read, for every connection: a bigint is a number. */
export const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

/** A statement as it can be sent to another thread. */
export type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>

export type RunStatement = <Row extends pg.QueryResultRow>(client: pg.ClientBase, statement: Statement) => Promise<pg.QueryResult<Row>>

/**
 * Runs every statement as a named, prepared one: planning would cost more than running it. The number of names is bounded;
 * statements beyond it run unnamed, and so do those that ask for it.
 */
export function namedStatements(): RunStatement {
  const names = new Map<string, string>()
  let namesGiven = 0

  function nameOf(sql: string): string | undefined {
    if (isPlannedEachTime(sql)) return undefined
    let name = names.get(sql)
    if (!name && names.size < namedStatementsMax) {
      name = `gatehouse_${++namesGiven}`
      names.set(sql, name)
    }
    return name
  }

  return (client, { sql, parameters }) => {
    const name = nameOf(sql)
    return client.query({ ...(name && { name }), text: sql, values: parameters as unknown[] }).catch((error: unknown) => {
      if (isStalePlan(error)) names.delete(sql)
      throw error
    })
  }
}
