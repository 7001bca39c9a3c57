import type { RateLimits } from '../../access/rate-limits.ts'
import { isSwitchedOn, type OAuthExtension, type OAuthExtensions } from '../../clients/extensions.ts'
import { secondsAfter } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Outgoing, OutgoingError, type OutgoingFailure } from '../../platform/http/outgoing-fetch.ts'
import { Problem } from '../../platform/http/problem.ts'
import { type AutomaticClient, AutomaticClientRefused, type AutomaticClientSource, withoutKeys } from '../automatic-client.ts'
import { countFetch } from './count-fetch.ts'
import { reportDocument } from './fetched-documents.ts'
import { followDocument } from './follow-document.ts'
import { fetchLogo, logoAddress } from './logo.ts'
import {
  columnsOfLogo,
  extendDocument,
  findStoredDocument,
  noteFailure,
  type StoredDocument,
  storeDocument,
  touchDocument,
} from './queries.ts'
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
/** How long the keys of a document outlive its time while it cannot be read, and all of it while the limits do not let it be read. */
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
  const { database, limits, issuer, oauthExtensions } = dependencies
  const fetching = new Map<string, Promise<StoredDocument>>()

  /** Requests that come while a document is being fetched share it, but not the limit of a network that is another's. */
  async function fetchOnce(clientId: string, stored: StoredDocument | undefined, address?: string): Promise<StoredDocument> {
    if (address !== undefined && !isKnown(stored) && !fetching.has(clientId)) {
      const refusal = await limits.newClientDocumentsByAddress.count(address).then(
        () => undefined,
        (error: unknown) => error,
      )
      // A network at its limit shares what another one has begun meanwhile.
      if (refusal !== undefined && !fetching.has(clientId)) {
        reportDocument('limited')
        return refuseTooMany(refusal)
      }
    }
    return fetching.get(clientId) ?? beginFetch(clientId, stored)
  }

  function beginFetch(clientId: string, stored: StoredDocument | undefined): Promise<StoredDocument> {
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

  /** The document as it was read last, if it serves still. */
  const staleOrThrow = (stored: StoredDocument | undefined, error: unknown): StoredDocument => {
    const serves = stored !== undefined && database.clock.now().getTime() - stored.expiresAt.getTime() < staleMilliseconds
    if (error instanceof AutomaticClientRefused && serves) return stored
    throw error
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
    async find(clientId, address) {
      const mistake = addressMistake(clientId)
      if (mistake !== undefined) throw new AutomaticClientRefused('unusable', mistake)
      const stored = await findStoredDocument(database, clientId)
      const now = database.clock.now()
      if (!stored || stored.expiresAt <= now) {
        const current = await fetchOnce(clientId, stored, address).catch((error: unknown) => {
          // Others have used the limit up: that says nothing of this document, unless its host has ceased to serve it.
          const isOfOthers = error instanceof AutomaticClientRefused && error.reason === 'limit' && isReadable(stored)
          if (isOfOthers) return staleOrThrow(stored, error)
          throw error
        })
        return present(clientId, current)
      }
      if (now.getTime() - stored.usedAt.getTime() > touchAfterMilliseconds) await touchDocument(database, clientId)
      return present(clientId, stored)
    },
    // Whether its document is there, only its host knows.
    mayExist: async () => true,
    async renewKeys(clientId) {
      const stored = await findStoredDocument(database, clientId)
      const now = database.clock.now()
      if (stored && stored.expiresAt > now) return
      await fetchOnce(clientId, stored).catch((error: unknown) => staleOrThrow(stored, error))
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
  await countFetch(limits, { host, isKnown: isKnown(stored) }).catch(refuseTooMany)
  const response = await request(outgoing, clientId, stored?.etag ?? null)
  const now = database.clock.now()
  const expiresAt = secondsAfter(now, cacheSeconds(response.headers, now))
  if (response.status === 304 && stored) {
    await extendDocument(database, clientId, expiresAt)
    reportDocument('unchanged')
    return { ...stored, expiresAt, usedAt: now, failingSince: null }
  }
  if (response.status !== 200) throw unusable(`The document was answered with the status ${response.status} instead of 200.`)
  if ((response.headers.get('content-encoding') ?? 'identity') !== 'identity') throw unusable('The document is compressed.')
  const document = readDocument(await response.text(), clientId)
  if ('mistake' in document) throw unusable(document.mistake)
  requireExtension(document, oauthExtensions)
  const { logoUri } = document
  const logo = await fetchLogo({ outgoing, limits }, { logoUri, isKnown: isKnown(stored) && stored.document.logoUri === logoUri })
  const fetched = {
    document,
    version: versionOf(document),
    // The next response has to bring the document again, for the logo that is missing.
    etag: logo === undefined ? null : etagOf(response.headers.get('etag')),
    expiresAt,
  }
  // Before it is stored: if this process ends in between, the document is fetched again.
  await followDocument(database, clientId, document)
  await storeDocument(database, { ...fetched, clientId, host, logo })
  // Once more: a user who was allowing the client by the former document has been waited for.
  await followDocument(database, clientId, document)
  reportDocument('fetched')
  const { logoHash, logoType } = logo === undefined ? (stored ?? columnsOfLogo(null)) : columnsOfLogo(logo)
  return { ...fetched, logoHash, logoType, usedAt: now, failingSince: null, isInUse: stored?.isInUse ?? false }
}

/** Whether a document is stored, and could be read the last time. */
const isReadable = (stored: StoredDocument | undefined): stored is StoredDocument => stored?.failingSince === null

/** Whether an application in use has had it, so that reading it anew is within limits that no stranger uses up. */
const isKnown = (stored: StoredDocument | undefined): stored is StoredDocument => isReadable(stored) && stored.isInUse

const unusable = (detail: string) => new AutomaticClientRefused('unusable', detail)

const etagOf = (etag: string | null): string | null => (etag !== null && /^(?:W\/)?"[\x21\x23-\x7e]{0,200}"$/.test(etag) ? etag : null)

function refuseTooMany(error: unknown): never {
  if (!(error instanceof Problem)) throw error
  const retryAfter = error.headers['retry-after'] ?? '60'
  throw new AutomaticClientRefused('limit', 'Too many client ID metadata documents are being fetched.', { retryAfter })
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
