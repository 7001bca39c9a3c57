import type { KeyObject } from 'node:crypto'
import { previousOf, webhookHeaders } from '../../../shared/webhook-headers.ts'
import type { Variant } from '../../platform/database/column-types.ts'
import { signatureOf } from './signature.ts'

/** The differences between the specification's variants, other than the envelope. */
export interface VariantRules {
  readonly timeoutMilliseconds: number
  /** The seconds before the second and each later attempt: there is one more attempt than waits. */
  readonly retryWaitsSeconds: readonly number[]
  /** Whether a response that is not 2xx is retried. */
  isRetried(status: number): boolean
}

export const variants: Readonly<Record<Variant, VariantRules>> = {
  A: {
    timeoutMilliseconds: 10_000,
    retryWaitsSeconds: [2, 4],
    isRetried: (status) => status >= 500,
  },
  B: {
    timeoutMilliseconds: 5_000,
    retryWaitsSeconds: [60, 300, 900, 3_600, 21_600],
    isRetried: () => true,
  },
}

export interface Secrets {
  current: KeyObject
  /** The previous secret, during its grace period. */
  previous: KeyObject | undefined
}

export interface SignedDelivery {
  id: string
  event: string
  variant: Variant
  body: string
}

/** The headers of the variant in the specification. */
export function headersOf(delivery: SignedDelivery, { current, previous }: Secrets): Record<string, string> {
  const names = webhookHeaders[delivery.variant]
  return {
    'Content-Type': 'application/json',
    'User-Agent': names.userAgent,
    [names.event]: delivery.event,
    ...(names.delivery && { [names.delivery]: delivery.id }),
    [names.signature]: signatureOf(delivery.body, current),
    ...(previous !== undefined && { [previousOf(names.signature)]: signatureOf(delivery.body, previous) }),
  }
}
