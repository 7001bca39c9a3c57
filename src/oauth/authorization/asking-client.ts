import { say } from '../../../shared/checks/said.ts'
import type { AutomaticClient } from '../../automatic-clients/automatic-client.ts'
import type { VouchedResources } from '../../automatic-clients/vouched-resources.ts'
import { automaticClientsMax, hasRoomForAnother } from '../../clients/automatic.ts'
import { withoutWithheld } from '../../clients/withheld.ts'
import type { Database } from '../../platform/database/database.ts'
import { AuthorizationPageError, type ConcernedClient, OAuthError } from '../protocol/errors.ts'
import { findAutomaticClient, lifetimesOf, type OAuthClient } from '../protocol/queries.ts'

const tooManyClients = ({ clientId }: AutomaticClient, organisationId: string) =>
  new AuthorizationPageError(
    'unusable-client',
    `The organisation has ${automaticClientsMax} applications that introduced themselves, and can have no other one. An administrator deletes those that are not used.`,
    { name: 'client_id', expected: say('room-for-an-automatic-client', String(automaticClientsMax)), received: clientId },
    { id: clientId, organisationId },
  )

const withheldResource = (resource: string | undefined, client: ConcernedClient): OAuthError =>
  new OAuthError(
    'invalid_target',
    'an administrator has taken the resource from the application',
    { name: 'resource', expected: say('a-resource-that-automatic-clients-may-use'), received: resource },
    { client },
  )

/** The settings of a client that no administrator has changed, and that it does not describe itself. */
const unset = {
  requireSignedRequestObject: false,
  requestObjectSigningAlg: null,
  secretHash: null,
  previousSecretHash: null,
  previousSecretExpiresAt: null,
  postLogoutRedirectUris: [],
  requirePkce: true,
  allowPlainPkce: false,
  requireConsent: true,
  requirePushedAuthorizationRequests: false,
  requireDpop: false,
  tlsClientAuth: null,
  certificateBoundAccessTokens: false,
  profile: null,
  refreshTokenGraceSeconds: 0,
  authorizationCodeTtl: 600,
  introspectionSignedResponseAlg: null,
  defaultAcrValues: null,
  defaultMaxAge: null,
  defaultResource: null,
  claimMappings: null,
  federatedCredentials: null,
  claimSources: null,
  isActive: true,
  lastUsedAt: null,
  secretLastUsedAt: null,
  tokensValidAfter: null,
  hasSubscriber: false,
} satisfies Partial<OAuthClient>

/** It describes none of these either: what the organisation has set holds. */
const unsetLifetimes = { accessTokenLifetime: null, refreshTokenLifetime: null, refreshTokenAbsoluteLifetime: null, idTokenLifetime: null }

/**
 * The client in an organisation: its own row, if a user has allowed it before, with what it says of itself now, but for what an administrator
 * has taken from it.
 *
 * @returns the refusal to send back, when that is a resource of the request
 */
export async function askingClient(
  database: Database,
  client: AutomaticClient,
  vouched: VouchedResources,
): Promise<OAuthClient | OAuthError> {
  const { organisationId, organisationStatus, tokenLifetimePolicy, servers } = vouched
  const row = await findAutomaticClient(database, organisationId, client.clientId)
  const described = describedBy(client, servers)
  if (row) {
    const { withheld, ...stored } = row
    const { grantTypes, scopes, resourceServerIds } = described
    const left = withoutWithheld({ grantTypes, scopes, resourceServerIds }, withheld)
    const taken = servers.find(({ id }) => !left.resourceServerIds.includes(id))
    if (taken) return withheldResource(taken.identifier, { id: row.id, organisationId })
    const isKnown = servers.every(({ id }) => row.resourceServerIds?.includes(id))
    const isNew = !isKnown || row.consentVersion !== client.version
    const automatic = { client, isBound: true, isNew, allowedScopes: row.scopes }
    return { ...stored, ...described, ...left, requireConsent: row.requireConsent || isNew, automatic }
  }
  if (!(await hasRoomForAnother(database, organisationId))) throw tooManyClients(client, organisationId)
  return {
    ...unset,
    ...described,
    ...lifetimesOf({ ...unsetLifetimes, origin: client.origin }, tokenLifetimePolicy),
    organisationId,
    organisationStatus,
    id: client.clientId,
    clientId: client.clientId,
    origin: client.origin,
    idTokenSignedResponseAlg: client.idTokenSignedResponseAlg,
    automatic: { client, isBound: false, isNew: true, allowedScopes: [] },
  }
}

/** What the client says of itself, and of whose resources it asks. */
const describedBy = (client: AutomaticClient, servers: VouchedResources['servers']) => ({
  name: client.name,
  redirectUris: client.redirectUris,
  grantTypes: client.grantTypes,
  scopes: [...new Set(servers.flatMap(({ scopes }) => scopes))],
  resourceServerIds: servers.map(({ id }) => id),
  consentVersion: client.version,
  clientType: client.tokenEndpointAuthMethod === 'none' ? ('public' as const) : ('confidential' as const),
  tokenEndpointAuthMethod: client.tokenEndpointAuthMethod,
  jwks: client.jwks,
  jwksUri: client.jwksUri,
  tokenEndpointAuthSigningAlg: client.tokenEndpointAuthSigningAlg,
})
