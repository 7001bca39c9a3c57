import { say } from '../../../shared/checks/said.ts'
import type { ClaimSources } from '../../claims/evaluate.ts'
import { claimSources } from '../../claims/statements.ts'
import { secondsAfter } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import { newId } from '../../platform/ids.ts'
import { accessTokenSeconds, issueAccessToken, type TokenAudience } from '../../tokens/issue-tokens.ts'
import { resourceIdentifierOf } from '../../tokens/rules.ts'
import { findSubject } from '../../tokens/subject.ts'
import { invalidGrant, invalidScope, invalidTarget } from '../protocol/errors.ts'
import { type Judge, strictly } from '../protocol/judge.ts'
import { credential, harmless, optional, required, valuesOf } from '../protocol/parameters.ts'
import type { OAuthClient } from '../protocol/queries.ts'
import { type AskedResources, audienceOf, findNamedResources } from '../protocol/resources.ts'
import { parseScope } from '../protocol/scope.ts'
import { idTokenExample, resource } from '../protocol/shared-parameters.ts'
import { addedToAccessToken } from './added-claims.ts'
import { confirmationOf, requireProofFor } from './bound-tokens.ts'
import { defineGrant, type GrantDependencies, type Requester, type TrustedAssertion } from './grant.ts'
import { tokenTypeOf } from './token-response.ts'

export const jwtBearerGrantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

const lifetimeMax = 3_600

/**
 * The grant by an identity assertion (draft-ietf-oauth-identity-assertion-authz-grant §4.4): an access token for a user who has signed in
 * elsewhere, without a page. There is no refresh token and no ID token.
 *
 * @throws OAuthError `invalid_grant`, `invalid_scope`, `invalid_target` or `insufficient_user_authentication`
 */
export const jwtBearerGrant = defineGrant({
  grantType: jwtBearerGrantType,
  forPublicClients: false,
  extension: 'identity_assertions',
  parameters: {
    assertion: required('an identity assertion (ID-JAG), which works once', idTokenExample, credential),
    resource,
    scope: optional('scopes of the assertion, all of them when left out', 'orders:read', harmless),
  },
  async grant(dependencies, requester, parameters) {
    const { database, issuer, oauthExtensions, readIdentityAssertion } = dependencies
    const { client } = requester
    requireConfidential(client, undefined)
    const assertion = await readIdentityAssertion(requester, parameters.assertion)
    requireConfidential(client, assertion)
    const resources = await decideResources(dependencies, requester, assertion, valuesOf(parameters.resource))
    requireProofFor(resources, requester, oauthExtensions)
    const scope = decideScope(assertion, resources, client.scopes, parameters.scope)

    const now = database.clock.now()
    const audience = audienceAtMost(audienceOf(resources, { client, scope, issuer: issuer.issuer }))
    const familyId = newId('fam', now)
    const resourceServerIds = resources.asked.map(({ id }) => id)
    const keptUntil = secondsAfter(now, accessTokenSeconds(client, now, undefined, audience))
    const asserted = await assertion.actFor({ familyId, scope, resourceServerIds, keptUntil })
    const subject = await findSubject(database, client.organisationId, asserted.userId)
    if (!subject) throw invalidGrant('the user has been deleted', { name: 'assertion_subject', received: say('user-deleted') })
    const unbounded = { federatedUntil: null, consentedUntil: null }
    const acting = { ...subject, ...asserted, familyId, sessionId: familyId, authenticationContext: null, ...unbounded }
    const sources = await findClaimSources(database, client, resources, familyId)
    const added = addedToAccessToken(client, { ...acting, claimSources: sources }, scope, resources)
    if (added) requester.noteLeftOut(added.tooLarge)
    const { token, expiresInSeconds } = await issueAccessToken(
      issuer,
      client,
      acting,
      scope,
      now,
      audience,
      added?.claims,
      confirmationOf(requester),
    )
    return { access_token: token, token_type: tokenTypeOf(confirmationOf(requester)), expires_in: expiresInSeconds, scope: scope.join(' ') }
  },
})

/**
 * Only confidential clients present assertions, and those by a document without a key where the connection allows it.
 *
 * @param assertion undefined while it has not been read
 * @throws OAuthError `invalid_grant`
 */
export function requireConfidential(
  { clientType, origin }: Pick<OAuthClient, 'clientType' | 'origin'>,
  assertion: Pick<TrustedAssertion, 'allowsUnauthenticatedDocuments'> | undefined,
  judge: Judge = strictly,
): void {
  const mayBePublic = origin === 'metadata_document' && (assertion?.allowsUnauthenticatedDocuments ?? true)
  judge.expect(clientType === 'confidential' || mayBePublic, invalidGrant, 'assertions are for confidential clients', {
    name: 'client_type',
    expected: mayBePublic ? ['confidential', 'public'] : 'confidential',
    received: clientType,
  })
}

/**
 * The resource servers that the assertion is for, each of which the connection and the client may have. The request may name some of them.
 *
 * @throws OAuthError `invalid_target`
 */
export async function decideResources(
  { database, oauthExtensions }: Pick<GrantDependencies, 'database' | 'oauthExtensions'>,
  { client }: Pick<Requester, 'client'>,
  { resources, resourceServerIds }: Pick<TrustedAssertion, 'resources' | 'resourceServerIds'>,
  asked: readonly string[],
  judge: Judge = strictly,
): Promise<AskedResources> {
  const asserted = resources.length > 0 ? resources : client.defaultResource === null ? [] : [client.defaultResource]
  const named = asserted.map((uri) => resourceIdentifierOf(uri) ?? uri)
  const wanted = asked.length > 0 ? asked.map((uri) => resourceIdentifierOf(uri) ?? uri) : named
  const beyond = wanted.find((identifier) => !named.includes(identifier))
  const isForIt = wanted.length > 0 && beyond === undefined
  judge.need(isForIt, invalidTarget, 'the assertion is not for that resource', {
    name: 'resource',
    expected: named,
    received: isForIt ? wanted : (beyond ?? say('none')),
  })
  // All of them: an assertion that names anything else is refused, whatever the request leaves out.
  const found = await findNamedResources(database, client, named, oauthExtensions)
  const foreign = found.asked.find(({ id }) => !resourceServerIds.includes(id))
  const allowed = found.known.filter(({ id }) => resourceServerIds.includes(id)).map(({ identifier }) => identifier)
  judge.need(foreign === undefined, invalidTarget, 'the connection takes no assertions for that resource', {
    name: 'resource',
    expected: allowed,
    received: foreign?.identifier ?? wanted,
  })
  return { ...found, asked: found.asked.filter(({ identifier }) => wanted.includes(identifier)) }
}

/**
 * What the request asks for, as far as assertion, client and resource servers allow it.
 *
 * @throws OAuthError `invalid_scope` when nothing is left
 */
export function decideScope(
  assertion: Pick<TrustedAssertion, 'scope'>,
  { asked }: AskedResources,
  ofClient: readonly string[],
  sent: string | undefined,
  judge: Judge = strictly,
): string[] {
  const wanted = sent === undefined ? assertion.scope : parseScope(sent)
  const defined = asked.flatMap(({ scopes }) => scopes)
  const scope = [...new Set(wanted)].filter((value) => [assertion.scope, ofClient, defined].every((scopes) => scopes.includes(value)))
  judge.need(scope.length > 0, invalidScope, 'the assertion, the client and the resource allow none of the scopes', {
    name: 'scope',
    expected: defined.filter((value) => ofClient.includes(value) && assertion.scope.includes(value)),
    received: wanted,
  })
  return scope
}

// Only now: before the family began, nothing said of which user and identity the token is.
const sourcesOfFamily = statement<{ organisationId: string; familyId: string; claimMappings: string }, { claimSources: ClaimSources }>(`
  select ${claimSources(':claimMappings::jsonb', ['access_token'], {
    organisation: 'f.organisation_id',
    user: 'f.user_id',
    connection: 'f.connection_id',
    session: 'f.session_id',
  })} as "claimSources"
  from token_families f where f.organisation_id = :organisationId and f.id = :familyId`)

/** What the mappings of the client and of the resource servers take their values from; null without mappings, for which nothing is read. */
async function findClaimSources(
  database: Database,
  { organisationId, claimMappings }: OAuthClient,
  { asked }: AskedResources,
  familyId: string,
): Promise<ClaimSources | null> {
  const mappings = [claimMappings, ...asked.map((server) => server.claimMappings)].flatMap((list) => list ?? [])
  if (mappings.length === 0) return null
  const found = await database.pointRead(sourcesOfFamily, { organisationId, familyId, claimMappings: JSON.stringify(mappings) })
  return found?.claimSources ?? null
}

/** An hour at most: then the identity provider is asked again, and may refuse. */
const audienceAtMost = (audience: TokenAudience | undefined): TokenAudience | undefined =>
  audience && { ...audience, lifetimeSeconds: Math.min(audience.lifetimeSeconds, lifetimeMax), includesAuthentication: true }
