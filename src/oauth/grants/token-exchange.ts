import { decideGrants } from '../../../shared/assertion-grants.ts'
import { say } from '../../../shared/checks/said.ts'
import { assuranceLevels, includesLevel } from '../../access/factors.ts'
import { record } from '../../activity/record.ts'
import { canBeAskedFor, type OAuthExtensions } from '../../clients/extensions.ts'
import { presentClient } from '../../clients/present-client.ts'
import { findClient as findRegisteredClient } from '../../clients/queries.ts'
import type { SigningAlgorithm } from '../../platform/database/column-types.ts'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import { newStamp } from '../../platform/ids.ts'
import { holdResourceAuthorizationServer, type ResourceAuthorizationServer } from '../../resource-authorization-servers/queries.ts'
import { sameIssuers } from '../../resource-authorization-servers/rules.ts'
import { signJwt } from '../../tokens/jwt.ts'
import { resourceIdentifierOf } from '../../tokens/rules.ts'
import { invalidRequest, invalidTarget, OAuthError } from '../protocol/errors.ts'
import { credential, harmless, optional, required, valuesOf } from '../protocol/parameters.ts'
import { parseScope } from '../protocol/scope.ts'
import { idTokenExample, resource } from '../protocol/shared-parameters.ts'
import { defineGrant, type GrantDependencies, type Requester } from './grant.ts'
import { clientAsActor } from './record-issue.ts'
import { whyAuthorizationInvalid } from './subject.ts'
import { type HeldSubject, holdSubject, idTokenType, type PresentedSubject, readSubjectToken, refreshTokenType } from './subject-token.ts'

const tokenExchangeGrantType = 'urn:ietf:params:oauth:grant-type:token-exchange'
export const identityAssertionType = 'urn:ietf:params:oauth:token-type:id-jag'

/**
 * Token exchange (RFC 8693) for an identity assertion: with it, a client acts for a user at the authorization server of another company
 * (draft-ietf-oauth-identity-assertion-authz-grant §4.3). It writes nothing but the entry in the audit log.
 *
 * @throws OAuthError `invalid_request`, `invalid_target`, `access_denied` or `insufficient_user_authentication`
 */
export const tokenExchangeGrant = defineGrant({
  grantType: tokenExchangeGrantType,
  forPublicClients: false,
  extension: 'identity_assertions',
  parameters: {
    requested_token_type: required('the kind of token: an identity assertion', identityAssertionType, harmless),
    audience: required(
      'the issuer of the authorization server that takes the assertion, as it is registered',
      'https://login.books.test',
      harmless,
    ),
    subject_token: required('an ID token of the client, or its refresh token, which is not used up', idTokenExample, credential),
    subject_token_type: required(`the kind of subject_token: ${idTokenType} or ${refreshTokenType}`, idTokenType, harmless),
    resource,
    scope: optional('scopes there, all that are granted when left out', 'books:read', harmless),
  },
  async grant(dependencies, requester, parameters) {
    const { requestedTokenType, audience, scope } = parameters
    if (requestedTokenType !== identityAssertionType) {
      throw invalidRequest('the requested_token_type is not supported', {
        name: 'requested_token_type',
        expected: identityAssertionType,
        received: requestedTokenType,
      })
    }
    const presented = await readSubjectToken(dependencies, requester, parameters)
    const asked = { audience, resources: valuesOf(parameters.resource), scopes: scope === undefined ? undefined : parseScope(scope) }
    return issueAssertion(dependencies, requester, presented, asked)
  },
})

interface Asked {
  /** The issuer of the other authorization server. */
  audience: string
  resources: readonly string[]
  scopes: readonly string[] | undefined
}

async function issueAssertion(
  { database, issuer, oauthExtensions }: GrantDependencies,
  requester: Requester,
  presented: PresentedSubject,
  asked: Asked,
) {
  const { client } = requester
  const { organisationId } = client
  // Before the transaction: the first use of an algorithm makes its key, in a transaction of its own.
  const algorithm = await findAlgorithm(database, organisationId, asked.audience)
  if (!algorithm) throw unknownTarget(asked, undefined)
  const key = await issuer.signingKeys.signer(algorithm)
  return database.transaction(organisationId, async (tenant) => {
    const subject = await holdSubject(tenant, client.id, presented)
    const reason = whyAuthorizationInvalid(client, { blockedAt: null, userDeletedAt: null }, presented.authorizedAt)
    if (!subject || reason) {
      const received = reason ? say(reason) : undefined
      throw invalidRequest('the subject_token is no longer valid', { name: 'subject_token', expected: say('a-valid-one'), received })
    }
    const server = await holdResourceAuthorizationServer(tenant, sameIssuers(asked.audience))
    if (!server?.isActive) throw unknownTarget(asked, undefined)
    const resources = resourcesThere(server, asked)
    const allowed = decideGrants(server, { clientId: client.id, resources, scopes: asked.scopes }, subject)
    if (!allowed || allowed.scopes.length === 0 || allowed.downstreamClientId === null) {
      throw new OAuthError('access_denied', 'no grant allows this to the client for the user', {
        name: allowed ? 'scope' : 'authorization',
        expected: say('a-grant-for-client-resource-and-user'),
        received: allowed ? (asked.scopes ?? say('nothing')) : client.id,
      })
    }
    refuseWeakSignIn(server, presented, oauthExtensions)
    const claims = assertionClaims(issuer.issuer, organisationId, server, presented, subject, {
      ...allowed,
      resources,
      now: tenant.now,
    })
    const assertion = await signJwt(key, 'oauth-id-jag+jwt', claims)
    await recordAssertion(tenant, requester, server, { userId: presented.userId, subject, resources, scopes: allowed.scopes })
    return {
      issued_token_type: identityAssertionType,
      access_token: assertion,
      token_type: 'N_A' as const,
      expires_in: server.lifetimeSeconds,
      scope: allowed.scopes.join(' '),
    }
  })
}

// The other company verifies assertions as it verifies the ID tokens by which it signs users in.
const algorithmFor = statement<{ organisationId: string; issuers: readonly string[] }, { algorithm: SigningAlgorithm }>(`
  select c.id_token_signed_response_alg as "algorithm"
  from resource_authorization_servers s
  join clients c on c.organisation_id = s.organisation_id and c.id = s.audience_client_id and c.deleted_at is null and c.is_active
  where s.organisation_id = :organisationId and s.issuer = any(:issuers::text[]) and s.is_active`)

const findAlgorithm = async (database: Database, organisationId: string, issuer: string): Promise<SigningAlgorithm | undefined> =>
  (await database.pointRead(algorithmFor, { organisationId, issuers: sameIssuers(issuer) }))?.algorithm

/**
 * The resources that are asked for, each of which has to be one of that server: the pair is checked, so that no assertion for one company
 * names the API of another.
 *
 * @throws OAuthError `invalid_target`
 */
function resourcesThere(server: ResourceAuthorizationServer, asked: Asked): string[] {
  const resources = [...new Set(asked.resources.map((uri) => resourceIdentifierOf(uri) ?? uri))]
  const known = server.resources.map(({ identifier }) => identifier)
  const areKnown = resources.length > 0 && resources.every((identifier) => known.includes(identifier))
  if (!areKnown) throw unknownTarget(asked, known)
  return resources
}

const unknownTarget = ({ audience, resources }: Asked, known: readonly string[] | undefined) =>
  known === undefined
    ? invalidTarget('the audience is unknown or inactive', {
        name: 'audience',
        expected: say('an-active-authorization-server-of-the-organisation'),
        received: audience,
      })
    : invalidTarget('the resource is none of the audience', { name: 'resource', expected: known, received: resources })

/**
 * @throws OAuthError `insufficient_user_authentication` when the user signed in by less than the server asks for (RFC 9470 §3);
 *   `access_denied` when no client can ask for that level any more
 */
function refuseWeakSignIn(
  { requiredAcr }: ResourceAuthorizationServer,
  { authenticationContext }: PresentedSubject,
  extensions: OAuthExtensions,
): void {
  if (requiredAcr === null) return
  const level = assuranceLevels.find((one) => one === authenticationContext)
  if (level && includesLevel(level, requiredAcr)) return
  const check = { name: 'acr_values', expected: requiredAcr, received: authenticationContext } as const
  // It was set while the extension was on. Told of a sign-in that is too weak, the client would ask its user for another one, again and again.
  if (!canBeAskedFor(requiredAcr, extensions))
    throw new OAuthError('access_denied', 'no sign-in here reaches the level that is required there', {
      ...check,
      hint: say('extension-is-off', 'step_up'),
    })
  throw new OAuthError('insufficient_user_authentication', 'the user has to sign in at a higher level', check, {
    // Without the extension, `acr_values` is not read: a new sign-in is all that the client can ask for.
    ...(extensions.has('step_up') && { members: { acr_values: requiredAcr } }),
  })
}

function assertionClaims(
  issuer: string,
  organisationId: string,
  { issuer: audience, lifetimeSeconds, includesEmail }: ResourceAuthorizationServer,
  { userId, authenticatedAt, authenticationContext: acr, authenticationMethods: amr }: PresentedSubject,
  { email, emailVerifiedAt }: HeldSubject,
  granted: { downstreamClientId: string | null; resources: readonly string[]; scopes: readonly string[]; now: Date },
) {
  const issuedAt = Math.floor(granted.now.getTime() / 1_000)
  const [first] = granted.resources
  return {
    iss: issuer,
    // As in ID tokens for the client by which that company signs users in.
    sub: userId,
    aud: audience,
    client_id: granted.downstreamClientId,
    jti: newStamp(granted.now),
    iat: issuedAt,
    exp: issuedAt + lifetimeSeconds,
    tenant: organisationId,
    resource: granted.resources.length === 1 ? first : granted.resources,
    scope: granted.scopes.join(' '),
    auth_time: Math.floor(authenticatedAt.getTime() / 1_000),
    acr,
    amr,
    ...(includesEmail && { email, email_verified: emailVerifiedAt !== null }),
  }
}

/** Writes for whom the client may act where, and never the assertion. */
async function recordAssertion(
  tenant: Tenant,
  { client, origin }: Requester,
  { id, issuer }: ResourceAuthorizationServer,
  issued: { userId: string; subject: HeldSubject; resources: readonly string[]; scopes: readonly string[] },
): Promise<void> {
  const registered = await findRegisteredClient(tenant, client.id)
  if (!registered) return
  const { userId, subject, resources, scopes } = issued
  await record(tenant, clientAsActor(client, origin), {
    action: 'oauth2.identity_assertion.issued',
    client: presentClient(registered),
    user: { id: userId, email: subject.email, name: subject.name },
    metadata: { userId, resourceAuthorizationServerId: id, audience: issuer, resources, scopes },
  })
}
