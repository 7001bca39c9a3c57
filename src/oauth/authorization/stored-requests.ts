import { secondsAfter } from '../../platform/clock.ts'
import { hashSecret, newSecret } from '../../platform/crypto/secrets.ts'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import { newId } from '../../platform/ids.ts'
import type { OAuthClient } from '../protocol/queries.ts'
import type { ProvenRedirectUri } from '../protocol/redirect-uri.ts'
import type { AuthorizationRequest } from './authorization-request.ts'

const pendingSeconds = 10 * 60

/** Everything that the response to an authorization request needs. */
export interface StoredRequest extends AuthorizationRequest {
  redirectUri: string
  redirectUriSent: boolean
  state: string | undefined
  /** The client that asks, if it is an automatic one: it may have no row yet. */
  automaticClient?: { clientId: string; name: string; version: string } | undefined
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

/**
 * Stores a request while the user signs in or decides. The browser brings back only the reference: none of the parameters is
 * accepted again.
 *
 * @param signInId the sign-in that its session came from; if the user has to sign in first, a sign-in that begins now
 * @returns the reference, of which only a hash is stored
 */
export async function storeRequest(
  database: Database,
  { id, organisationId, automatic }: Pick<OAuthClient, 'id' | 'organisationId' | 'automatic'>,
  request: StoredRequest & { redirectUri: ProvenRedirectUri },
  signInId: string | undefined,
): Promise<string> {
  const reference = newSecret()
  const tenant = database.tenant(organisationId)
  const { clientId, name, version } = automatic?.client ?? {}
  const stored = { ...request, ...(clientId !== undefined && { automaticClient: { clientId, name, version } }) }
  await tenant
    .insertInto('authorizationRequests')
    .values({
      referenceHash: hashSecret(reference),
      clientId: automatic?.isBound === false ? null : id,
      parameters: JSON.stringify(stored),
      signInId: signInId ?? newId('sgn', tenant.now),
      createdAt: tenant.now,
      expiresAt: secondsAfter(tenant.now, pendingSeconds),
    })
    .execute()
  return reference
}

const requestByReference = statement<{ referenceHash: string; now: Date }, PendingRequest>(
  `
  select r.organisation_id as "organisationId", r.reference_hash as "referenceHash", coalesce(r.client_id, r.parameters -> 'automaticClient' ->> 'clientId') as "clientId",
    coalesce(c.name, r.parameters -> 'automaticClient' ->> 'name') as "clientName",
    r.parameters, r.decision, r.decided_by_id as "decidedById", r.created_at as "createdAt", r.sign_in_id as "signInId"
  from authorization_requests r left join clients c on c.organisation_id = r.organisation_id and c.id = r.client_id
  where r.reference_hash = :referenceHash and r.expires_at > :now`,
  { crossesOrganisations: 'the reference alone says of which organisation a request is' },
)

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

/** Deletes a user's decisions on requests that are still pending. */
export async function forgetDecisions(tenant: Tenant, userId: string): Promise<void> {
  await tenant.updateTable('authorizationRequests').set({ decision: null, decidedById: null }).where('decidedById', '=', userId).execute()
}
