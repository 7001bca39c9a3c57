import type { PublicKey } from '../../parts/pasted-keys.ts'
import { type SigningKey, sha256, signingKeyOf } from './signing-key.ts'

export interface MadeKey {
  publicKey: PublicKey
  /** With which "Try it" can sign, without having the file. */
  signingKey: SigningKey
  /** A file with the private half, for the application. */
  file(): Response
}

/** Makes a key in the browser (P-256). Its private half is only in the file: nothing sends it. */
export async function makeKey(): Promise<MadeKey> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const [whole, { kty, crv, x, y }] = await Promise.all([
    crypto.subtle.exportKey('jwk', pair.privateKey),
    crypto.subtle.exportKey('jwk', pair.publicKey),
  ])
  // RFC 7638: the members in the order of their names.
  const kid = await sha256(JSON.stringify({ crv, kty, x, y }))
  const named = { kid, use: 'sig', alg: 'ES256' }
  const { ext: _, key_ops: __, ...privateKey } = whole
  const text = `${JSON.stringify({ ...privateKey, ...named }, undefined, 2)}\n`
  return {
    publicKey: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '', ...named },
    signingKey: await signingKeyOf({ ...privateKey, ...named }),
    file: () => new Response(text, { headers: { 'content-type': 'application/jwk+json' } }),
  }
}
