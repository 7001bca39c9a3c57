import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import { counted } from '../platform/text.ts'
import { type Check, failure, ok, size, someOf, warning } from './check.ts'

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
    const total = rows.reduce((sum, { bytes }) => sum + bytes, 0)
    const largest = rows.slice(0, 3).map(({ name, bytes, inserted, deleted, days }) => {
      const aDay = days && days >= 1 ? `, ${Math.round((inserted - deleted) / days)} rows a day more` : ''
      return `${name} ${size(bytes)}${aDay}`
    })
    return ok(`${counted(rows.length, 'table')}, ${size(total)}; the largest: ${largest.join('; ')}`)
  },
}

const deadRows: Check = {
  name: 'dead-rows',
  group: 'storage',
  title: 'The database removes the rows that are gone',
  needsSchema: true,
  async run({ database, thresholds }) {
    const { rows } = await sql<{ name: string; dead: number; live: number }>`
      select relname as name, n_dead_tup as dead, n_live_tup as live from pg_stat_user_tables
      where schemaname = current_schema() and n_dead_tup >= ${thresholds.deadRows} and n_dead_tup > n_live_tup / 4
      order by n_dead_tup desc`.execute(database.system())
    if (rows.length === 0) return ok(`No table has ${thresholds.deadRows} of them or more, and more than a fifth`)
    return warning(someOf(rows.map(({ name, dead, live }) => `${name} has ${dead} dead rows beside ${live}`)), {
      why: 'Statements read past them, and the files grow',
      remedy: `VACUUM (ANALYZE) ${rows.map(({ name }) => name).join(', ')}; and see that autovacuum is on and no transaction stays open for hours (pg_stat_activity.xact_start)`,
    })
  },
}

const unusedIndexes: Check = {
  name: 'unused-indexes',
  group: 'storage',
  title: 'Every large index is used',
  needsSchema: true,
  async run({ database, thresholds: { unusedIndexBytes, unusedIndexDays } }) {
    const system = database.system()
    const { rows } = await sql<{ name: string; bytes: number }>`
      select s.indexrelname as name, pg_relation_size(s.indexrelid) as bytes
      from pg_stat_user_indexes s join pg_index i on i.indexrelid = s.indexrelid
      where s.schemaname = current_schema() and s.idx_scan = 0 and not i.indisunique
        and pg_relation_size(s.indexrelid) >= ${unusedIndexBytes}
        and (select coalesce(stats_reset, pg_postmaster_start_time()) from pg_stat_database where datname = current_database())
          <= ${system.now}::timestamptz - make_interval(days => ${unusedIndexDays}::int)
      order by bytes desc`.execute(system)
    if (rows.length === 0) return ok(`No index of ${size(unusedIndexBytes)} or more has been unused for ${unusedIndexDays} days`)
    return warning(someOf(rows.map(({ name, bytes }) => `${name} (${size(bytes)})`)), {
      why: 'Every write to the table has to write them, too',
      remedy: `If replicas do not use it either: DROP INDEX CONCURRENTLY ${rows[0]?.name}. Tell us: an index of the service is there for a statement`,
    })
  },
}

const disk: Check = {
  name: 'disk',
  group: 'storage',
  title: 'The disk of DATA_DIR has room',
  applies: ({ config }) => config.databaseUrl === undefined,
  async run({ config: { dataDir }, thresholds: { diskWarningBytes, diskFailureBytes } }) {
    const { bavail, blocks, bsize } = await statfs(dataDir)
    const free = bavail * bsize
    const seen = `${size(free)} of ${size(blocks * bsize)} are free`
    if (free >= diskWarningBytes) return ok(seen)
    return (free < diskFailureBytes ? failure : warning)(seen, {
      why: 'Without room the embedded database cannot write, and the service stops to answer',
      remedy: 'Make room on the disk, or move the data: stop the service, copy DATA_DIR to a larger disk, set DATA_DIR to it',
    })
  },
}

export const storageChecks: readonly Check[] = [tables, deadRows, unusedIndexes, disk]
