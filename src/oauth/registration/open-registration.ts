/** Open registration: without a token, a client is of no organisation until a user of one allows it. */

import type { RateLimits } from '../../access/rate-limits.ts'
import type { Origin } from '../../activity/actor.ts'
import {
  deleteUnboundClient,
  findBoundRows,
  findUnboundClient,
  insertUnboundClient,
  replaceUnboundClient,
  type UnboundClient,
} from '../../automatic-clients/registrations/queries.ts'
import { hashSecret, newSecret, sameSecret } from '../../platform/crypto/secrets.ts'
import type { Database } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problem.ts'
import { countTogether } from '../../platform/rate-limits/rate-limit.ts'
import { OAuthError } from '../protocol/errors.ts'
import type { Registration } from './decide-registration.ts'
import { deleteClientOf } from './delete-client.ts'
import { invalidMetadata, invalidRegistrationToken } from './errors.ts'
import { assuranceMembers, plainAssurance } from './keys-and-assurance.ts'
import type { ClientMetadata, RegisteredMetadata, ReplacedClientMetadata } from './metadata.ts'
import { type ClientInformation, presentRegistration } from './present-registration.ts'
import { decideWithin, type RegistrationDependencies, registrationAccessTokenPrefix } from './register-client.ts'

export interface OpenRegistrationDependencies extends RegistrationDependencies {
  limits: RateLimits
}

/**
 * Registers a client that is of no organisation yet: a public one, for the code flow alone.
 *
 * @throws OAuthError `invalid_redirect_uri`, `invalid_client_metadata`, `temporarily_unavailable` beyond the limits
 */
export async function registerOpenly(
  dependencies: OpenRegistrationDependencies,
  { ipAddress }: Origin,
  sent: ClientMetadata,
): Promise<ClientInformation> {
  const { database, limits, signingKeys } = dependencies
  const registration = decideOpenly(dependencies, sent)
  await countTogether([limits.registrationsByAddress, ipAddress ?? ''], [limits.registrations, '']).catch(refuseTooMany)
  const token = newSecret(registrationAccessTokenPrefix)
  const client = await insertUnboundClient(database, {
    ...rowOf(registration),
    registrationAccessTokenHash: hashSecret(token),
    ipAddress,
  })
  await signingKeys.ensure(client.idTokenSignedResponseAlg)
  return present(dependencies, client, token)
}

/** @throws OAuthError `invalid_token` */
export async function presentedUnboundClient(database: Database, clientId: string, token: string): Promise<UnboundClient> {
  const client = await findUnboundClient(database, clientId)
  if (!client || !sameSecret(client.registrationAccessTokenHash, hashSecret(token))) throw invalidRegistrationToken()
  return client
}

/**
 * Replaces the metadata of an openly registered client. Organisations that have it learn of them with its next authorization; with other
 * redirect URIs, their users decide anew.
 *
 * @throws OAuthError `invalid_token`, `invalid_redirect_uri`, `invalid_client_metadata`
 */
export async function replaceOpenly(
  dependencies: OpenRegistrationDependencies,
  { clientId }: UnboundClient,
  token: string,
  { client_id: named, client_secret: secret, ...sent }: ReplacedClientMetadata,
): Promise<ClientInformation> {
  if (named !== clientId) throw invalidMetadata('client_id', 'must be that of the registration')
  if (secret != null) throw invalidMetadata('client_secret', 'must not be sent: the client has none')
  const replaced = await replaceUnboundClient(dependencies.database, clientId, rowOf(decideOpenly(dependencies, sent)))
  if (!replaced) throw invalidRegistrationToken()
  await dependencies.signingKeys.ensure(replaced.idTokenSignedResponseAlg)
  return present(dependencies, replaced, token)
}

/** Deletes an openly registered client, in every organisation that has it, with all its tokens. */
export async function deleteOpenly({ database }: { database: Database }, origin: Origin, { clientId }: UnboundClient): Promise<void> {
  for (const { organisationId, id } of await findBoundRows(database, clientId)) await deleteClientOf(database, organisationId, id, origin)
  // Only now: until all are deleted, the client can ask for it again.
  await deleteUnboundClient(database, clientId)
}

export const presentUnbound = (dependencies: RegistrationDependencies, client: UnboundClient, token: string) =>
  present(dependencies, client, token)

const grantsOfOpenClients = ['authorization_code', 'refresh_token']

/**
 * What a stranger registers is made to fit where the client cannot know better (RFC 7591 §3.2.1): it is public, its other grants are left
 * out, and so are its scopes, which the resources decide, and what no organisation has chosen to trust.
 */
function decideOpenly(dependencies: RegistrationDependencies, sent: ClientMetadata): Registration {
  const fitted = {
    ...sent,
    token_endpoint_auth_method: 'none',
    grant_types: sent.grant_types?.filter((grantType) => grantsOfOpenClients.includes(grantType)),
    scope: undefined,
    post_logout_redirect_uris: undefined,
    initiate_login_uri: undefined,
    default_acr_values: undefined,
    default_max_age: undefined,
    ...Object.fromEntries(Object.keys(assuranceMembers).map((member) => [member, undefined])),
  }
  const registration = decideWithin(dependencies, { grantTypes: grantsOfOpenClients, scopes: [], privateSchemes: false }, fitted)
  if (!registration.settings.grantTypes.includes('authorization_code')) throw invalidMetadata('grant_types', 'must hold authorization_code')
  return registration
}

const rowOf = ({ settings: { name, redirectUris, grantTypes, idTokenSignedResponseAlg }, metadata }: Registration) => ({
  ...{ name, redirectUris, grantTypes, idTokenSignedResponseAlg },
  metadata: JSON.stringify(metadata),
})

function present({ issuer }: RegistrationDependencies, client: UnboundClient, registrationAccessToken: string): ClientInformation {
  const { scope, ...information } = presentRegistration(
    {
      ...client,
      id: client.clientId,
      ...plainAssurance,
      tokenEndpointAuthMethod: 'none',
      ...{ scopes: [], postLogoutRedirectUris: [], initiateLoginUri: null, defaultAcrValues: null, defaultMaxAge: null },
    },
    client.metadata as unknown as RegisteredMetadata,
    // It may have none of what extensions add.
    { issuer, oauthExtensions: new Set(), registrationAccessToken },
  )
  return information
}

function refuseTooMany(error: unknown): never {
  if (!(error instanceof Problem)) throw error
  const retryAfter = error.headers['retry-after'] ?? '60'
  throw new OAuthError(
    'temporarily_unavailable',
    'too many clients have registered, try again later',
    { name: 'rate_limit' },
    { retryAfter },
  )
}
