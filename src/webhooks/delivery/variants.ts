import type { KeyObject } from 'node:crypto'
import type { Variant } from '../../platform/database/tables.ts'
import { signatureOf } from './signature.ts'

/** How the specification's variants differ, besides the envelope. */
export interface VariantRules {
  readonly userAgent: string
  readonly signatureHeader: string
  readonly eventHeader: string
  readonly deliveryHeader?: string
  readonly timeoutMilliseconds: number
  /** Seconds before the second and each later attempt: there is one attempt more than waits. */
  readonly retryWaitsSeconds: readonly number[]
  /** Whether a response that is not 2xx is retried. */
  isRetried(status: number): boolean
}

export const variants: Readonly<Record<Variant, VariantRules>> = {
  A: {
    userAgent: 'Svc-IAM-Webhook/1.0',
    signatureHeader: 'X-Webhook-Signature',
    eventHeader: 'X-Webhook-Event',
    timeoutMilliseconds: 10_000,
    retryWaitsSeconds: [2, 4],
    isRetried: (status) => status >= 500,
  },
  B: {
    userAgent: 'Svc-Webhooks/1.0',
    signatureHeader: 'X-Svc-Signature',
    eventHeader: 'X-Svc-Event',
    deliveryHeader: 'X-Svc-Delivery',
    timeoutMilliseconds: 5_000,
    retryWaitsSeconds: [60, 300, 900, 3_600, 21_600],
    isRetried: () => true,
  },
}

export interface Secrets {
  current: KeyObject
  /** The previous one, while its grace period lasts. */
  previous: KeyObject | undefined
}

export interface SignedDelivery {
  id: string
  event: string
  variant: Variant
  body: string
}

/** The headers that the specification has of the variant. */
export function headersOf(delivery: SignedDelivery, { current, previous }: Secrets): Record<string, string> {
  const rules = variants[delivery.variant]
  return {
    'Content-Type': 'application/json',
    'User-Agent': rules.userAgent,
    [rules.eventHeader]: delivery.event,
    ...(rules.deliveryHeader && { [rules.deliveryHeader]: delivery.id }),
    [rules.signatureHeader]: signatureOf(delivery.body, current),
    ...(previous !== undefined && { [`${rules.signatureHeader}-Previous`]: signatureOf(delivery.body, previous) }),
  }
}
