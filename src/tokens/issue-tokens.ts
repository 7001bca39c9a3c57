import { hash } from 'node:crypto'
import { authenticationContextOf } from '../access/factors.ts'
import { type ClaimSources, withAdded } from '../claims/evaluate.ts'
import { hashSecret, newSecret } from '../platform/crypto/secrets.ts'
import type { GrantedClaims, SigningAlgorithm } from '../platform/database/column-types.ts'
import { newStamp } from '../platform/ids.ts'
import { type TokenUser, userClaims } from './claims.ts'
import { signJwt } from './jwt.ts'
import { jwtSecondsMax } from './rules.ts'
import type { SigningKeys } from './signing-keys.ts'

export interface TokenClient {
  id: string
  /** What tokens name it by. */
  clientId: string
  organisationId: string
  /** The lifetime in seconds. */
  accessTokenLifetime: number
  idTokenLifetime: number
  idTokenSignedResponseAlg: SigningAlgorithm
}

/** The user of the tokens, how they had signed in, and what they may do. */
export interface TokenSubject extends TokenUser {
  familyId: string
  sessionId: string
  authenticatedAt: Date
  authenticationMethods: readonly string[]
  /** The end of the sign-in's validity, if a connection bounds it. */
  federatedUntil: Date | null
  /** The end of the user's consent, which no access token outlives; null for none. */
  consentedUntil: Date | null
  /** The level that the request was granted, for access tokens to name; null if it asked for none. */
  authenticationContext: string | null
  /** The claims that were granted by their names; null or absent for none. */
  grantedClaims?: GrantedClaims | null
  /** Slugs in any order, possibly with duplicates. */
  roles: readonly string[]
  permissions: readonly string[]
  /** What mappings of the client take their values from; null or absent without mappings. */
  claimSources?: ClaimSources | null
}

export interface IssuedAccessToken {
  token: string
  expiresInSeconds: number
}

/** For whom an access token is, if it is for resource servers and not for the client alone (RFC 8707), and what they ask of it. */
export interface TokenAudience {
  identifiers: readonly string[]
  lifetimeSeconds: number
  signingAlg: SigningAlgorithm
  /** Whether it says how the user signed in even if the request asked for no level. */
  includesAuthentication: boolean
}

/** What an access token is bound to: a key that its user has to prove (RFC 9449 §6), or a certificate (RFC 8705 §3.1). */
export type Confirmation = { jkt: string; 'x5t#S256'?: never } | { jkt?: never; 'x5t#S256': string }

export interface TokenIssuer {
  /** The `iss` of every token: the origin of `PUBLIC_URL`. */
  readonly issuer: string
  readonly signingKeys: SigningKeys
}

/**
 * Issues an access token (RFC 9068) to a client, for itself or for a user. It
 * writes nothing: a user's token is revoked with the family that its `jti` names.
 *
 * @param audience the resource servers that it is for; without any it is for the client
 * @param added the claims that mappings add
 * @param cnf what it is bound to; undefined for nothing
 */
export async function issueAccessToken(
  { issuer, signingKeys }: TokenIssuer,
  client: TokenClient,
  subject: TokenSubject | undefined,
  scope: readonly string[],
  now: Date,
  audience?: TokenAudience,
  added?: Record<string, unknown>,
  cnf?: Confirmation,
): Promise<IssuedAccessToken> {
  const key = await signingKeys.signer(audience?.signingAlg ?? 'EdDSA')
  const claims = accessTokenClaims(issuer, client, subject, scope, now, audience, cnf)
  const token = await signJwt(key, 'at+jwt', withAdded(claims, added))
  return { token, expiresInSeconds: accessTokenSeconds(client, now, subject, audience) }
}

export function accessTokenClaims(
  issuer: string,
  client: TokenClient,
  subject: TokenSubject | undefined,
  scope: readonly string[],
  now: Date,
  audience?: TokenAudience,
  cnf?: Confirmation,
) {
  const issuedAt = toSeconds(now)
  const stamp = newStamp(now)
  return {
    iss: issuer,
    sub: subject?.userId ?? client.id,
    client_id: client.clientId,
    aud: audience ? audienceClaim(audience) : client.clientId,
    exp: issuedAt + accessTokenSeconds(client, now, subject, audience),
    iat: issuedAt,
    jti: subject ? `${subject.familyId}.${stamp}` : stamp,
    scope: scope.join(' '),
    org: client.organisationId,
    roles: subject ? inOrder(subject.roles) : [],
    ...(subject && { permissions: inOrder(subject.permissions) }),
    ...(subject && authenticationClaims(subject, audience?.includesAuthentication ?? false)),
    ...(cnf && { cnf }),
  }
}

/** A list only if there are several (RFC 7519 §4.1.3): some libraries compare a text. */
const audienceClaim = ({ identifiers }: TokenAudience) => (identifiers.length === 1 ? (identifiers[0] as string) : identifiers)

/** How long an access token lives that is issued now. */
export function accessTokenSeconds(
  { accessTokenLifetime }: Pick<TokenClient, 'accessTokenLifetime'>,
  now: Date,
  subject: Pick<TokenSubject, 'consentedUntil'> | undefined,
  audience?: TokenAudience,
): number {
  const lifetime = Math.min(audience?.lifetimeSeconds ?? accessTokenLifetime, jwtSecondsMax)
  const until = subject?.consentedUntil
  return until ? Math.min(lifetime, toSeconds(until) - toSeconds(now)) : lifetime
}

/** How long an ID token lives. */
export const idTokenSeconds = ({ idTokenLifetime }: Pick<TokenClient, 'idTokenLifetime'>): number =>
  Math.min(idTokenLifetime, jwtSecondsMax)

/** Issues an ID token (OpenID Connect Core §2) with the claims of the scope, signed as the client has registered. */
export async function issueIdToken(
  { issuer, signingKeys }: TokenIssuer,
  client: TokenClient,
  subject: TokenSubject,
  granted: IdTokenGrant,
  added?: Record<string, unknown>,
): Promise<string> {
  const key = await signingKeys.signer(client.idTokenSignedResponseAlg)
  return signJwt(key, 'JWT', withAdded(idTokenClaims(issuer, client, subject, granted), added))
}

interface IdTokenGrant {
  scope: readonly string[]
  nonce: string | null
  /** The access token that is issued with it, if any. */
  accessToken?: string | undefined
  now: Date
}

export function idTokenClaims(
  issuer: string,
  client: TokenClient,
  subject: TokenSubject,
  { scope, nonce, accessToken, now }: IdTokenGrant,
) {
  const issuedAt = toSeconds(now)
  return {
    iss: issuer,
    sub: subject.userId,
    aud: client.clientId,
    exp: issuedAt + idTokenSeconds(client),
    iat: issuedAt,
    auth_time: toSeconds(subject.authenticatedAt),
    ...(nonce !== null && { nonce }),
    ...(accessToken !== undefined && { at_hash: accessTokenHash(accessToken, client.idTokenSignedResponseAlg) }),
    acr: subject.authenticationContext ?? authenticationContextOf(subject.authenticationMethods),
    amr: subject.authenticationMethods,
    sid: subject.sessionId,
    ...userClaims(subject, scope, subject.grantedClaims?.idToken),
  }
}

const hashOfSignature = { RS256: 'sha256', EdDSA: 'sha512' } as const satisfies Record<SigningAlgorithm, string>

/** The left half of the token's hash, by the algorithm of the ID token's signature (OpenID Connect Core §3.1.3.6): for Ed25519, SHA-512. */
function accessTokenHash(accessToken: string, algorithm: SigningAlgorithm): string {
  const digest = hash(hashOfSignature[algorithm], accessToken, 'buffer')
  return digest.subarray(0, digest.length / 2).toString('base64url')
}

/** How the user signed in, for the APIs that accept the token: RFC 9470 §6, if the request or one of these APIs asked for it. */
function authenticationClaims({ authenticationContext, authenticationMethods: amr, authenticatedAt }: TokenSubject, isIncluded: boolean) {
  const acr = authenticationContext ?? (isIncluded ? authenticationContextOf(amr) : null)
  return acr === null ? undefined : { acr, amr, auth_time: toSeconds(authenticatedAt) }
}

const refreshPrefix = 'rt_'
/** A selector has 256 bits, which are 43 characters of base64url. */
const selectorLength = refreshPrefix.length + 43

export const isRefreshToken = (token: string) => token.startsWith(refreshPrefix)

/**
 * A refresh token is a selector and a secret. All tokens of a family share its selector, so each of them is recognised, and each rotation
 * replaces the secret, so that a token that was exchanged before is recognised as such.
 */
export const newSelector = () => newSecret(refreshPrefix)

/** @param predecessor a token of the same family, or its selector */
export const nextRefreshToken = (predecessor: string) => predecessor.slice(0, selectorLength) + newSecret()

export const hashesOfRefreshToken = (token: string) => ({
  selectorHash: hashSecret(token.slice(0, selectorLength)),
  secretHash: hashSecret(token.slice(selectorLength)),
})

const inOrder = (slugs: readonly string[]) => [...new Set(slugs)].sort()

const toSeconds = (time: Date) => Math.floor(time.getTime() / 1_000)
