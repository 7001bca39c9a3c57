import type { BrowserSession } from '../../access/caller.ts'
import type { AssuranceLevel } from '../../access/factors.ts'
import { hashSecret, newSecret } from '../../platform/crypto/secrets.ts'
import type { GrantedClaims, ResourceScopes } from '../../platform/database/column-types.ts'
import type { Database } from '../../platform/database/database.ts'
import { type KeyedValues, statement } from '../../platform/database/statement.ts'
import { newId } from '../../platform/ids.ts'
import type { OAuthClient } from '../protocol/queries.ts'
import { resourceScopesOf } from '../protocol/resources.ts'
import { asksForOwn } from './consents.ts'
import type { StoredRequest } from './stored-requests.ts'

interface NewCode extends KeyedValues {
  usedUp: readonly string[]
  sessionId: string
  codeHash: string
  clientId: string
  familyId: string
  redirectUri: string
  redirectUriSent: boolean
  scope: readonly string[]
  resources: readonly string[] | null
  resourceScopes: string | null
  nonce: string | null
  jkt: string | null
  codeChallenge: string | null
  codeChallengeMethod: string | null
  authenticatedAt: Date
  authenticationContext: string | null
  grantedClaims: string | null
  asksConsent: boolean
  asksForOwn: boolean
  now: Date
  lifetimeSeconds: number
}

const userOfSession = '(select user_id from sessions where organisation_id = :organisationId and id = :sessionId)'

// That of the consent is of what is of no resource server. Of a client that asks for consent every end counts, also one that has just passed: the code is of no use then, rather than without end.
const consentedUntil = `(
      select min(k.expires_at) from (
        select expires_at from consent where :asksForOwn::boolean
        union all
        select expires_at from consent_at_resources
      ) k where k.expires_at > :now::timestamptz or :asksConsent::boolean
    )`

// The pending request, and the pushed one that it is, are used up, and the session and the consent locked until the code is inserted: none of them can end in between.
// The consent is shared, so that this waits for a user who is limiting it, and reads the end that they have chosen; or they wait, and then find
// the code. It comes before that of resource servers, as it does for them.
// Whatever ends a user ends the sessions, too, so locking the session is enough.
const insertCode = statement<NewCode, object>(`
  with request as (
    delete from authorization_requests where organisation_id = :organisationId and reference_hash = any(:usedUp::text[]) returning client_id
  ), consent as (
    select k.allows_refresh, k.expires_at from consents k
    where k.organisation_id = :organisationId and k.client_id = :clientId and k.user_id = ${userOfSession}
    for share
  ), consent_at_resources as (
    select r.expires_at from resource_consents r
    where exists (select from consent) and r.organisation_id = :organisationId and r.client_id = :clientId
      and r.user_id = ${userOfSession} and r.resource_server_id = any(:resources::text[])
    for share
  ), allowed as (
    select s.id, s.user_id, s.authentication_methods, s.connection_id, s.upstream_session, s.federated_until, s.sign_in_id
    from sessions s join users u on u.organisation_id = s.organisation_id and u.id = s.user_id
    where s.organisation_id = :organisationId and s.id = :sessionId and s.revoked_at is null and u.blocked_at is null
      and u.deleted_at is null and (not :asksConsent::boolean or exists (select from consent))
    for share of s
  )
  insert into authorization_codes (organisation_id, code_hash, client_id, user_id, session_id, family_id, redirect_uri,
    redirect_uri_sent, scope, resources, resource_scopes, nonce, jkt, code_challenge, code_challenge_method, authenticated_at, authentication_methods,
    authentication_context, connection_id, upstream_session, federated_until, consented_until, allows_refresh, granted_claims, sign_in_id, created_at, expires_at)
  select :organisationId, :codeHash, :clientId, user_id, id, :familyId, :redirectUri, :redirectUriSent::boolean, :scope::text[], :resources::text[], :resourceScopes::jsonb,
    :nonce, :jkt, :codeChallenge, :codeChallengeMethod, :authenticatedAt::timestamptz, authentication_methods, :authenticationContext,
    connection_id, upstream_session, federated_until, ${consentedUntil}, (select allows_refresh from consent where :asksConsent::boolean), :grantedClaims::jsonb, sign_in_id, :now::timestamptz,
    :now::timestamptz + make_interval(secs => :lifetimeSeconds)
  from allowed where (select count(*) from request) = cardinality(:usedUp::text[])
  returning code_hash`)

const jsonOf = (value: ResourceScopes | GrantedClaims | null | undefined) => (value ? JSON.stringify(value) : null)

/**
 * Issues an authorization code (RFC 6749 §4.1.2) for the browser session, and uses up the pending request.
 *
 * @param usedUp the hashes of the stored requests that it answers; a pushed one first
 * @param granted the level that its access tokens name, and the claims that were granted by their names
 * @returns undefined when the session has ended or the consent was taken back meanwhile, or the request has had its response before
 */
export async function issueCode(
  database: Database,
  client: OAuthClient,
  browserSession: BrowserSession,
  request: StoredRequest,
  usedUp: readonly string[],
  { authenticationContext, claims }: { authenticationContext: AssuranceLevel | null; claims: GrantedClaims | undefined },
): Promise<string | undefined> {
  const code = newSecret()
  const now = database.clock.now()
  const sessionId = browserSession.caller.session.id
  const issued = await database.keyedWrite(insertCode, {
    organisationId: client.organisationId,
    key: usedUp[0] ?? sessionId,
    usedUp,
    sessionId,
    codeHash: hashSecret(code),
    clientId: client.id,
    familyId: newId('fam', now),
    redirectUri: request.redirectUri,
    redirectUriSent: request.redirectUriSent,
    scope: request.scope,
    resources: request.resources?.map(({ id }) => id) ?? null,
    resourceScopes: jsonOf(resourceScopesOf(request.resources)),
    nonce: request.nonce ?? null,
    jkt: request.jkt ?? null,
    codeChallenge: request.pkce?.challenge ?? null,
    codeChallengeMethod: request.pkce?.method ?? null,
    authenticatedAt: browserSession.authenticatedAt,
    authenticationContext,
    grantedClaims: jsonOf(claims),
    asksConsent: client.requireConsent,
    asksForOwn: asksForOwn(request),
    now,
    lifetimeSeconds: client.authorizationCodeTtl,
  })
  return issued && code
}
