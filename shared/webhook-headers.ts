interface HeaderNames {
  signature: string
  event: string
  delivery?: string
  userAgent: string
}

/** The headers by which the two documented formats of a delivery differ (docs/webhooks.md). */
export const webhookHeaders: Readonly<Record<'A' | 'B', HeaderNames>> = {
  A: { signature: 'X-Webhook-Signature', event: 'X-Webhook-Event', userAgent: 'Svc-IAM-Webhook/1.0' },
  B: { signature: 'X-Svc-Signature', event: 'X-Svc-Event', delivery: 'X-Svc-Delivery', userAgent: 'Svc-Webhooks/1.0' },
}

/** The header with the signature by the former secret, while its grace period lasts. */
export const previousOf = (signatureHeader: string) => `${signatureHeader}-Previous`

/** The headers of Standard Webhooks, which are sent in addition to the others. */
export const standardHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const
