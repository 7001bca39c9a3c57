/** GET and POST /oauth2/userinfo (OpenID Connect Core §5.3, RFC 6750). */
import { type Said, say } from '../../../shared/checks/said.ts'
import { withAdded } from '../../claims/evaluate.ts'
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
}

/**
 * The claims of the user of an access token, by its scope.
 *
 * @throws OAuthError `invalid_token`, `insufficient_scope`
 */
export async function userInfo(accessTokens: AccessTokens, presented: PresentedToken) {
  const checked = await accessTokens.check(bearerToken(presented))
  if (checked.kind === 'unknown') throw invalidToken('the access token is not valid', say('no-access-token-of-this-issuer'))
  const { claims } = checked
  const client = { id: claims.client_id, organisationId: claims.org }
  if (checked.kind === 'inactive') throw invalidToken('the access token is no longer valid', say(checked.reason), client)
  const { user } = checked
  const scope = parseScope(claims.scope)
  if (!user || !scope.includes('openid')) {
    const check: FailedCheck = { name: 'scope', expected: 'openid', received: claims.scope }
    throw new OAuthError('insufficient_scope', 'the access token lacks the scope openid', check, { client })
  }
  const added = addedToResponse('userinfo', checked, scope)
  return {
    token: claims,
    claims: withAdded({ sub: claims.sub, ...userClaims(user, scope) }, added?.claims),
    leftOut: added?.tooLarge ?? [],
  }
}

/** The token in the header, or in the form of a POST (RFC 6750 §2.1 and §2.2); never in the query, which ends up in logs. */
function bearerToken({ authorization, accessToken: inBody }: PresentedToken): string {
  if (authorization === undefined) {
    if (inBody !== undefined) return inBody
    throw new OAuthError('invalid_token', 'an access token is required', { name: 'authorization' })
  }
  if (inBody !== undefined) {
    throw invalidRequest('send the access token in one way only', {
      name: 'authorization',
      expected: say('one-way'),
      received: say('header-and-body'),
    })
  }
  const token = /^bearer +([\w\-.~+/]+=*) *$/i.exec(authorization)?.[1]
  if (token === undefined) throw invalidToken('the access token is malformed', say('no-bearer-token'))
  return token
}

const invalidToken = (description: string, received: Said, client?: ConcernedClient) =>
  new OAuthError('invalid_token', description, { name: 'access_token', expected: say('a-live-access-token'), received }, { client })
