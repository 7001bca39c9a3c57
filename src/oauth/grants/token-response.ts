import { z } from 'zod'
import { secondsAfter } from '../../platform/clock.ts'
import { isSecret } from '../../platform/http/fields.ts'
import {
  accessTokenSeconds,
  type Confirmation,
  idTokenSeconds,
  issueAccessToken,
  issueIdToken,
  type TokenIssuer,
  type TokenSubject,
} from '../../tokens/issue-tokens.ts'
import { refreshableUntil } from '../../tokens/rules.ts'
import type { OAuthClient } from '../protocol/queries.ts'
import { type AskedResources, audienceOf } from '../protocol/resources.ts'
import { addedToAccessToken, addedToIdToken } from './added-claims.ts'

/** The response of the token endpoint (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3). */
export const TokenResponse = z
  .object({
    access_token: z
      .string()
      .meta({ ...isSecret, description: 'Bearer token, a JWT (RFC 9068)', example: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9…' }),
    token_type: z.enum(['Bearer', 'DPoP', 'N_A']).meta({
      description:
        'How the token is used; `DPoP` with a proof of the key that it is bound to (RFC 9449); `N_A` for an identity assertion, which no API takes',
      example: 'Bearer',
    }),
    issued_token_type: z.string().optional().meta({
      description: 'With token exchange: the kind of the token (RFC 8693)',
      example: 'urn:ietf:params:oauth:token-type:id-jag',
    }),
    expires_in: z.number().int().meta({ description: 'Seconds', example: 3600 }),
    refresh_token: z
      .string()
      .optional()
      .meta({
        ...isSecret,
        description: 'Gets the next pair of tokens, once',
        example: 'rt_Zb3kQ9xWdBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1g7mQv0Xc2LrT5yUe9HkD1sJ4oNwBzA8fGi6Rx3PtEaVM',
      }),
    id_token: z
      .string()
      .optional()
      .meta({ ...isSecret, description: 'Who signed in, a JWT (OpenID Connect)', example: 'eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9…' }),
    scope: z.string().optional().meta({ description: 'Scopes, separated by spaces', example: 'openid profile' }),
  })
  .meta({ component: 'TokenResponse' })
export type TokenResponse = z.infer<typeof TokenResponse>

export interface UserTokens {
  response: TokenResponse
  refreshTokenExpiresAt: Date | undefined
  /** The time by which every token of the response has expired. */
  keptUntil: Date
  /** Claims that mappings would have added, had they not made a token too large. */
  leftOut: readonly string[]
}

/** How an access token is used: with a proof of its key (RFC 9449 §5), or by itself, if need be over a connection with its certificate. */
export const tokenTypeOf = (cnf: Confirmation | undefined) => (cnf?.jkt === undefined ? 'Bearer' : 'DPoP')

/** Issues the tokens that a user's authorization earns a client; none of them is stored yet. */
export async function issueUserTokens(
  issuer: TokenIssuer,
  client: OAuthClient,
  subject: TokenSubject,
  granted: {
    scope: readonly string[]
    /** What the user has authorized, of which the scope may be less now. */
    authorizedScope: readonly string[]
    resources: AskedResources | undefined
    nonce: string | null
    refreshToken: string | undefined
    /** What the access token is bound to; undefined for nothing. */
    cnf: Confirmation | undefined
    now: Date
  },
): Promise<UserTokens> {
  const { scope, authorizedScope, resources, nonce, refreshToken, cnf, now } = granted
  const audience = audienceOf(resources, { client, scope, issuer: issuer.issuer })
  const added = addedToAccessToken(client, subject, scope, resources)
  const access = await issueAccessToken(issuer, client, subject, scope, now, audience, added?.claims, cnf)
  const refreshTokenExpiresAt =
    refreshToken === undefined
      ? undefined
      : refreshableUntil({ ...subject, expiresAt: secondsAfter(now, client.refreshTokenLifetime) }, client.refreshTokenAbsoluteLifetime)
  const isOpenid = scope.includes('openid')
  const addedToId = isOpenid ? addedToIdToken(client, subject, scope) : undefined
  const idToken = isOpenid
    ? await issueIdToken(issuer, client, subject, { scope, nonce, accessToken: access.token, now }, addedToId?.claims)
    : undefined
  const signedSeconds = Math.max(accessTokenSeconds(client, now, subject, audience), isOpenid ? idTokenSeconds(client) : 0)
  const signedUntil = secondsAfter(now, signedSeconds)
  return {
    response: {
      access_token: access.token,
      token_type: tokenTypeOf(cnf),
      expires_in: access.expiresInSeconds,
      ...(refreshToken !== undefined && { refresh_token: refreshToken }),
      ...(idToken !== undefined && { id_token: idToken }),
      // RFC 6749 §5.1: required unless it is the one that was asked for. Empty where nothing of that is left: without it, a client takes
      // its former scope for granted.
      ...(authorizedScope.length > 0 && { scope: scope.join(' ') }),
    },
    refreshTokenExpiresAt,
    leftOut: [...(added?.tooLarge ?? []), ...(addedToId?.tooLarge ?? [])],
    keptUntil: refreshTokenExpiresAt && refreshTokenExpiresAt > signedUntil ? refreshTokenExpiresAt : signedUntil,
  }
}

/** What the user was told of a client that refreshes its tokens without asking for the scope. */
export interface RefreshAllowed {
  /** Null where no page has said anything: then it is as the client is registered, by an administrator or itself. */
  allowsRefresh: boolean | null
}

/**
 * A refresh token is for clients that may use one, and for users who agreed that it works while they are away and whose sign-in
 * is not too long ago. Applications that introduce themselves do not ask for the scope: the consent page says how long they have access. One
 * that has begun to refresh since then has to be allowed anew.
 */
export const earnsRefreshToken = (
  client: OAuthClient,
  scope: readonly string[],
  { authenticatedAt, federatedUntil, allowsRefresh }: Pick<TokenSubject, 'authenticatedAt' | 'federatedUntil'> & RefreshAllowed,
  now: Date,
) =>
  (scope.includes('offline_access') || (client.origin !== 'admin' && allowsRefresh !== false)) &&
  client.grantTypes.includes('refresh_token') &&
  secondsAfter(authenticatedAt, client.refreshTokenAbsoluteLifetime) > now &&
  (federatedUntil === null || federatedUntil > now)
