import type { Engine, Query } from './engine.ts'

/** The same database, but every transaction is rolled back at its end. */
export function rehearsing(engine: Engine): Engine {
  const transaction: Engine['transaction'] = async (work, setUp) => {
    let result: { of: Awaited<ReturnType<typeof work>> } | undefined
    const undo = new Error('a rehearsal')
    await engine
      .transaction(async (connection) => {
        result = { of: await work(connection) }
        throw undo
      }, setUp)
      .catch((error: unknown) => {
        if (error !== undo) throw error
      })
    return (result as { of: Awaited<ReturnType<typeof work>> }).of
  }
  return {
    ...engine,
    execute: <Row>(query: Query, setUp?: Query) => transaction((connection) => connection.execute<Row>(query), setUp),
    listRead: <Row>(query: Query, setUp?: Query) => transaction((connection) => connection.execute<Row>(query), setUp),
    keyedWrite: <Row>(query: Query) => transaction((connection) => connection.execute<Row>(query)),
    transaction,
  }
}
