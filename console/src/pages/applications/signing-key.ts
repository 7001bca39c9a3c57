import type { Client } from '../../api/clients.ts'
import { base64url } from '../../base/base64url.ts'

type Algorithm = NonNullable<Client['tokenEndpointAuthSigningAlg']>

/** The private key of an application, in the memory of the page. Nothing can export it. */
export interface SigningKey {
  kid: string | undefined
  /** What it signs with, unless the application allows only another algorithm. */
  algorithm: Algorithm
  keys: Partial<Record<Algorithm, CryptoKey>>
}

/** The kinds of key, with what each can sign with: first what it is asked for by default. */
const kinds = {
  EC: {
    ES256: [
      { name: 'ECDSA', namedCurve: 'P-256' },
      { name: 'ECDSA', hash: 'SHA-256' },
    ],
  },
  OKP: { EdDSA: [{ name: 'Ed25519' }, { name: 'Ed25519' }] },
  RSA: {
    PS256: [
      { name: 'RSA-PSS', hash: 'SHA-256' },
      { name: 'RSA-PSS', saltLength: 32 },
    ],
    RS256: [{ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, { name: 'RSASSA-PKCS1-v1_5' }],
  },
} as const
type Parameters = readonly [
  importing: EcKeyImportParams | RsaHashedImportParams | { name: string },
  signing: EcdsaParams | RsaPssParams | { name: string },
]
const algorithms: Record<Algorithm, Parameters> = { ...kinds.EC, ...kinds.OKP, ...kinds.RSA }

type PrivateJwk = JsonWebKey & { kid?: string }

/** The key, so that the page can sign with it and nothing else. */
export async function signingKeyOf(jwk: PrivateJwk): Promise<SigningKey> {
  const possible = Object.keys(kinds[jwk.kty as keyof typeof kinds] ?? {}) as Algorithm[]
  // A registered key may say what it is for, which the browser would compare with the algorithm.
  const { use: _, alg, key_ops: __, ext: ___, kid, ...members } = jwk
  const keys: SigningKey['keys'] = {}
  for (const one of possible) keys[one] = await crypto.subtle.importKey('jwk', members, algorithms[one][0], false, ['sign'])
  const [first] = possible
  if (!first) throw new Error(`No algorithm signs with a key of the kind ${jwk.kty}`)
  return { kid, algorithm: possible.find((one) => one === alg) ?? first, keys }
}

export type KeyMistake = 'unreadable' | 'notPrivate' | 'notRegistered'

/** Reads the private key of an application: a JSON Web Key, a set of them, or PKCS #8 in PEM. */
export async function readSigningKey(text: string, client: Pick<Client, 'jwks' | 'jwksUri'>): Promise<SigningKey | KeyMistake> {
  try {
    const given = text.trim().startsWith('-----') ? await fromPem(text) : jwksIn(text)
    const whole = given.filter(({ d }) => typeof d === 'string')
    if (whole.length === 0) return given.length > 0 ? 'notPrivate' : 'unreadable'
    if (client.jwksUri || !client.jwks) return await signingKeyOf(whole[0] as PrivateJwk)
    for (const jwk of whole) {
      const registered = client.jwks.keys.find((one) => isSame(one, jwk))
      if (registered) return await signingKeyOf({ ...jwk, ...withoutUndefined({ kid: registered.kid, alg: registered.alg }) })
    }
    return 'notRegistered'
  } catch {
    return 'unreadable'
  }
}

function jwksIn(text: string): PrivateJwk[] {
  const value: unknown = JSON.parse(text)
  const keys: unknown = typeof value === 'object' && value !== null && 'keys' in value ? value.keys : [value]
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'object' && key !== null && 'kty' in key) : []
}

async function fromPem(text: string): Promise<PrivateJwk[]> {
  const [, base64 = ''] = /-----BEGIN PRIVATE KEY-----([\s\S]+?)-----END PRIVATE KEY-----/.exec(text) ?? []
  const bytes = Uint8Array.from(atob(base64.replaceAll(/\s/g, '')), (character) => character.charCodeAt(0))
  // The file does not say its kind in a way that a page could ask for: only importing it shows.
  for (const [importing] of [algorithms.ES256, algorithms.EdDSA, algorithms.PS256]) {
    const key = await crypto.subtle.importKey('pkcs8', bytes, importing, true, ['sign']).catch(() => undefined)
    if (key) {
      const { alg: _, ...jwk } = await crypto.subtle.exportKey('jwk', key)
      return [jwk]
    }
  }
  return []
}

const isSame = (one: { kty: string; crv?: string; x?: string; n?: string }, other: JsonWebKey) =>
  one.kty === other.kty && (one.kty === 'RSA' ? one.n === other.n : one.crv === other.crv && one.x === other.x)

const withoutUndefined = (members: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

/** Signs claims (RFC 7515 §7.1), by the one algorithm that the application allows if there is one. */
export async function sign(
  key: SigningKey,
  { header = {}, claims, algorithm }: { header?: object; claims: object; algorithm?: Algorithm | null },
): Promise<string> {
  const alg = algorithm && key.keys[algorithm] ? algorithm : key.algorithm
  const encoded = (part: object) => base64url(new TextEncoder().encode(JSON.stringify(part)))
  const signed = `${encoded({ alg, ...(key.kid !== undefined && { kid: key.kid }), ...header })}.${encoded(claims)}`
  const signature = await crypto.subtle.sign(algorithms[alg][1], key.keys[alg] as CryptoKey, new TextEncoder().encode(signed))
  return `${signed}.${base64url(new Uint8Array(signature))}`
}

/** What every message that is signed here has: it is for the service, new, and short-lived. */
export function claimsFor(issuer: string): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1_000)
  return { aud: issuer, iat: now, exp: now + 60, jti: crypto.randomUUID() }
}

/** The key of one attempt, to which its tokens are bound (RFC 9449). The page keeps the latest nonce of the service with it. */
export interface ProofKey {
  key: SigningKey
  jwk: JsonWebKey
  nonce?: string
}

export async function makeProofKey(): Promise<ProofKey> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])
  const { kty = '', crv = '', x = '', y = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  return { key: { kid: undefined, algorithm: 'ES256', keys: { ES256: pair.privateKey } }, jwk: { kty, crv, x, y } }
}

/** The proof that one request comes from the holder of the key. */
export async function proofOf(
  { key, jwk, nonce }: ProofKey,
  { method, url, accessToken }: { method: string; url: string; accessToken: string | undefined },
): Promise<string> {
  const ath = accessToken === undefined ? undefined : await sha256(accessToken)
  const claims = { htm: method, htu: url, iat: Math.floor(Date.now() / 1_000), jti: crypto.randomUUID(), nonce, ath }
  return sign(key, { header: { typ: 'dpop+jwt', jwk }, claims })
}

export const sha256 = async (text: string) =>
  base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
