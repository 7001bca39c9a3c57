import type { Engine, EngineTransaction, Query } from '../platform/database/engine.ts'

/** The rows of every table, each as JSON text, so that no value changes on its way. */
export type StoredRows = ReadonlyMap<string, string>

interface Table {
  name: string
  columns: string[]
}

/** Reads all rows of the embedded database. */
export async function readRows(engine: Engine): Promise<StoredRows> {
  return engine.ownerTransaction(async (owner) => rowsOf(owner, await tablesOf(owner)))
}

/**
 * Puts the rows back as they were. Triggers and foreign keys do not act meanwhile: the rows were consistent when they were read.
 */
export async function restoreRows(engine: Engine, rows: StoredRows): Promise<void> {
  await engine.ownerTransaction(async (owner) => {
    const tables = await tablesOf(owner)
    const present = await rowsOf(owner, tables)
    await owner.execute(query('set local session_replication_role = replica'))
    for (const { name, columns } of tables) {
      const before = rows.get(name)
      if (before === present.get(name)) continue
      if (present.has(name)) await owner.execute(query(`delete from ${quoted(name)}`))
      const names = columns.map(quoted).join(', ')
      const insert = `insert into ${quoted(name)} (${names}) overriding system value
        select ${names} from json_populate_recordset(null::${quoted(name)}, $1::json)`
      if (before !== undefined) await owner.execute(query(insert, [before]))
    }
  })
}

/** The tables with the columns that are written: the database computes the others. */
async function tablesOf(owner: EngineTransaction): Promise<Table[]> {
  const { rows } = await owner.execute<Table>(
    query(`select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
      group by c.relname order by c.relname`),
  )
  return rows
}

async function rowsOf(owner: EngineTransaction, tables: readonly Table[]): Promise<StoredRows> {
  const ofEach = tables.map(({ name }) => `select '${name}' as name, (select json_agg(t)::text from ${quoted(name)} t) as rows`)
  const { rows } = await owner.execute<{ name: string; rows: string | null }>(query(ofEach.join(' union all ')))
  return new Map(rows.flatMap(({ name, rows }) => (rows === null ? [] : [[name, rows]])))
}

const query = (sql: string, parameters: unknown[] = []): Query => ({ sql, parameters })
/** The names come from the catalogue of the database. */
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
