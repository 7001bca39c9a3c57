import process from 'node:process'
import pg from 'pg'
import { onServer, urlOf } from '../../test/support/database-server.ts'
import { startPostgres } from '../../test/support/postgres-server.ts'
import { cpuMillisecondsOf } from './cpu.ts'

/** The load that a measured process causes in one database of a PostgreSQL server. */
export interface DatabaseLoad {
  /** CPU milliseconds so far of each backend that is connected to the database, by its process id. */
  backends(): Promise<Map<number, number>>
  /** Collects the planner's statistics, as autovacuum would a minute later. */
  analyze(): Promise<void>
  /** Statements that `work` has run in the database, transaction control included. */
  countStatements(work: () => Promise<unknown>): Promise<number>
}

/** CPU milliseconds between two readings. A backend that was closed in between had been idle and does not count. */
export function spentBetween(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number {
  return [...after].reduce((sum, [pid, milliseconds]) => sum + milliseconds - (before.get(pid) ?? 0), 0)
}

/**
 * A PostgreSQL of the benchmark's own that stores its data durably, as in production, and can count statements. `DATABASE_URL`
 * names another one of this machine, such as another release. Its user must be a superuser, with pg_stat_statements preloaded.
 */
export async function startMeasuredPostgres() {
  const url = process.env.DATABASE_URL
  const server = url
    ? { url, stop: async () => {} }
    : await startPostgres({ durable: true, flags: ['-c', 'shared_preload_libraries=pg_stat_statements'] })
  const observer = new pg.Client({ connectionString: server.url })
  await observer.connect()
  await observer.query('create extension if not exists pg_stat_statements')
  const track = async (what: 'none' | 'all') => {
    await observer.query(`alter system set pg_stat_statements.track = '${what}'`)
    await observer.query('select pg_reload_conf()')
  }
  // Counting takes time, so it is enabled only while statements are counted.
  await track('none')

  const loadOf = (database: string): DatabaseLoad => ({
    async backends() {
      const { rows } = await observer.query('select pid from pg_stat_activity where datname = $1', [database])
      return new Map(rows.map(({ pid }) => [pid, cpuMillisecondsOf(pid)]))
    },
    async analyze() {
      await onServer(urlOf(server.url, database), 'vacuum analyze')
    },
    async countStatements(work) {
      await track('all')
      await observer.query('select pg_stat_statements_reset()')
      await work()
      const { rows } = await observer.query(
        'select sum(calls)::int as calls from pg_stat_statements where toplevel and dbid = (select oid from pg_database where datname = $1)',
        [database],
      )
      await track('none')
      return rows[0].calls ?? 0
    },
  })

  return {
    url: server.url,
    loadOf,
    async stop() {
      await observer.end()
      await server.stop()
    },
  }
}
