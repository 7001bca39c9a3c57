import { type RawBuilder, sql } from 'kysely'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { documentResults, type FetchedClientDocument } from '../automatic-clients/documents/fetched-documents.ts'
import { type RemovedClient, removedOrigins } from '../automatic-clients/removed-clients.ts'
import { type AnsweredDirectoryRequest, requestedResources, requestResults } from '../directories/scim/answered-requests.ts'
import { type AnsweredRegistration, registrationResults, registrationWays } from '../oauth/registration/answered-registrations.ts'
import { type BreachedPasswordErrorReason, breachedPasswordErrors } from '../passwords/breached-password-errors.ts'
import type { Database } from '../platform/database/database.ts'
import { type ListRead, listReadServers } from '../platform/database/list-reads.ts'
import { plannedEachTime } from '../platform/database/planned-each-time.ts'
import { type DroppedTelemetry, droppableSignals } from '../platform/dropped-telemetry.ts'
import { version } from '../platform/version.ts'
import { type SignInResult, signInResults } from '../sign-in/attempts.ts'
import type { QueueTable } from '../webhooks/delivery/claim.ts'
import type { MeasuredMetric } from './measured-metric.ts'
import type { SharedMetrics } from './shared-metrics.ts'

export interface Instruments {
  contentType: string
  observeRequest(request: MeasuredRequest): void
  countOccurrence(action: string): void
  countSignIn(result: SignInResult): void
  countWrongSystemKey(): void
  countBreachedPasswordError(reason: BreachedPasswordErrorReason): void
  countDroppedTelemetry(dropped: DroppedTelemetry): void
  countDirectoryRequest(answered: AnsweredDirectoryRequest): void
  countRegistration(answered: AnsweredRegistration): void
  countClientDocument(result: FetchedClientDocument['result']): void
  countRemovedClient(origin: RemovedClient['origin']): void
  countListRead(from: ListRead['from']): void
  /** All metrics as text. Reads the queues from the database. */
  read(): Promise<string>
  /** The measurements of this process alone. */
  measurements(): Promise<MeasuredMetric[]>
  /** The state of the queues, read from the database. */
  databaseMeasurements(): Promise<MeasuredMetric[]>
}

export interface MeasuredRequest {
  method: string
  route: string
  status: number
  seconds: number
}

const requestSeconds = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
// Beyond this the exact length does not matter, and counting would become a load of its own.
const countedAtMost = 100_000

/** Gauges of prom-client with the names of counters, which `promtool check metrics` refuses. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

export function openInstruments(database: Database, shared?: Pick<SharedMetrics, 'worker' | 'measureAll'>): Instruments {
  const register = new Registry()
  if (shared) register.setDefaultLabels({ worker: shared.worker })
  /** The metrics of the database, which are the same for every process. */
  const ofDatabase = new Registry()
  collectDefaultMetrics({ register })
  for (const name of misnamed) register.removeSingleMetric(name)
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: requestSeconds,
    registers: [register],
  })
  const occurrences = new Counter({
    name: 'gatehouse_occurrences_total',
    help: 'What happened, by audit action; login.success and login.failed are the sign-ins',
    labelNames: ['action'],
    registers: [register],
  })
  const signIns = new Counter({
    name: 'gatehouse_sign_in_attempts_total',
    help: 'Attempts to sign in with a password, by what came of them; locked are those refused unseen after too many failures',
    labelNames: ['result'],
    registers: [register],
  })
  // Start every series at zero: an alert on an increase needs a first value.
  for (const result of signInResults) signIns.inc({ result }, 0)
  new Gauge({
    name: 'gatehouse_build_info',
    help: 'Always 1; the labels say which release runs on which Node',
    labelNames: ['version', 'node'],
    registers: [register],
  }).set({ version, node: process.versions.node }, 1)
  const wrongSystemKeys = new Counter({
    name: 'gatehouse_wrong_system_keys_total',
    help: 'Requests to the system API with a key that is not the one of this service',
    registers: [register],
  })
  const breachedPasswordFailures = new Counter({
    name: 'gatehouse_breached_password_errors_total',
    help: 'Passwords that could not be looked up among the breached ones, by reason',
    labelNames: ['reason'],
    registers: [register],
  })
  for (const reason of breachedPasswordErrors) breachedPasswordFailures.inc({ reason }, 0)
  const droppedTelemetry = new Counter({
    name: 'gatehouse_telemetry_dropped_total',
    help: 'Spans (traces) and lines of the log (logs) that the collector of OpenTelemetry did not get',
    labelNames: ['signal'],
    registers: [register],
  })
  for (const signal of droppableSignals) droppedTelemetry.inc({ signal }, 0)
  const listReads = new Counter({
    name: 'gatehouse_list_reads_total',
    help: 'Statements of lists, exports and the audit log where there is a replica, by the server that answered',
    labelNames: ['from'],
    registers: [register],
  })
  for (const from of listReadServers) listReads.inc({ from }, 0)
  const directoryRequests = new Counter({
    name: 'gatehouse_directory_requests_total',
    help: 'Requests of directories (SCIM), by what they asked for and what came of them',
    labelNames: ['resource', 'result'],
    registers: [register],
  })
  for (const resource of requestedResources) for (const result of requestResults) directoryRequests.inc({ resource, result }, 0)
  const registrations = new Counter({
    name: 'gatehouse_client_registrations_total',
    help: 'Requests of clients that register themselves, by what they showed and what came of them',
    labelNames: ['by', 'result'],
    registers: [register],
  })
  for (const by of registrationWays) for (const result of registrationResults) registrations.inc({ by, result }, 0)
  const clientDocuments = new Counter({
    name: 'gatehouse_client_documents_total',
    help: 'Client ID metadata documents that were to be fetched, by what came of it',
    labelNames: ['result'],
    registers: [register],
  })
  for (const result of documentResults) clientDocuments.inc({ result }, 0)
  const removedClients = new Counter({
    name: 'gatehouse_automatic_clients_removed_total',
    help: 'Applications that introduced themselves and were removed because nothing used them for 30 days, by how they came',
    labelNames: ['origin'],
    registers: [register],
  })
  for (const origin of removedOrigins) removedClients.inc({ origin }, 0)
  const observeDatabase = databaseGauges(ofDatabase, database)
  return {
    contentType: register.contentType,
    observeRequest: ({ method, route, status, seconds }) => requests.observe({ method, route, status }, seconds),
    countOccurrence: (action) => occurrences.inc({ action }),
    countWrongSystemKey: () => wrongSystemKeys.inc(),
    countBreachedPasswordError: (reason) => breachedPasswordFailures.inc({ reason }),
    countDroppedTelemetry: ({ signal, count }) => droppedTelemetry.inc({ signal }, count),
    countDirectoryRequest: ({ resource, result }) => directoryRequests.inc({ resource, result }),
    countRegistration: ({ by, result }) => registrations.inc({ by, result }),
    countClientDocument: (result) => clientDocuments.inc({ result }),
    countRemovedClient: (origin) => removedClients.inc({ origin }),
    countListRead: (from) => listReads.inc({ from }),
    countSignIn: (result) => signIns.inc({ result }),
    async read() {
      await observeDatabase()
      const ofProcesses = shared ? merged(await shared.measureAll()) : register
      return `${await ofProcesses.metrics()}\n${await ofDatabase.metrics()}`
    },
    measurements: () => measured(register),
    async databaseMeasurements() {
      await observeDatabase()
      return measured(ofDatabase)
    },
  }
}

/** The library's types declare the kinds of metrics as numbers, but the library uses names. */
const measured = async (register: Registry) => (await register.getMetricsAsJSON()) as unknown as MeasuredMetric[]

/** Merges the series. Each names its process, so that none are added together. */
function merged(measurements: readonly object[][]): Registry {
  const series = measurements.map((ofOne) => ofOne.map((metric) => ({ ...metric, aggregator: 'sum' })))
  return AggregatorRegistry.aggregate(series)
}

interface QueueState {
  queue: string
  waiting: number
  latestSeconds: number
}

/** @returns a function that reads the database and sets the gauges */
function databaseGauges(register: Registry, database: Database): () => Promise<void> {
  const gauge = (name: string, help: string, labelNames: string[] = []) => new Gauge({ name, help, labelNames, registers: [register] })
  const up = gauge('gatehouse_database_up', 'Whether the database answered when the queues were asked')
  const waiting = gauge('gatehouse_queue_waiting', `What waits in a queue, counted up to ${countedAtMost}`, ['queue'])
  const late = gauge('gatehouse_queue_late_seconds', 'How long the most overdue entry of a queue has been due', ['queue'])
  const failing = gauge('gatehouse_tasks_failing', 'Periodic tasks whose latest run failed')
  const failingDirectories = gauge(
    'gatehouse_directories_failing',
    'Active directories whose requests are refused, or that have fallen silent',
  )

  return async () => {
    try {
      for (const { queue, waiting: count, latestSeconds } of await readQueues(database)) {
        waiting.set({ queue }, count)
        late.set({ queue }, latestSeconds)
      }
      const { tasks, directories } = await countFailing(database)
      failing.set(tasks)
      failingDirectories.set(directories)
      up.set(1)
    } catch {
      // The other metrics matter most while the database is unreachable.
      waiting.reset()
      late.reset()
      up.set(0)
    }
  }
}

async function readQueues(database: Database): Promise<QueueState[]> {
  const system = database.system()
  const state = (queue: string, waiting: RawBuilder<unknown>, oldest: RawBuilder<unknown>) => sql`
    select ${queue}::text as queue, (select count(*) from (${waiting} limit ${sql.lit(countedAtMost)}) entry) as waiting,
      greatest(0, coalesce(extract(epoch from ${system.now}::timestamptz - (${oldest})), 0))::float8 as latest_seconds`
  const deliveries = (queue: string, names: QueueTable) =>
    state(queue, sql`select from ${sql.table(names.table)} where ${isQueued}`, oldestOfReceivers(names))
  const { rows } = await sql<QueueState>`${sql.raw(plannedEachTime)}
    ${state('mails', sql`select from mails where next_attempt_at is not null`, sql`select min(next_attempt_at) from mails`)}
    union all
    ${deliveries('webhooks', { table: 'webhook_deliveries', receiver: 'endpoint_id' })}
    union all
    ${deliveries('logouts', { table: 'logout_deliveries', receiver: 'client_id' })}`.execute(system)
  return rows
}

const isQueued = sql`status = 'pending' and next_attempt_at is not null`

/**
 * When the most overdue delivery is due: the first of each receiver, which a walk along the index of the queue finds. To sort the whole queue
 * would be a load of its own, when it is long.
 */
function oldestOfReceivers(names: QueueTable): RawBuilder<unknown> {
  const [table, receiver] = [sql.table(names.table), sql.ref(names.receiver)]
  const first = (after: RawBuilder<unknown>) => sql`
    select organisation_id, ${receiver} as receiver_id, next_attempt_at from ${table}
    where ${isQueued} ${after} order by organisation_id, ${receiver}, next_attempt_at limit 1`
  return sql`
    with recursive walk as (
      (${first(sql``)})
      union all
      select step.* from walk cross join lateral (${first(
        sql`and (organisation_id, ${receiver}) > (walk.organisation_id, walk.receiver_id)`,
      )}) step)
    select min(next_attempt_at) from (select next_attempt_at from walk limit ${sql.lit(countedAtMost)}) first_of_receiver`
}

/**
 * A task that is a day behind the others is of another release, or of the embedded database before a move: it does not run any more. Where none runs,
 * none is behind.
 */
async function countFailing(database: Database): Promise<{ tasks: number; directories: number }> {
  const system = database.system()
  const { rows } = await sql<{ tasks: number; directories: number }>`
    select
      (select count(*) from tasks
        where last_error is not null and next_run_at > coalesce((select max(last_run_at) from tasks), next_run_at) - interval '1 day')::int as tasks,
      (select count(*) from directories d join organisations o on o.id = d.organisation_id
        where d.is_active and d.failing_since is not null and o.status <> 'cancelled')::int as directories`.execute(system)
  return rows[0] as { tasks: number; directories: number }
}
