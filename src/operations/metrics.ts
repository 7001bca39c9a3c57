import { type Channel, channel } from 'node:diagnostics_channel'
import { wrongSystemKeysChannel } from '../access/system-key-check.ts'
import { recordedChannel } from '../activity/record.ts'
import { type FetchedClientDocument, fetchedDocumentsChannel } from '../automatic-clients/documents/fetched-documents.ts'
import { type RemovedClient, removedClientsChannel } from '../automatic-clients/removed-clients.ts'
import { type AnsweredDirectoryRequest, answeredRequestsChannel } from '../directories/scim/answered-requests.ts'
import { type AnsweredRegistration, answeredRegistrationsChannel } from '../oauth/registration/answered-registrations.ts'
import { type BreachedPasswordErrorReason, breachedPasswordErrorsChannel } from '../passwords/breached-password-errors.ts'
import type { Database } from '../platform/database/database.ts'
import { type ListRead, listReadsChannel } from '../platform/database/list-reads.ts'
import { type DroppedTelemetry, droppedTelemetryChannel } from '../platform/dropped-telemetry.ts'
import type { App } from '../platform/http/server.ts'
import { type SignInResult, signInAttemptsChannel } from '../sign-in/attempts.ts'
import type { Instruments } from './instruments.ts'
import type { MeasuredMetric } from './measured-metric.ts'
import type { SharedMetrics } from './shared-metrics.ts'

export interface Metrics {
  read(): Promise<{ contentType: string; text: string }>
  /** The measurements of this process alone, with or without the state of the database, if that is open. */
  measured(what: { ofDatabase: boolean }): Promise<MeasuredMetric[]>
}

/** Measures the requests to all routes that are registered afterwards, the recorded events, and the queues. */
export function measure(app: App, database: Database, shared?: SharedMetrics): Metrics {
  let instruments: Instruments | undefined
  let opening: Promise<Instruments> | undefined
  /** Loads the instruments after the start, with the first measurement. */
  const open = () => {
    opening ??= import('./instruments.ts').then(({ openInstruments }) => {
      instruments = openInstruments(database, shared)
      return instruments
    })
    return opening
  }
  const use = (note: (instruments: Instruments) => void) => {
    if (instruments) note(instruments)
    else void open().then(note)
  }

  shared?.onMeasure(async () => (await open()).measurements())
  // By route, not by path: every id would create a series, and strangers can request paths that do not exist.
  app.onResponseSent(({ method, route = 'unknown', status, milliseconds }) =>
    use(({ observeRequest }) => observeRequest({ method, route, status, seconds: milliseconds / 1_000 })),
  )
  const stopCounting = [
    hear<{ action: string }>(channel(recordedChannel), ({ action }) => use(({ countOccurrence }) => countOccurrence(action))),
    hear<{ result: SignInResult }>(channel(signInAttemptsChannel), ({ result }) => use(({ countSignIn }) => countSignIn(result))),
    hear<{ reason: BreachedPasswordErrorReason }>(channel(breachedPasswordErrorsChannel), ({ reason }) =>
      use(({ countBreachedPasswordError }) => countBreachedPasswordError(reason)),
    ),
    hear<DroppedTelemetry>(channel(droppedTelemetryChannel), (dropped) =>
      use(({ countDroppedTelemetry }) => countDroppedTelemetry(dropped)),
    ),
    hear<AnsweredDirectoryRequest>(channel(answeredRequestsChannel), (answered) =>
      use(({ countDirectoryRequest }) => countDirectoryRequest(answered)),
    ),
    hear<AnsweredRegistration>(channel(answeredRegistrationsChannel), (registration) =>
      use(({ countRegistration }) => countRegistration(registration)),
    ),
    hear<FetchedClientDocument>(channel(fetchedDocumentsChannel), ({ result }) =>
      use(({ countClientDocument }) => countClientDocument(result)),
    ),
    hear<RemovedClient>(channel(removedClientsChannel), ({ origin }) => use(({ countRemovedClient }) => countRemovedClient(origin))),
    hear<ListRead>(channel(listReadsChannel), ({ from }) => use(({ countListRead }) => countListRead(from))),
    hear(channel(wrongSystemKeysChannel), () => use(({ countWrongSystemKey }) => countWrongSystemKey())),
  ]
  let readingDatabase: Promise<MeasuredMetric[]> | undefined
  let isClosed = false
  app.addHook('onClose', async () => {
    for (const stop of stopCounting) stop()
    // The database is closed next, and a closed one would be reported as down.
    isClosed = true
    await readingDatabase
  })

  return {
    async read() {
      const { contentType, read } = await open()
      return { contentType, text: await read() }
    },
    async measured({ ofDatabase }) {
      const { measurements, databaseMeasurements } = await open()
      if (!ofDatabase || isClosed) return measurements()
      readingDatabase = databaseMeasurements()
      return [...(await measurements()), ...(await readingDatabase)]
    },
  }
}

function hear<Message>(from: Channel, onMessage: (message: Message) => void): () => void {
  const listener = (message: unknown) => onMessage(message as Message)
  from.subscribe(listener)
  return () => from.unsubscribe(listener)
}
