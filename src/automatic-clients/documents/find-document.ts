import type { RateLimits } from '../../access/rate-limits.ts'
import { isSwitchedOn, type OAuthExtension, type OAuthExtensions } from '../../clients/extensions.ts'
import { secondsAfter } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Outgoing, OutgoingError, type OutgoingFailure } from '../../platform/http/outgoing-fetch.ts'
import { Problem } from '../../platform/http/problem.ts'
import { countTogether } from '../../platform/rate-limits/rate-limit.ts'
import { type AutomaticClient, AutomaticClientRefused, type AutomaticClientSource, withoutKeys } from '../automatic-client.ts'
import { reportDocument } from './fetched-documents.ts'
import { followDocument } from './follow-document.ts'
import { fetchLogo, logoAddress } from './logo.ts'
import { extendDocument, findStoredDocument, noteFailure, type StoredDocument, storeDocument, touchDocument } from './queries.ts'
import {
  addressMistake,
  assertionGrantType,
  type ClientDocument,
  cacheSeconds,
  deviceGrantType,
  readDocument,
  versionOf,
} from './read-document.ts'

const bytesMax = 5 * 1_024
const touchAfterMilliseconds = 3_600_000
/** How long the keys of a document outlive its time while it cannot be read. */
const staleMilliseconds = 24 * 3_600_000

export interface DocumentDependencies {
  database: Database
  limits: RateLimits
  outgoing: Outgoing
  /** The origin of `PUBLIC_URL`. */
  issuer: string
  oauthExtensions: OAuthExtensions
}

const extensionOfGrant: Readonly<Record<string, OAuthExtension>> = {
  [deviceGrantType]: 'device',
  [assertionGrantType]: 'identity_assertions',
}

/**
 * Clients whose client_id is the address of a client ID metadata document. A document is fetched when a request names it, and stored as long
 * as its headers say; what cannot be used is not stored. The limits of fetches count in the database, for all processes.
 */
export function documentSource(dependencies: DocumentDependencies): AutomaticClientSource {
  const { database, issuer, oauthExtensions } = dependencies
  const fetching = new Map<string, Promise<StoredDocument>>()

  /** Requests that come while a document is being fetched share it. */
  function fetchOnce(clientId: string, stored: StoredDocument | undefined): Promise<StoredDocument> {
    const under = fetching.get(clientId)
    if (under) return under
    const begun = fetchDocument(dependencies, clientId, stored)
      .catch(async (error: unknown) => {
        if (error instanceof AutomaticClientRefused) {
          reportDocument(error.reason === 'limit' ? 'limited' : 'refused')
          if (error.reason === 'unusable' && stored) await noteFailure(database, clientId)
        }
        throw error
      })
      .finally(() => fetching.delete(clientId))
    fetching.set(clientId, begun)
    return begun
  }

  const present = (clientId: string, stored: StoredDocument): AutomaticClient => {
    requireExtension(stored.document, oauthExtensions)
    const described = presentDocument(clientId, stored, issuer)
    const isOff = (grantType: string) => {
      const extension = extensionOfGrant[grantType]
      return extension !== undefined && !isSwitchedOn(oauthExtensions, extension)
    }
    return { ...described, grantTypes: described.grantTypes.filter((grantType) => !isOff(grantType)) }
  }

  return {
    recognises: (clientId) => clientId.startsWith('https://'),
    async find(clientId) {
      const mistake = addressMistake(clientId)
      if (mistake !== undefined) throw new AutomaticClientRefused('unusable', mistake)
      const stored = await findStoredDocument(database, clientId)
      const now = database.clock.now()
      if (!stored || stored.expiresAt <= now) return present(clientId, await fetchOnce(clientId, stored))
      if (now.getTime() - stored.usedAt.getTime() > touchAfterMilliseconds) await touchDocument(database, clientId)
      return present(clientId, stored)
    },
    // Whether its document is there, only its host knows.
    mayExist: async () => true,
    async renewKeys(clientId) {
      const stored = await findStoredDocument(database, clientId)
      const now = database.clock.now()
      if (stored && stored.expiresAt > now) return
      await fetchOnce(clientId, stored).catch((error: unknown) => {
        const serves = stored !== undefined && now.getTime() - stored.expiresAt.getTime() < staleMilliseconds
        if (!(error instanceof AutomaticClientRefused && serves)) throw error
      })
    },
  }
}

/** @throws AutomaticClientRefused for a client that authenticates by a key while the operator has not switched that on */
function requireExtension({ tokenEndpointAuthMethod }: ClientDocument, extensions: OAuthExtensions): void {
  if (tokenEndpointAuthMethod !== 'private_key_jwt' || isSwitchedOn(extensions, 'private_key_jwt')) return
  throw unusable('The document authenticates by private_key_jwt, which needs OAUTH_EXTENSIONS to hold private_key_jwt.')
}

function presentDocument(clientId: string, { document, version, logoHash, logoType }: StoredDocument, issuer: string): AutomaticClient {
  const { tokenEndpointAuthMethod, jwks, jwksUri, tokenEndpointAuthSigningAlg } = { ...withoutKeys, ...document }
  const { name, redirectUris, grantTypes, idTokenSignedResponseAlg } = document
  return {
    clientId,
    origin: 'metadata_document',
    name,
    redirectUris,
    grantTypes,
    idTokenSignedResponseAlg,
    tokenEndpointAuthMethod,
    jwks,
    jwksUri,
    tokenEndpointAuthSigningAlg,
    logoUrl: logoAddress(issuer, { hash: logoHash, mediaType: logoType }),
    version,
    host: new URL(clientId).host,
  }
}

/** @throws AutomaticClientRefused */
async function fetchDocument(
  { database, limits, outgoing, oauthExtensions }: DocumentDependencies,
  clientId: string,
  stored: StoredDocument | undefined,
): Promise<StoredDocument> {
  const { host } = new URL(clientId)
  await countFetch(limits, host)
  const response = await request(outgoing, clientId, stored?.etag ?? null)
  const now = database.clock.now()
  const expiresAt = secondsAfter(now, cacheSeconds(response.headers, now))
  if (response.status === 304 && stored) {
    await extendDocument(database, clientId, expiresAt)
    reportDocument('unchanged')
    return { ...stored, expiresAt, usedAt: now }
  }
  if (response.status !== 200) throw unusable(`The document was answered with the status ${response.status} instead of 200.`)
  if ((response.headers.get('content-encoding') ?? 'identity') !== 'identity') throw unusable('The document is compressed.')
  const document = readDocument(await response.text(), clientId)
  if ('mistake' in document) throw unusable(document.mistake)
  requireExtension(document, oauthExtensions)
  const logo = await fetchLogo({ outgoing, limits }, document.logoUri)
  const fetched = {
    document,
    version: versionOf(document),
    etag: etagOf(response.headers.get('etag')),
    logoHash: logo?.hash ?? null,
    logoType: logo?.mediaType ?? null,
    expiresAt,
  }
  // Before it is stored: if this process ends in between, the document is fetched again.
  await followDocument(database, clientId, document)
  await storeDocument(database, { ...fetched, clientId, host, logo: logo?.content.toString('base64') ?? null })
  reportDocument('fetched')
  return { ...fetched, usedAt: now }
}

const unusable = (detail: string) => new AutomaticClientRefused('unusable', detail)

const etagOf = (etag: string | null): string | null => (etag !== null && /^(?:W\/)?"[\x21\x23-\x7e]{0,200}"$/.test(etag) ? etag : null)

/** @throws AutomaticClientRefused beyond the limits of the host, or of all hosts together */
async function countFetch({ clientDocumentsByHost, clientDocuments }: RateLimits, host: string): Promise<void> {
  await countTogether([clientDocumentsByHost, host], [clientDocuments, '']).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error
    const retryAfter = error.headers['retry-after'] ?? '60'
    throw new AutomaticClientRefused('limit', 'Too many client ID metadata documents are being fetched.', { retryAfter })
  })
}

const failures: Record<OutgoingFailure, string> = {
  forbidden: 'The document is at an address that this service does not call.',
  connection: 'The document cannot be fetched.',
  timeout: 'The document has not arrived in time.',
  'too-large': 'The document is larger than 5 KiB.',
}

async function request(outgoing: Outgoing, clientId: string, etag: string | null): Promise<Response> {
  try {
    const headers = { accept: 'application/json', ...(etag !== null && { 'if-none-match': etag }) }
    return await outgoing.fetch('client ID metadata document', bytesMax)(clientId, { headers })
  } catch (error) {
    // The reason in detail would tell a stranger about the network of this service.
    if (error instanceof OutgoingError) throw unusable(failures[error.reason])
    throw error
  }
}
