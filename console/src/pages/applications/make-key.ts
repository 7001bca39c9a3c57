import type { Client } from '../../api/clients.ts'

export type PublicKey = NonNullable<Client['jwks']>['keys'][number]

interface MadeKey {
  publicKey: PublicKey
  /** A file with the private half, for the application. */
  file: Response
  fileName: string
}

/**
 * Makes a key in the browser (P-256). Its private half is only in the file: nothing sends it.
 *
 * @param name of the file
 */
export async function makeKey(name: string): Promise<MadeKey> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const [whole, { kty, crv, x, y }] = await Promise.all([
    crypto.subtle.exportKey('jwk', pair.privateKey),
    crypto.subtle.exportKey('jwk', pair.publicKey),
  ])
  const kid = await thumbprintOf({ crv, kty, x, y })
  const named = { kid, use: 'sig', alg: 'ES256' }
  const { ext: _, key_ops: __, ...privateKey } = whole
  return {
    publicKey: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '', ...named },
    file: new Response(`${JSON.stringify({ ...privateKey, ...named }, undefined, 2)}\n`, {
      headers: { 'content-type': 'application/jwk+json' },
    }),
    fileName: `${name}.private-key.json`,
  }
}

/** RFC 7638: the members in the order of their names. */
async function thumbprintOf(members: Record<string, string | undefined>): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(members)))
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

/** Reads a set of keys, or one key, that was pasted; undefined when it is neither. */
export function readPastedKeys(text: string): PublicKey[] | undefined {
  try {
    const pasted: unknown = JSON.parse(text)
    if (typeof pasted !== 'object' || pasted === null) return undefined
    const keys: unknown = 'keys' in pasted ? pasted.keys : [pasted]
    return Array.isArray(keys) && keys.every((key) => typeof key === 'object' && key !== null) ? (keys as PublicKey[]) : undefined
  } catch {
    return undefined
  }
}
