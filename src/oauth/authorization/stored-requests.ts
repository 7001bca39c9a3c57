import { sql } from 'kysely'
import { secondsAfter, secondsBefore } from '../../platform/clock.ts'
import { hashSecret, newSecret } from '../../platform/crypto/secrets.ts'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { type KeyedValues, statement } from '../../platform/database/statement.ts'
import { newId } from '../../platform/ids.ts'
import type { OAuthClient } from '../protocol/queries.ts'
import type { ProvenRedirectUri } from '../protocol/redirect-uri.ts'
import { refreshesUnasked } from '../protocol/scope.ts'
import type { AuthorizationRequest } from './authorization-request.ts'

const pendingSeconds = 10 * 60
/** What stands before the reference in the address of a pushed request (RFC 9126 §2.2). */
export const pushedRequestPrefix = 'urn:ietf:params:oauth:request_uri:'
/** How long a browser may bring a pushed request. */
export const pushedSeconds = 90
/** How many pushed requests of a client may wait for their browsers. */
const pushedPendingMax = 10_000

/** The automatic client that asks, in the version that its user is asked about. */
export interface NamedAutomaticClient {
  clientId: string
  name: string
  version: string
}

/** Everything that the response to an authorization request needs. */
export interface StoredRequest extends AuthorizationRequest {
  redirectUri: string
  redirectUriSent: boolean
  state: string | undefined
  /** The client that asks, if it is an automatic one: it may have no row yet. */
  automaticClient?: NamedAutomaticClient | undefined
  /** The version of the client that its user is asked about; undefined for a client of an administrator, and in a request of a former release. */
  clientVersion?: string | undefined
  /** Whether the page says that the client refreshes its tokens; undefined in a request of a former release, null for a client of an administrator. */
  refreshes?: boolean | null | undefined
  /** Whether the client has signed it. */
  isSigned?: true | undefined
  /** The hash of the pushed request that it is, which is used up together with it. */
  pushedAs?: string | undefined
}

/** How recent the sign-in has to be that a request asks for. */
export interface AskedSignIn {
  isNew: boolean
  maxAgeSeconds: number | undefined
}

export const signInAskedBy = ({ prompt, maxAgeSeconds }: Pick<StoredRequest, 'prompt' | 'maxAgeSeconds'>): AskedSignIn => ({
  isNew: prompt.includes('login') || maxAgeSeconds === 0,
  maxAgeSeconds,
})

export interface PendingRequest {
  organisationId: string
  referenceHash: string
  /** The id of the client or, for an automatic one without a row, its client_id. */
  clientId: string
  clientName: string
  parameters: StoredRequest
  decision: 'allow' | 'cancel' | null
  decidedById: string | null
  createdAt: Date
  /** Null when a release without this column has stored the request. */
  signInId: string | null
}

type StoringClient = Pick<OAuthClient, 'id' | 'organisationId' | 'automatic' | 'origin' | 'grantTypes' | 'consentVersion'>

/**
 * Stores a request while the user signs in or decides. The browser brings back only the reference: none of the parameters is
 * accepted again.
 *
 * @param signInId the sign-in that its session came from; if the user has to sign in first, a sign-in that begins now
 * @returns the reference, of which only a hash is stored
 */
export async function storeRequest(
  database: Database,
  client: StoringClient,
  request: StoredRequest & { redirectUri: ProvenRedirectUri },
  signInId: string | undefined,
): Promise<string> {
  const reference = newSecret()
  const tenant = database.tenant(client.organisationId)
  await tenant
    .insertInto('authorizationRequests')
    .values({
      referenceHash: hashSecret(reference),
      ...storable(client, request),
      signInId: signInId ?? newId('sgn', tenant.now),
      createdAt: tenant.now,
      expiresAt: secondsAfter(tenant.now, pendingSeconds),
    })
    .execute()
  return reference
}

/** The client of a request, and its parameters. */
function storable({ id, automatic, origin, grantTypes, consentVersion }: StoringClient, request: StoredRequest) {
  const { clientId, name, version } = automatic?.client ?? {}
  const stored = {
    ...request,
    refreshes: refreshesUnasked({ origin, grantTypes }),
    ...(consentVersion !== null && { clientVersion: consentVersion }),
    ...(clientId !== undefined && { automaticClient: { clientId, name, version } }),
  }
  return { clientId: automatic?.isBound === false ? null : id, parameters: JSON.stringify(stored) }
}

// It is stored for longer than it may be brought: it is used up when a code is issued, which may be after a sign-in that took its time.
const insertPushed = statement<PushedValues, object>(`
  insert into authorization_requests (organisation_id, reference_hash, client_id, parameters, pushed_by, created_at, expires_at)
  select :organisationId, :key, :clientId::text, :parameters::jsonb, :pushedBy, :now::timestamptz,
    :now::timestamptz + make_interval(secs => ${pushedSeconds + pendingSeconds})
  where (
    select count(*) from authorization_requests
    where organisation_id = :organisationId and pushed_by = :pushedBy and created_at > :now::timestamptz - make_interval(secs => ${pushedSeconds})
  ) < ${pushedPendingMax}
  returning reference_hash`)

interface PushedValues extends KeyedValues {
  clientId: string | null
  parameters: string
  pushedBy: string
  now: Date
}

/**
 * Stores a request that its client has pushed (RFC 9126).
 *
 * @returns the reference, of which only a hash is stored; undefined when too many requests of the client are waiting
 */
export async function storePushedRequest(
  database: Database,
  client: StoringClient & Pick<OAuthClient, 'clientId'>,
  request: StoredRequest,
): Promise<string | undefined> {
  const reference = newSecret()
  const stored = await database.keyedWrite(insertPushed, {
    organisationId: client.organisationId,
    key: hashSecret(reference),
    ...storable(client, request),
    pushedBy: client.clientId,
    now: database.clock.now(),
  })
  return stored && reference
}

const pendingRequest = `
  select r.organisation_id as "organisationId", r.reference_hash as "referenceHash", coalesce(r.client_id, r.parameters -> 'automaticClient' ->> 'clientId') as "clientId",
    coalesce(c.name, r.parameters -> 'automaticClient' ->> 'name') as "clientName",
    r.parameters, r.decision, r.decided_by_id as "decidedById", r.created_at as "createdAt", r.sign_in_id as "signInId"
  from authorization_requests r left join clients c on c.organisation_id = r.organisation_id and c.id = r.client_id
  where r.reference_hash = :referenceHash`

// A pushed request is not found by its reference alone, which its client knows: it is only read to be stored anew.
const requestByReference = statement<{ referenceHash: string; now: Date }, PendingRequest>(
  `${pendingRequest} and r.expires_at > :now and r.pushed_by is null`,
  { crossesOrganisations: 'the reference alone says of which organisation a request is' },
)

const pushedByReference = statement<{ referenceHash: string; clientId: string; since: Date }, PendingRequest>(
  `${pendingRequest} and r.pushed_by = :clientId and r.created_at > :since`,
  { crossesOrganisations: 'the reference alone says of which organisation a request is' },
)

/** A request that the client has pushed, of any organisation; undefined once a code was issued for it, or it has expired. */
export async function findPushedRequest(database: Database, clientId: string, reference: string): Promise<PendingRequest | undefined> {
  const since = secondsBefore(database.clock.now(), pushedSeconds)
  return database.pointRead(pushedByReference, { referenceHash: hashSecret(reference), clientId, since })
}

/** The request of a reference, of any organisation; undefined once it has had its response or has expired. */
export async function findPendingRequest(database: Database, reference: string): Promise<PendingRequest | undefined> {
  return database.pointRead(requestByReference, { referenceHash: hashSecret(reference), now: database.clock.now() })
}

/** @returns whether the request was still pending */
export async function decideRequest(
  tenant: Tenant,
  referenceHash: string,
  decision: 'allow' | 'cancel',
  decidedById: string,
): Promise<boolean> {
  const decided = await tenant
    .updateTable('authorizationRequests')
    .set({ decision, decidedById })
    .where('referenceHash', '=', referenceHash)
    .where('expiresAt', '>', tenant.now)
    .returning('clientId')
    .executeTakeFirst()
  return decided !== undefined
}

/** Deletes a user's decisions on requests that are still pending, optionally only on those of one client. */
export async function forgetDecisions(
  tenant: Tenant,
  userId: string,
  client?: { id: string; automaticClientId: string | null },
): Promise<void> {
  await tenant
    .updateTable('authorizationRequests')
    .set({ decision: null, decidedById: null })
    .where('decidedById', '=', userId)
    .$if(client !== undefined, (query) =>
      query.where(
        // The request of an automatic client may be older than its row.
        sql<boolean>`coalesce(client_id = ${client?.id}, parameters -> 'automaticClient' ->> 'clientId' = ${client?.automaticClientId ?? null})`,
      ),
    )
    .execute()
}
