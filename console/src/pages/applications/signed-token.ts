import { base64url } from '../../base/base64url.ts'

/** The parts of a JSON Web Token. */
export interface DecodedToken {
  header: Record<string, unknown>
  claims: Record<string, unknown>
  /** The signed text, and the signature. */
  signed: string
  signature: Uint8Array<ArrayBuffer>
}

/** The relevant members of a key in the JWKS. */
export interface PublicKey extends JsonWebKey {
  kid?: string
}

/**
 * `unknown-key`: no published key has its `kid`; `unsupported`: the browser cannot verify such signatures; `malformed`: it is no token.
 */
export type SignatureState = 'valid' | 'invalid' | 'unknown-key' | 'unsupported' | 'malformed'

/** Splits a compact JWS into its parts (RFC 7515 §3.1); undefined for any other text. */
export function decodeToken(text: string): DecodedToken | undefined {
  const parts = text.trim().split('.')
  const [header, payload, signature] = parts.map(fromBase64url)
  if (parts.length !== 3 || !header || !payload || !signature) return undefined
  const [head, claims] = [jsonObjectOf(header), jsonObjectOf(payload)]
  return head && claims && { header: head, claims, signed: `${parts[0]}.${parts[1]}`, signature }
}

const algorithms = {
  EdDSA: { keyType: 'OKP', parameters: { name: 'Ed25519' } },
  RS256: { keyType: 'RSA', parameters: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } },
} as const

/** Verifies the signature of a token with the published key that it names. The algorithm has to be that of the key. */
export async function verifySignature(text: string, keys: readonly PublicKey[]): Promise<SignatureState> {
  const token = decodeToken(text)
  if (!token) return 'malformed'
  const { alg, kid: keyId } = token.header
  const key = keys.find(({ kid }) => kid !== undefined && kid === keyId)
  if (!key) return 'unknown-key'
  const algorithm = typeof alg === 'string' && Object.hasOwn(algorithms, alg) ? algorithms[alg as keyof typeof algorithms] : undefined
  if (!algorithm || key.kty !== algorithm.keyType || (key.alg !== undefined && key.alg !== alg)) return 'invalid'
  try {
    const { kty, crv, x, n, e } = key
    const jwk = algorithm.keyType === 'OKP' ? { kty, crv, x } : { kty, n, e }
    const imported = await crypto.subtle.importKey('jwk', jwk as JsonWebKey, algorithm.parameters, false, ['verify'])
    const isValid = await crypto.subtle.verify(algorithm.parameters.name, imported, token.signature, new TextEncoder().encode(token.signed))
    return isValid ? 'valid' : 'invalid'
  } catch {
    return 'unsupported'
  }
}

/** Decodes base64url. Undefined for invalid or non-canonical text: a changed last character may mean the same bytes. */
function fromBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/.test(text)) return undefined
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
    return base64url(bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
}

function jsonObjectOf(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
