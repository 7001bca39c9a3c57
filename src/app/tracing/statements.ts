export interface StatementNames {
  name: string
  operation: string
  table: string | undefined
}

const textLength = 2_000

/**
 * The operation and the first table of a statement. A statement that changes something is named after that part, even behind a `with`.
 *
 * @param sql with `$1` in the place of each value
 */
export function namesOf(sql: string): StatementNames {
  const [, change, changed] = /\b(insert into|update|delete from)\s+"?([a-z_]+)"?/i.exec(sql.replace(/\bfor update\b/gi, '')) ?? []
  const operation = change?.split(' ')[0]?.toUpperCase() ?? /[a-z]+/i.exec(sql)?.[0].toUpperCase() ?? 'SQL'
  const table = changed ?? /\bfrom\s+"?([a-z_]+)"?/i.exec(sql)?.[1]
  return { name: table === undefined ? operation : `${operation} ${table}`, operation, table }
}

/** A statement as a span shows it, on one line. The literals of our statements hold no user data, but they are not needed. */
export const textOf = (sql: string): string =>
  sql
    .replace(/\s+/g, ' ')
    .replace(/'(?:[^']|'')*'/g, '?')
    .trim()
    .slice(0, textLength)
