import { generateKeyPairSync, hash, randomUUID } from 'node:crypto'
import { decodeProtectedHeader } from 'jose/decode/protected_header'
import { decodeJwt } from 'jose/jwt/decode'
import { type JwtType, signJwt } from '../tokens/jwt.ts'
import type { SigningKey, SigningKeys } from '../tokens/signing-keys.ts'

/** The way in which the next token is wrong. What is not named stays right. */
export interface Bend {
  token: 'access' | 'id' | 'logout'
  expired?: boolean | undefined
  notYetValid?: boolean | undefined
  audience?: string | undefined
  issuer?: string | undefined
  nonce?: string | undefined
  signature?: 'broken' | 'none' | 'unknown key' | undefined
  claims?: Record<string, unknown> | undefined
}

/** The response of the token endpoint, as far as it is bent. */
export interface TokenResponse {
  access_token?: string
  id_token?: string
}

const anHour = 3_600
const bendsMax = 1_000

export class Bends {
  waiting: readonly Bend[] = []

  /** @returns false when there are too many already */
  add(bend: Bend): boolean {
    if (this.waiting.length >= bendsMax) return false
    this.waiting = [...this.waiting, bend]
    return true
  }

  /** Bends the tokens of a response for which something is waiting, once each. */
  async apply(response: TokenResponse, signingKeys: SigningKeys, now: Date): Promise<TokenResponse> {
    const access = response.access_token?.includes('.') ? this.#take('access') : undefined
    const id = response.id_token === undefined ? undefined : this.#take('id')
    const bent = { ...response }
    if (access && response.access_token) bent.access_token = await bendToken(response.access_token, access, signingKeys, now)
    if (response.id_token === undefined || (!access && !id)) return bent
    // The ID token names the hash of the access token: that must not be what an application objects to.
    const claims = access && bent.access_token ? hashOf(response.id_token, bent.access_token) : undefined
    bent.id_token = await bendToken(response.id_token, { token: 'id', ...id, claims: { ...claims, ...id?.claims } }, signingKeys, now)
    return bent
  }

  /** Bends a logout token on its way to an application, if one is to be bent. */
  async applyToLogout(token: string, signingKeys: SigningKeys, now: Date): Promise<string> {
    const bend = this.#take('logout')
    return bend ? bendToken(token, bend, signingKeys, now) : token
  }

  #take(token: Bend['token']): Bend | undefined {
    const bend = this.waiting.find((one) => one.token === token)
    this.waiting = this.waiting.filter((one) => one !== bend)
    return bend
  }
}

async function bendToken(token: string, bend: Bend, signingKeys: SigningKeys, now: Date): Promise<string> {
  const { kid = '', typ } = decodeProtectedHeader(token)
  const claims = bentClaims(decodeJwt(token), bend, Math.floor(now.getTime() / 1_000))
  const key = await signingKeys.verifier(kid)
  if (!key) throw new Error('The key of a token that was just issued is not there')
  switch (bend.signature) {
    case 'none':
      return `${encoded({ alg: 'none', typ })}.${encoded(claims)}.`
    case 'unknown key':
      return signJwt(unknownKey(key), typ as JwtType, claims)
    case 'broken':
      return withBrokenSignature(await signJwt(key, typ as JwtType, claims))
    default:
      return signJwt(key, typ as JwtType, claims)
  }
}

function bentClaims(right: Record<string, unknown>, bend: Bend, now: number): Record<string, unknown> {
  const { expired, notYetValid, audience, issuer, nonce, claims } = bend
  return {
    ...right,
    ...(expired && { iat: now - 2 * anHour, exp: now - anHour }),
    ...(notYetValid && { nbf: now + anHour }),
    ...(audience !== undefined && { aud: audience }),
    ...(issuer !== undefined && { iss: issuer }),
    ...(nonce !== undefined && { nonce }),
    ...claims,
  }
}

/** A key of the same algorithm that was never published. */
function unknownKey(key: SigningKey): SigningKey {
  const pair = key.algorithm === 'EdDSA' ? generateKeyPairSync('ed25519') : generateKeyPairSync('rsa', { modulusLength: 2_048 })
  return { ...key, ...pair, id: randomUUID() }
}

/** Changes the first character, all of whose bits count. */
function withBrokenSignature(token: string): string {
  const at = token.lastIndexOf('.') + 1
  return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
}

function hashOf(idToken: string, accessToken: string): { at_hash?: string } {
  if (decodeJwt(idToken).at_hash === undefined) return {}
  const digest = hash(decodeProtectedHeader(idToken).alg === 'RS256' ? 'sha256' : 'sha512', accessToken, 'buffer')
  return { at_hash: digest.subarray(0, digest.length / 2).toString('base64url') }
}

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
