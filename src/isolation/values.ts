/** Values of existing records, and values of the same form that no record has. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { System } from '../platform/database/database.ts'

export async function readColumn(
  system: System,
  { table, column }: { table: string; column: string },
  organisationId: string,
): Promise<string> {
  const owner = table === 'organisations' ? 'id' : 'organisation_id'
  const { rows } = await sql<{ value: string }>`
    select ${sql.id(column)}::text as value from ${sql.id(table)} where ${sql.id(owner)} = ${organisationId} and ${sql.id(column)} is not null
    order by 1 limit 1`.execute(system)
  if (!rows[0]) throw new Error(`A throw-away organisation has no ${column} in ${table}: src/isolation/rows.ts makes the rows`)
  return rows[0].value
}

/** A value of the same form that exists nowhere: the last twelve letters, before the end of an address, are replaced. */
export function neverIssued(value: string): string {
  const end = /\.test$/.exec(value)?.[0] ?? ''
  const other = Array.from(randomBytes(12), (byte) => crockfordLetters[byte % crockfordLetters.length]).join('')
  return `${value.slice(0, value.length - end.length - 12)}${other}${end}`
}

const crockfordLetters = 'abcdefghjkmnpqrstvwxyz'
