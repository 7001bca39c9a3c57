import { webhookHeaders } from '../../../../shared/webhook-headers.ts'
import type { Variant } from '../../../../shared/webhook-signature.ts'

interface Example {
  name: string
  data: object
  organisationId: string
  at: Date
}

/** The body of an event in a format, with the fields in the order in which the service writes them. */
export function envelopeOf(variant: Variant, { name, data, organisationId, at }: Example, id: string): object {
  const time = at.toISOString()
  return variant === 'A'
    ? { event: name, timestamp: time, organisationId, data }
    : { id, type: name, createdAt: time, organisationId, data }
}

export function headersOf(variant: Variant, event: string, deliveryId: string, signature: string): Record<string, string> {
  const names = webhookHeaders[variant]
  return {
    'Content-Type': 'application/json',
    'User-Agent': names.userAgent,
    [names.event]: event,
    ...(names.delivery && { [names.delivery]: deliveryId }),
    [names.signature]: signature,
  }
}
