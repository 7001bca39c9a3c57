import type { PGlite, PGliteInterface, Transaction } from '@electric-sql/pglite'
import type { CompiledQuery, QueryResult } from 'kysely'
import type { Engine } from '../engine.ts'

/** PostgreSQL embedded in the process. It has one connection, which transactions take in turn. */
export function usePglite(pglite: PGlite): Engine {
  async function run<Row>(connection: PGliteInterface | Transaction, query: CompiledQuery): Promise<QueryResult<Row>> {
    const result = await connection.query<Row>(query.sql, query.parameters as unknown[])
    return { rows: result.rows, numAffectedRows: BigInt(result.affectedRows ?? 0) }
  }

  const transaction: Engine['transaction'] = (work, setUp) =>
    pglite.transaction(async (connection) => {
      if (setUp) await run(connection, setUp)
      return work({ execute: (query) => run(connection, query) })
    }) as ReturnType<typeof work>

  return {
    kind: 'pglite',
    execute: (query, setUp) => (setUp ? transaction((connection) => connection.execute(query), setUp) : run(pglite, query)),
    lookUp: (query) => run(pglite, query),
    transaction,
    async listen(channel, onNotice) {
      await pglite.listen(channel, onNotice)
    },
    close: () => pglite.close(),
  }
}
