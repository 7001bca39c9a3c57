import { type SelectQueryBuilder, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** A column that a list can be ordered by: never null, and with an index that ends in the id. `time` holds a timestamptz, else text. */
export type SortColumn = string | { readonly time: string }

/** An order of records. The id breaks ties, so that every record has its place. */
export interface Order {
  readonly column: SortColumn
  readonly idColumn: string
  readonly descending: boolean
}

/** The place of a record in an order. */
export interface Position {
  readonly key: string | Date
  readonly id: string
}

type Query<T extends keyof Tables, Row> = SelectQueryBuilder<Tables, T, Row>

const nameOf = (column: SortColumn): string => (typeof column === 'string' ? column : column.time)

/** At most `limit` rows that come after the position, from the start without one, each with its `sortKey`. */
export async function readPage<T extends keyof Tables, Row>(
  query: Query<T, Row>,
  { column, idColumn, descending }: Order,
  limit: number,
  after: Position | undefined,
): Promise<(Row & { sortKey: string | Date })[]> {
  const [key, id] = [sql.ref(nameOf(column)), sql.ref(idColumn)]
  const beyond = sql.raw(descending ? '<' : '>')
  const direction = descending ? 'desc' : 'asc'
  const byId = column === idColumn
  const rows = await query
    .select(sql<string | Date>`${key}`.as('sortKey'))
    .$if(after !== undefined, (paged) =>
      paged.where(
        byId ? sql<boolean>`${id} ${beyond} ${after?.id}` : sql<boolean>`(${key}, ${id}) ${beyond} (${after?.key}, ${after?.id})`,
      ),
    )
    .$if(!byId, (ordered) => ordered.orderBy(key, direction))
    .orderBy(id, direction)
    .limit(limit)
    .execute()
  return rows as (Row & { sortKey: string | Date })[]
}

export async function countRows<T extends keyof Tables, Row>(query: Query<T, Row>): Promise<number> {
  const { count } = await query.clearSelect().select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  return count as number
}

// Sorts after every character that can follow the prefix.
const lastCodePoint = '\u{10ffff}'

/** Only rows of which one of these columns, lower-cased and of collation "C", begins with the text in any letter case. */
export function wherePrefix<T extends keyof Tables, Row>(query: Query<T, Row>, columns: readonly string[], prefix: string): Query<T, Row> {
  // Not LIKE: it is not leakproof, so under row-level security no index would serve it.
  const ranges = columns.map((column) => {
    const key = sql.ref(column)
    return sql<boolean>`(${key} >= lower(${prefix}) and ${key} < lower(${prefix}) || ${lastCodePoint})`
  })
  return query.where(sql<boolean>`(${sql.join(ranges, sql` or `)})`)
}
