import type { Clock } from '../../platform/clock.ts'
import type { ClaimedDelivery } from './claim.ts'
import { requestHeadersOf } from './request-headers.ts'
import { decideVerdict, type Verdict } from './retry-schedule.ts'
import type { DecryptSecrets } from './secrets.ts'
import type { AttemptResult, Sender } from './send.ts'

export interface FinishedAttempt<Delivery = ClaimedDelivery> {
  delivery: Delivery
  /** When the attempt began. */
  at: Date
  result: AttemptResult
  verdict: Verdict
}

/**
 * Signs and sends a delivery, and decides the next step.
 *
 * @returns undefined when the process stopped before there was a result
 * @throws when the delivery cannot be signed, for example when no key decrypts its secret
 */
export async function attemptDelivery(
  { clock, sender, decryptSecrets }: { clock: Clock; sender: Pick<Sender, 'send'>; decryptSecrets: DecryptSecrets },
  delivery: ClaimedDelivery,
): Promise<FinishedAttempt | undefined> {
  const at = clock.now()
  const headers = requestHeadersOf(delivery, decryptSecrets(delivery.endpointId, delivery, at), at)
  const { url, variant, body, event, eventId } = delivery
  const result = await sender.send({ url, variant, headers, body, event, eventId, number: delivery.attemptCount + 1 })
  if (!result) return undefined
  const endedAt = new Date(at.getTime() + result.durationMilliseconds)
  return { delivery, at, result, verdict: decideVerdict(delivery.variant, delivery.attemptCount + 1, result, endedAt) }
}
