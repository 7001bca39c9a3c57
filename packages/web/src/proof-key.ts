import { base64url, type CryptoKey, calculateJwkThumbprint, exportJWK, importJWK, type JWK, SignJWT } from 'jose'
import { randomDPoPKeyPair } from 'openid-client'

/** The private key that the tokens of one session are bound to (RFC 9449). It is sealed with the session. */
export type ProofKey = JWK

const algorithm = 'ES256'

export async function newProofKey(): Promise<ProofKey> {
  const { privateKey } = await randomDPoPKeyPair(algorithm, { extractable: true })
  return exportJWK(privateKey)
}

const publicOf = ({ kty, crv, x, y }: ProofKey) => ({ kty, crv, x, y }) as JWK

export const thumbprintOf = (key: ProofKey) => calculateJwkThumbprint(publicOf(key))

export async function keyPairOf(key: ProofKey): Promise<{ privateKey: CryptoKey; publicKey: CryptoKey }> {
  const [privateKey, publicKey] = await Promise.all([importJWK(key, algorithm), importJWK(publicOf(key), algorithm)])
  return { privateKey: privateKey as CryptoKey, publicKey: publicKey as CryptoKey }
}

interface ProvenRequest {
  method: string
  url: string
  accessToken: string
  nonce: string | undefined
  now: number
}

/** The proof for a request to an API (RFC 9449 §4.2). */
export async function proofOf(key: ProofKey, { method, url, accessToken, nonce, now }: ProvenRequest): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(accessToken))
  const ath = base64url.encode(new Uint8Array(digest))
  const { origin, pathname } = new URL(url)
  const claims = { jti: crypto.randomUUID(), htm: method, htu: origin + pathname, iat: Math.floor(now / 1_000), ath }
  return new SignJWT(nonce === undefined ? claims : { ...claims, nonce })
    .setProtectedHeader({ typ: 'dpop+jwt', alg: algorithm, jwk: publicOf(key) })
    .sign((await keyPairOf(key)).privateKey)
}
