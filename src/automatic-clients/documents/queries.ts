import { sql } from 'kysely'
import type { Picture } from '../../organisations/picture.ts'
import type { Database, Tenant } from '../../platform/database/database.ts'
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
  /** Since when it cannot be read; null while it can. */
  failingSince: Date | null
  /** Whether an organisation has a client of it. */
  isInUse: boolean
}

const documentById = statement<{ clientId: string }, StoredDocument>(
  `select document, version, etag, logo_hash as "logoHash", logo_type as "logoType", expires_at as "expiresAt", used_at as "usedAt",
    failing_since as "failingSince",
    exists (select from clients c where c.automatic_client_id = client_documents.client_id and c.deleted_at is null) as "isInUse"
  from client_documents where client_id = :clientId`,
  { crossesOrganisations: 'a document is the same for all organisations, and public' },
)

export const findStoredDocument = (database: Database, clientId: string): Promise<StoredDocument | undefined> =>
  database.pointRead(documentById, { clientId })

/** Whether the stored document is of this version. If so, it stays until the transaction ends: what is fetched meanwhile is stored afterwards. */
export async function holdVersion(tenant: Tenant, clientId: string, version: string): Promise<boolean> {
  const held = await tenant.selectFrom('clientDocuments').select('version').where('clientId', '=', clientId).forShare().executeTakeFirst()
  return held?.version === version
}

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

/** Since when documents cannot be read, of those that cannot. */
export async function findFailingSince(database: Database, addresses: readonly string[]): Promise<Map<string, Date>> {
  if (addresses.length === 0) return new Map()
  const failing = await database
    .systemListReads()
    .selectFrom('clientDocuments')
    .select(['clientId', 'failingSince'])
    .where('clientId', 'in', addresses)
    .where('failingSince', 'is not', null)
    .execute()
  return new Map(failing.map(({ clientId, failingSince }) => [clientId, failingSince as Date]))
}

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

export interface FetchedDocument extends Pick<StoredDocument, 'document' | 'version' | 'etag' | 'expiresAt'> {
  clientId: string
  host: string
  /** The logo; null without one. Undefined leaves the stored one as it is. */
  logo: Picture | null | undefined
}

export async function storeDocument(database: Database, { document, logo, ...fetched }: FetchedDocument): Promise<void> {
  const system = database.system()
  const row = {
    ...fetched,
    ...(logo !== undefined && columnsOfLogo(logo)),
    ...{ document: JSON.stringify(document), fetchedAt: system.now, usedAt: system.now, failingSince: null },
  }
  await system
    .insertInto('clientDocuments')
    .values(row)
    .onConflict((conflict) => conflict.column('clientId').doUpdateSet(row))
    .execute()
  await forgetOthers(database)
}

/** The columns of a logo, in base64 as this service serves it. */
export const columnsOfLogo = (logo: Picture | null) => ({
  logo: logo?.content.toString('base64') ?? null,
  logoHash: logo?.hash ?? null,
  logoType: logo?.mediaType ?? null,
})

/** How many documents are stored of clients that no organisation has: of a flood of them, only the latest stay. */
const unknownMax = 1_000

async function forgetOthers(database: Database): Promise<void> {
  await sql`
    delete from client_documents where client_id in (
      select d.client_id from client_documents d
      where not exists (select from clients c where c.automatic_client_id = d.client_id and c.deleted_at is null)
      order by d.used_at desc, d.client_id offset ${unknownMax})`.execute(database.system())
}
