/** GET and POST /oauth2/userinfo (OpenID Connect Core §5.3, RFC 6750). */
import { type Said, say } from '../../../shared/checks/said.ts'
import { withAdded } from '../../claims/evaluate.ts'
import type { Profile } from '../../clients/profile.ts'
import type { AccessTokens } from '../../tokens/access-tokens.ts'
import { userClaims } from '../../tokens/claims.ts'
import { type ConcernedClient, type FailedCheck, invalidRequest, OAuthError } from '../protocol/errors.ts'
import { parseScope } from '../protocol/scope.ts'
import { addedToResponse } from './mapped-claims.ts'

/** The access token of a request, as it was presented. */
export interface PresentedToken {
  authorization: string | undefined
  /** The token in the form of a POST. */
  accessToken: string | undefined
  /** Takes the proof of a key that comes with the token; undefined when none comes. */
  proveKey(token: string, client: ConcernedClient & { profile: Profile | null }): Promise<string | undefined>
  /** The thumbprint of the certificate of the connection; undefined when there is none. */
  certificate(): string | undefined
}

/**
 * The claims of the user of an access token, by its scope and by the names that it was granted.
 *
 * @throws OAuthError `invalid_token`, `insufficient_scope`
 */
export async function userInfo(accessTokens: AccessTokens, presented: PresentedToken) {
  const { token: presentedToken, isByKey } = tokenOf(presented)
  const checked = await accessTokens.check(presentedToken)
  if (checked.kind === 'unknown') throw invalidToken('the access token is not valid', say('no-access-token-of-this-issuer'))
  const { claims } = checked
  const client = { id: claims.client_id, organisationId: claims.org }
  if (checked.kind === 'inactive') throw invalidToken('the access token is no longer valid', say(checked.reason), client)
  const { user, userinfoClaims, profile } = checked
  requireCertificate(presented, claims.cnf?.['x5t#S256'], client)
  await requireKey(presented, { token: presentedToken, isByKey, jkt: claims.cnf?.jkt, client: { ...client, profile } })
  const scope = parseScope(claims.scope)
  if (!user || !scope.includes('openid')) {
    const check: FailedCheck = { name: 'scope', expected: 'openid', received: claims.scope }
    throw new OAuthError('insufficient_scope', 'the access token lacks the scope openid', check, { client })
  }
  const added = addedToResponse('userinfo', checked, scope)
  return {
    token: claims,
    claims: withAdded({ sub: claims.sub, ...userClaims(user, scope, userinfoClaims) }, added?.claims),
    leftOut: added?.tooLarge ?? [],
  }
}

/**
 * A token that is bound to a key comes with a proof of it, in the scheme for that (RFC 9449 §7).
 *
 * @throws OAuthError `invalid_token`, `invalid_dpop_proof`, `use_dpop_nonce`
 */
async function requireKey(
  presented: PresentedToken,
  {
    token,
    isByKey,
    jkt,
    client,
  }: { token: string; isByKey: boolean; jkt: string | undefined; client: ConcernedClient & { profile: Profile | null } },
): Promise<void> {
  if (jkt === undefined) {
    if (isByKey) throw invalidToken('the access token is malformed', say('no-bearer-token'), client)
    return
  }
  const check = (received: string | Said) => ({ name: 'dpop', expected: jkt, received }) as const
  if (!isByKey) throw new OAuthError('invalid_token', 'the access token is bound to a key', check(say('bound-to-a-key')), { client })
  const proven = await presented.proveKey(token, client)
  if (proven !== jkt)
    throw new OAuthError('invalid_token', 'the key of the access token was not proven', check(proven ?? say('none')), { client })
}

/**
 * A token that is bound to a certificate comes over a connection with it (RFC 8705 §3).
 *
 * @throws OAuthError `invalid_token`
 */
function requireCertificate(presented: PresentedToken, bound: string | undefined, client: ConcernedClient): void {
  if (bound === undefined) return
  const certificate = presented.certificate()
  if (certificate === bound) return
  const check = { name: 'client_certificate', expected: bound, received: certificate ?? say('bound-to-a-certificate') } as const
  throw new OAuthError('invalid_token', 'the access token is bound to a certificate', check, { client })
}

/** The token in the header, or in the form of a POST (RFC 6750 §2.1 and §2.2); never in the query, which ends up in logs. */
function tokenOf({ authorization, accessToken: inBody }: PresentedToken): { token: string; isByKey: boolean } {
  if (authorization === undefined) {
    if (inBody !== undefined) return { token: inBody, isByKey: false }
    throw new OAuthError('invalid_token', 'an access token is required', { name: 'authorization' })
  }
  if (inBody !== undefined) {
    throw invalidRequest('send the access token in one way only', {
      name: 'authorization',
      expected: say('one-way'),
      received: say('header-and-body'),
    })
  }
  const [, scheme = '', token] = /^(bearer|dpop) +([\w\-.~+/]+=*) *$/i.exec(authorization) ?? []
  if (token === undefined) throw invalidToken('the access token is malformed', say('no-bearer-token'))
  return { token, isByKey: scheme.toLowerCase() === 'dpop' }
}

const invalidToken = (description: string, received: Said, client?: ConcernedClient) =>
  new OAuthError('invalid_token', description, { name: 'access_token', expected: say('a-live-access-token'), received }, { client })
