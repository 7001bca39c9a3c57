export type Variant = 'A' | 'B'

interface HeaderNames {
  signature: string
  event: string
  delivery?: string
  userAgent: string
}

/** The headers by which the two documented formats differ (docs/webhooks.md). */
export const headerNames: Readonly<Record<Variant, HeaderNames>> = {
  A: { signature: 'X-Webhook-Signature', event: 'X-Webhook-Event', userAgent: 'Svc-IAM-Webhook/1.0' },
  B: { signature: 'X-Svc-Signature', event: 'X-Svc-Event', delivery: 'X-Svc-Delivery', userAgent: 'Svc-Webhooks/1.0' },
}

export const previousOf = (signatureHeader: string) => `${signatureHeader}-Previous`

/** Lower-case hexadecimal HMAC-SHA256 of the raw body under the whole secret. */
export async function signatureOf(body: string, secret: string): Promise<string> {
  return [...(await hmacOf(body, new TextEncoder().encode(secret)))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A signature by Standard Webhooks of `<id>.<timestamp>.<body>`; undefined for a secret that is not of its form. */
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
