import pg from 'pg'
import type { ServerState } from './choose-primary.ts'
import { dropConnection, endConnection } from './end-connection.ts'
import { driverUrl } from './server-addresses.ts'

/** How long a server has to say what it is. The others are asked at the same time. */
const answerMilliseconds = 2_000

/** What a server says of itself, and of its place among the others. */
export interface ServerReport extends ServerState {
  /** The position in the log that it has written, or as a replica replayed. */
  position: string
  isReceiving: boolean
  isPaused: boolean
  /** Whether a commit waits for a replica. */
  isSynchronous: boolean
}

const question = `
  select current_setting('transaction_read_only') = 'off' as "takesWrites", recovery as "isReplica",
    pg_postmaster_start_time()::text as "startedAt", (select system_identifier::text from pg_control_system()) as system,
    case when recovery then null else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline,
    (case when recovery then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end)::text as position,
    exists (select from pg_stat_wal_receiver) as "isReceiving",
    recovery and case when recovery then pg_is_wal_replay_paused() end as "isPaused",
    current_setting('synchronous_standby_names') <> '' and current_setting('synchronous_commit') not in ('off', 'local') as "isSynchronous"
  from pg_is_in_recovery() recovery`

/** Asks one server what it is, on a connection of its own. @param given aborts when the answer no longer matters */
export async function askServer(serverUrl: string, given: AbortSignal): Promise<ServerReport> {
  const client = new pg.Client({
    connectionString: driverUrl(serverUrl),
    connectionTimeoutMillis: answerMilliseconds,
    query_timeout: answerMilliseconds,
    application_name: 'gatehouse watch',
  })
  client.on('error', () => {})
  const drop = () => dropConnection(client)
  given.addEventListener('abort', drop)
  try {
    await client.connect()
    const { rows } = await client.query<ServerReport>(question)
    return rows[0] as ServerReport
  } finally {
    given.removeEventListener('abort', drop)
    endConnection(client)
  }
}
