import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { keyOfStandardSecret } from '../signing-secret.ts'
import { headersOf, type Secrets, type SignedDelivery } from './variants.ts'

/** The headers of an attempt that is made at this time, except those that the HTTP client adds. */
export const requestHeadersOf = (
  delivery: SignedDelivery & { eventId: string; standardSignature: boolean },
  secrets: Secrets,
  at: Date,
): Record<string, string> => ({
  ...headersOf(delivery, secrets),
  ...(delivery.standardSignature && standardHeadersOf(delivery, secrets, at)),
})

/** The same headers with only the beginning of each signature, which distinguishes it from others. */
export const withMaskedSignatures = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, /-signature(-|$)/i.test(name) ? masked(value) : value]))

const masked = (signatures: string): string => signatures.replaceAll(/(v1,)?([^ ]{8})[^ ]*/g, '$1$2***')

/**
 * The headers of Standard Webhooks 1.0, in addition to those of the variant: its libraries verify a request by them unchanged. The
 * timestamp is that of the attempt, since receivers refuse one that is older than five minutes. During a rotation both secrets sign.
 */
function standardHeadersOf(
  { eventId, body }: { eventId: string; body: string },
  { current, previous }: Secrets,
  at: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const signed = `${eventId}.${timestamp}.${body}`
  return {
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': [current, previous].flatMap((secret) => signatureBy(secret, signed)).join(' '),
  }
}

/** Returns no signature for a secret of the former form, which no library of Standard Webhooks reads. */
function signatureBy(secret: KeyObject | undefined, signed: string): string[] {
  const key = secret && keyOfStandardSecret(secret.export().toString())
  return key ? [`v1,${createHmac('sha256', createSecretKey(key)).update(signed, 'utf8').digest('base64')}`] : []
}
