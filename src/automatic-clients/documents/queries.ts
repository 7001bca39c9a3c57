import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import type { ClientDocument } from './read-document.ts'

export interface StoredDocument {
  document: ClientDocument
  version: string
  etag: string | null
  logoHash: string | null
  logoType: string | null
  expiresAt: Date
  usedAt: Date
}

const documentById = statement<{ clientId: string }, StoredDocument>(
  `select document, version, etag, logo_hash as "logoHash", logo_type as "logoType", expires_at as "expiresAt", used_at as "usedAt"
  from client_documents where client_id = :clientId`,
  { crossesOrganisations: 'a document is the same for all organisations, and public' },
)

export const findStoredDocument = (database: Database, clientId: string): Promise<StoredDocument | undefined> =>
  database.pointRead(documentById, { clientId })

interface TimesOfDocument {
  fetchedAt: Date
  expiresAt: Date
  failingSince: Date | null
}

const timesById = statement<{ clientId: string }, TimesOfDocument>(
  `select fetched_at as "fetchedAt", expires_at as "expiresAt", failing_since as "failingSince"
  from client_documents where client_id = :clientId`,
  { crossesOrganisations: 'a document is the same for all organisations, and public' },
)

export const findTimesOfDocument = (database: Database, clientId: string): Promise<TimesOfDocument | undefined> =>
  database.pointRead(timesById, { clientId })

/** Notes that a document is used, so that it is not among those that are forgotten first. */
export async function touchDocument(database: Database, clientId: string): Promise<void> {
  const system = database.system()
  await system.updateTable('clientDocuments').set({ usedAt: system.now }).where('clientId', '=', clientId).execute()
}

/** A document that is still the same, by its ETag. */
export async function extendDocument(database: Database, clientId: string, expiresAt: Date): Promise<void> {
  const system = database.system()
  const { now } = system
  await system
    .updateTable('clientDocuments')
    .set({ fetchedAt: now, usedAt: now, expiresAt, failingSince: null })
    .where('clientId', '=', clientId)
    .execute()
}

/** Notes that a document cannot be read any more, so that operators and administrators learn since when. */
export async function noteFailure(database: Database, clientId: string): Promise<void> {
  const system = database.system()
  await system
    .updateTable('clientDocuments')
    .set({ failingSince: system.now })
    .where('clientId', '=', clientId)
    .where('failingSince', 'is', null)
    .execute()
}

export interface FetchedDocument extends Pick<StoredDocument, 'document' | 'version' | 'etag' | 'logoHash' | 'logoType' | 'expiresAt'> {
  clientId: string
  host: string
  logo: string | null
}

export async function storeDocument(database: Database, { document, ...fetched }: FetchedDocument): Promise<void> {
  const system = database.system()
  const row = { ...fetched, document: JSON.stringify(document), fetchedAt: system.now, usedAt: system.now, failingSince: null }
  await system
    .insertInto('clientDocuments')
    .values(row)
    .onConflict((conflict) => conflict.column('clientId').doUpdateSet(row))
    .execute()
  await forgetOthers(database)
}

/** How many documents are stored of clients that no organisation has: of a flood of them, only the latest stay. */
const unknownMax = 1_000

async function forgetOthers(database: Database): Promise<void> {
  await sql`
    delete from client_documents where client_id in (
      select d.client_id from client_documents d
      where not exists (select from clients c where c.automatic_client_id = d.client_id and c.deleted_at is null)
      order by d.used_at desc, d.client_id offset ${unknownMax})`.execute(database.system())
}
