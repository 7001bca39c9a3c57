import type { webhookHeaders } from '../../../shared/webhook-headers.ts'

export type Variant = keyof typeof webhookHeaders

/** The HMAC-SHA256 of the raw body with the whole secret, in lower-case hexadecimal. */
export async function signatureOf(body: string, secret: string): Promise<string> {
  return [...(await hmacOf(body, new TextEncoder().encode(secret)))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The signature of `<id>.<timestamp>.<body>` by Standard Webhooks; undefined for a secret in another form. */
export async function standardSignatureOf(signed: string, secret: string): Promise<string | undefined> {
  const encoded = /^whsec_([A-Za-z\d+/]{43}=)$/.exec(secret)?.[1]
  if (encoded === undefined) return undefined
  const key = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0))
  return `v1,${btoa(String.fromCharCode(...(await hmacOf(signed, key))))}`
}

async function hmacOf(text: string, secret: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text)))
}
