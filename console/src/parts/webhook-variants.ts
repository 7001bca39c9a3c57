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
  const bytes = new TextEncoder()
  const key = await crypto.subtle.importKey('raw', bytes.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signature = await crypto.subtle.sign('HMAC', key, bytes.encode(body))
  return [...new Uint8Array(signature)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
