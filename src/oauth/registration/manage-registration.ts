import type { Origin } from '../../activity/actor.ts'
import { changedFields } from '../../activity/changes.ts'
import { consentVersionOf } from '../../clients/automatic.ts'
import { clientChange } from '../../clients/present-client.ts'
import { type Client, getClient, lockClient, updateClient } from '../../clients/queries.ts'
import { type AuthMethod, usesSecret } from '../../clients/rules.ts'
import { hashSecret, newSecret, sameSecret } from '../../platform/crypto/secrets.ts'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { findAllowance } from '../../registration-tokens/queries.ts'
import { isWithin } from '../protocol/scope.ts'
import type { Bounds } from './decide-registration.ts'
import { deleteClientOf } from './delete-client.ts'
import { invalidMetadata, invalidRegistrationToken } from './errors.ts'
import { keptAssurance, registeredAssurance } from './kept-assurance.ts'
import type { LeftToClient, RegisteredMetadata, ReplacedClientMetadata } from './metadata.ts'
import { type ClientInformation, presentRegistration } from './present-registration.ts'
import { findRegistration, type RegisteredClient, registeredClient, type StoredRegistration } from './queries.ts'
import { clientActor, decideWithin, type RegistrationDependencies, refuseForeignUrls } from './register-client.ts'

/** A client that has shown its registration access token. */
interface Presented {
  client: RegisteredClient
  token: string
}

/**
 * The client that a registration access token is of. A client that is not there, is revoked, or is another one looks like a wrong token.
 *
 * @throws OAuthError `invalid_token`
 */
export async function presentedClient(database: Database, clientId: string, token: string): Promise<Presented> {
  const client = await database.pointRead(registeredClient, { clientId })
  if (!client || !sameSecret(client.registrationAccessTokenHash, hashSecret(token))) throw invalidRegistrationToken()
  return { client, token }
}

/** Reads a registration (RFC 7592 §2.1). The secret is stored hashed, so it is not shown again. */
export async function readRegistration(
  { database, issuer, oauthExtensions }: RegistrationDependencies,
  { client: { organisationId, id }, token: registrationAccessToken }: Presented,
): Promise<ClientInformation> {
  const tenant = database.pointReads(organisationId)
  const [client, registration] = await Promise.all([getClient(tenant, id), findRegistration(tenant, id)])
  if (!registration) throw invalidRegistrationToken()
  return presentRegistration(client, registration.metadata, { issuer, oauthExtensions, registrationAccessToken })
}

/**
 * Replaces the metadata of a client (RFC 7592 §2.2). What only administrators set stays as it is, but for `requireConsent`: other redirect URIs
 * make users decide anew, since the client may be in other hands.
 *
 * @throws OAuthError `invalid_token`, `invalid_redirect_uri`, `invalid_client_metadata`
 */
export async function replaceRegistration(
  dependencies: RegistrationDependencies,
  origin: Origin,
  { client: { organisationId, id }, token: registrationAccessToken }: Presented,
  { client_id: named, client_secret: secret, ...sent }: ReplacedClientMetadata,
): Promise<ClientInformation> {
  const { database, issuer, oauthExtensions, signingKeys } = dependencies
  if (named !== id) throw invalidMetadata('client_id', 'must be that of the registration')
  const replaced = await database.transaction(organisationId, async (tenant) => {
    const before = await lockClient(tenant, id)
    const stored = before && (await findRegistration(tenant, id))
    if (!before?.isActive || !stored) throw invalidRegistrationToken()
    if (secret != null && !sameSecret(stored.secretHash ?? '', hashSecret(secret)))
      throw invalidMetadata('client_secret', 'must be the current one: a client cannot choose its secret')
    const left = leftTo(before, stored.metadata)
    const bounds = await boundsOf(tenant, before, stored, left)
    const { settings: asked, clientType, metadata: registered } = decideWithin(dependencies, bounds, sent)
    if (clientType !== before.clientType)
      throw invalidMetadata('token_endpoint_auth_method', 'must not make a confidential client public, or a public one confidential')
    const kept = keptAssurance(before, stored.metadata.assurance, oauthExtensions)
    const isMoved = consentVersionOf(asked.redirectUris) !== consentVersionOf(before.redirectUris)
    // A new value, not one that follows from the list: with a former list it would return, and the consents of then would count again.
    const consentVersion = isMoved ? newSecret() : before.consentVersion
    // Where an administrator has it ask for none, no user would decide anew.
    const asksAgain = isMoved && !before.requireConsent
    const settings = { ...asked, ...kept, ...(asksAgain && { requireConsent: true }) }
    const metadata = { ...registered, left, assurance: registeredAssurance(asked, stored.metadata.assurance, kept) }
    refuseWithoutSecret(settings.tokenEndpointAuthMethod, stored.secretHash)
    await refuseForeignUrls(tenant, { settings })

    const changed = changedFields(before, settings)
    await updateClient(tenant, id, {
      ...changed,
      registeredMetadata: JSON.stringify(metadata),
      consentVersion,
    })
    const client = await getClient(tenant, id)
    if (changed) await clientChange.recordUpdate(tenant, clientActor(client, origin), before, client)
    return { client, metadata }
  })
  await signingKeys.ensure(replaced.client.idTokenSignedResponseAlg)
  return presentRegistration(replaced.client, replaced.metadata, { issuer, oauthExtensions, registrationAccessToken })
}

/** @throws OAuthError when a client that registered with a key or a certificate would have to send a secret, which it has never got */
function refuseWithoutSecret(method: AuthMethod, secretHash: string | null): void {
  if (usesSecret(method) && secretHash === null)
    throw invalidMetadata('token_endpoint_auth_method', 'must be one without a secret: the client has none')
}

/**
 * What administrators have left to a client, of each list that they have changed since it registered: a client never takes back what was taken
 * from it. It is stored beside what the client registers within it, since after that the two lists are equal.
 */
function leftTo(client: Client, { left, ...registered }: RegisteredMetadata): LeftToClient {
  const leftOf = (list: keyof LeftToClient) => {
    const isUntouched = isWithin(client[list], registered[list]) && isWithin(registered[list], client[list])
    return isUntouched ? left?.[list] : client[list]
  }
  return { grantTypes: leftOf('grantTypes'), scopes: leftOf('scopes') }
}

/** What a client may register for now: what administrators have left to it, or what its token allows, also after the token has ended. */
async function boundsOf(tenant: Tenant, client: Client, { registrationTokenId }: StoredRegistration, left: LeftToClient): Promise<Bounds> {
  const allowed = registrationTokenId === null ? undefined : await findAllowance(tenant, registrationTokenId)
  return {
    grantTypes: left.grantTypes ?? allowed?.allowedGrantTypes ?? client.grantTypes,
    scopes: left.scopes ?? allowed?.allowedScopes ?? client.scopes,
    privateSchemes: true,
  }
}

/**
 * Deletes a client at its own request (RFC 7592 §2.3), with all its tokens.
 *
 * @throws OAuthError `invalid_token`
 */
export async function deleteRegistration({ database }: RegistrationDependencies, origin: Origin, { client }: Presented): Promise<void> {
  if (!(await deleteClientOf(database, client.organisationId, client.id, origin))) throw invalidRegistrationToken()
}
