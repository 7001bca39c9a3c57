import { type RawBuilder, sql } from 'kysely'
import type { System, Tenant } from '../platform/database/database.ts'
import type { TenantTable } from './rules.ts'

export type Row = Readonly<Record<string, unknown>>

/**
 * The rows of an organisation in the order of the primary key, a page at a time.
 *
 * @param condition selects a part of the rows
 */
export async function* pagesOf(
  queries: Tenant | System,
  organisationId: string,
  { name, key }: Pick<TenantTable, 'name' | 'key'>,
  { pageSize, condition = sql`true` }: { pageSize: number; condition?: RawBuilder<unknown> | undefined },
): AsyncGenerator<Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  let after = sql`true`
  while (true) {
    const { rows } = await sql<Row>`
      select * from ${sql.table(name)}
      where organisation_id = ${organisationId} and ${condition} and ${after}
      order by ${columns} limit ${pageSize}`.execute(queries)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageSize) return
    after = sql`(${columns}) > (${sql.join(key.map((column) => last[camelCase(column)]))})`
  }
}

export const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
