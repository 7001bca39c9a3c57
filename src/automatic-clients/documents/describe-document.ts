import { getClient } from '../../clients/queries.ts'
import type { Database } from '../../platform/database/database.ts'
import { presentTime } from '../../platform/http/fields.ts'
import type { FailingClientDocuments, StoredClientDocument } from '../schemas.ts'
import { findFailingSince, findTimesOfDocument } from './queries.ts'

/**
 * Whether the document by which a client introduced itself can be read. It is read when a request needs it, so a client that is not used
 * fails without being noticed.
 *
 * @throws Problem `not-found`
 */
export async function describeDocument(database: Database, organisationId: string, id: string): Promise<StoredClientDocument> {
  const { origin, automaticClientId } = await getClient(database.pointReads(organisationId), id)
  const address = origin === 'metadata_document' ? automaticClientId : null
  const times = address === null ? undefined : await findTimesOfDocument(database, address)
  return {
    address,
    fetchedAt: presentTime(times?.fetchedAt ?? null),
    expiresAt: presentTime(times?.expiresAt ?? null),
    failingSince: presentTime(times?.failingSince ?? null),
  }
}

/** The clients of an organisation whose document cannot be read. An organisation has a thousand clients with documents at most. */
export async function listFailingDocuments(database: Database, organisationId: string): Promise<FailingClientDocuments> {
  const clients = await database
    .listReads(organisationId)
    .selectFrom('clients')
    .select(['id', 'automaticClientId'])
    .where('origin', '=', 'metadata_document')
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .execute()
  const failing = await findFailingSince(
    database,
    clients.flatMap(({ automaticClientId }) => automaticClientId ?? []),
  )
  return {
    data: clients.flatMap(({ id, automaticClientId }) => {
      const since = failing.get(automaticClientId ?? '')
      return since ? [{ clientId: id, failingSince: presentTime(since) }] : []
    }),
  }
}
