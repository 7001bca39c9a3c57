import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import { type Check, failure, ok, warning } from './check.ts'

const tables: Check = {
  name: 'table-sizes',
  group: 'storage',
  title: 'How large the tables are, and how fast they grow',
  needsSchema: true,
  async run({ database }) {
    const system = database.system()
    const { rows } = await sql<{ name: string; bytes: number; inserted: number; deleted: number; days: number | null }>`
      select s.relname as name, pg_total_relation_size(s.relid) as bytes, s.n_tup_ins as inserted, s.n_tup_del as deleted,
        (select extract(epoch from ${system.now}::timestamptz - stats_reset) / 86400
          from pg_stat_database where datname = current_database())::float8 as days
      from pg_stat_user_tables s where s.schemaname = current_schema() order by bytes desc`.execute(system)
    const largest = rows.slice(0, 3).map(({ name, bytes, inserted, deleted, days }) => ({
      table: name,
      bytes,
      rowsADay: days && days >= 1 ? Math.round((inserted - deleted) / days) : null,
    }))
    return ok('table-sizes', { tables: rows.length, totalBytes: rows.reduce((sum, { bytes }) => sum + bytes, 0), largest })
  },
}

const deadRows: Check = {
  name: 'dead-rows',
  group: 'storage',
  title: 'The database removes the rows that are gone',
  needsSchema: true,
  async run({ database, thresholds }) {
    const { rows } = await sql<{ table: string; dead: number; live: number }>`
      select relname as "table", n_dead_tup as dead, n_live_tup as live from pg_stat_user_tables
      where schemaname = current_schema() and n_dead_tup >= ${thresholds.deadRows} and n_dead_tup > n_live_tup / 4
      order by n_dead_tup desc`.execute(database.system())
    if (rows.length === 0) return ok('dead-rows-removed', { rowsMax: thresholds.deadRows })
    return warning('dead-rows-left', { tables: [...rows] })
  },
}

const unusedIndexes: Check = {
  name: 'unused-indexes',
  group: 'storage',
  title: 'Every large index is used',
  needsSchema: true,
  async run({ database, thresholds: { unusedIndexBytes, unusedIndexDays } }) {
    const system = database.system()
    const { rows } = await sql<{ index: string; bytes: number }>`
      select s.indexrelname as index, pg_relation_size(s.indexrelid) as bytes
      from pg_stat_user_indexes s join pg_index i on i.indexrelid = s.indexrelid
      where s.schemaname = current_schema() and s.idx_scan = 0 and not i.indisunique
        and pg_relation_size(s.indexrelid) >= ${unusedIndexBytes}
        and (select coalesce(stats_reset, pg_postmaster_start_time()) from pg_stat_database where datname = current_database())
          <= ${system.now}::timestamptz - make_interval(days => ${unusedIndexDays}::int)
      order by bytes desc`.execute(system)
    if (rows.length === 0) return ok('indexes-used', { fromBytes: unusedIndexBytes, days: unusedIndexDays })
    return warning('indexes-unused', { indexes: [...rows] })
  },
}

const disk: Check = {
  name: 'disk',
  group: 'storage',
  title: 'The disk of DATA_DIR has room',
  applies: ({ config }) => config.databaseUrl === undefined,
  async run({ config: { dataDir }, thresholds: { diskWarningBytes, diskFailureBytes } }) {
    const { bavail, blocks, bsize } = await statfs(dataDir)
    const values = { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
    if (values.freeBytes >= diskWarningBytes) return ok('disk-has-room', values)
    return (values.freeBytes < diskFailureBytes ? failure : warning)('disk-nearly-full', values)
  },
}

export const storageChecks: readonly Check[] = [tables, deadRows, unusedIndexes, disk]
