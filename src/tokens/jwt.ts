import { sign } from 'node:crypto'
// The main module 'jose' would load encryption and all its other features.
import { decodeProtectedHeader } from 'jose/decode/protected_header'
import * as errors from 'jose/errors'
import { compactVerify } from 'jose/jws/compact/verify'
import type { SigningAlgorithm } from '../platform/database/column-types.ts'
import type { SigningKey, SigningKeys } from './signing-keys.ts'

/** The `typ` of a JWT: `at+jwt` for access tokens (RFC 9068 §2.1), so that no kind is accepted in place of another. */
export type JwtType =
  | 'at+jwt'
  | 'JWT'
  | 'oauth-id-jag+jwt'
  | 'logout+jwt'
  | 'token-introspection+jwt'
  | 'isolation-report+jwt'
  | 'organisation-export+jwt'

const headers = new WeakMap<SigningKey['publicKey'], Map<JwtType, string>>()

/** Signs claims as a compact JWS (RFC 7515 §3.1). */
export async function signJwt(key: SigningKey, type: JwtType, claims: object): Promise<string> {
  const input = `${headerOf(key, type)}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  return `${input}.${(await signatureOf(key, Buffer.from(input))).toString('base64url')}`
}

function signatureOf({ algorithm, privateKey }: SigningKey, input: Buffer): Buffer | Promise<Buffer> {
  // Ed25519 takes less time than a switch to another thread and back; RSA does not.
  if (algorithm === 'EdDSA') return sign(null, input, privateKey)
  return new Promise((resolve, reject) => {
    sign('sha256', input, privateKey, (error, signature) => (error ? reject(error) : resolve(signature)))
  })
}

function headerOf(key: SigningKey, type: JwtType): string {
  let ofKey = headers.get(key.publicKey)
  if (!ofKey) {
    ofKey = new Map()
    headers.set(key.publicKey, ofKey)
  }
  let header = ofKey.get(type)
  if (!header) {
    header = Buffer.from(JSON.stringify({ alg: key.algorithm, typ: type, kid: key.id })).toString('base64url')
    ofKey.set(type, header)
  }
  return header
}

/**
 * Returns the claims of a JWT that one of our published keys has signed, with the id of the key; undefined for anything else. The caller
 * checks the expiry: an ID token is a good hint long afterwards.
 */
export async function verifyJwt(
  signingKeys: SigningKeys,
  token: string,
  expected: { type: JwtType; algorithms: readonly SigningAlgorithm[] },
): Promise<{ claims: Record<string, unknown>; keyId: string } | undefined> {
  try {
    const { kid, typ } = decodeProtectedHeader(token)
    if (typ !== expected.type || typeof kid !== 'string') return undefined
    const key = await signingKeys.verifier(kid)
    if (!key || !expected.algorithms.includes(key.algorithm)) return undefined
    // Use the algorithm of the key: that of the token is only compared with it.
    const { payload } = await compactVerify(token, key.publicKey, { algorithms: [key.algorithm] })
    const claims: unknown = JSON.parse(Buffer.from(payload).toString())
    return typeof claims === 'object' && claims !== null ? { claims: claims as Record<string, unknown>, keyId: kid } : undefined
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}
