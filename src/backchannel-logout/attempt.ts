import { secondsAfter } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import type { TokenIssuer } from '../tokens/issue-tokens.ts'
import type { FinishedAttempt } from '../webhooks/delivery/attempt.ts'
import type { Verdict } from '../webhooks/delivery/retry-schedule.ts'
import type { Sender } from '../webhooks/delivery/send.ts'
import type { ClaimedLogout } from './claim.ts'
import { signLogoutToken } from './logout-token.ts'

/** The seconds before the second and each later attempt: with the time limit of five attempts, a quarter of an hour. */
const retryWaitsSeconds = [10, 50, 180, 540]

const userAgent = 'Svc-Logout/1.0'

/**
 * Decides what follows an attempt (OpenID Connect Back-Channel Logout 1.0 §2.8): 200 and 204 say that the client has done it, and 400 that
 * it never will.
 *
 * @param attempt the number of the attempt, from 1
 * @param endedAt the time from which the wait is counted
 */
function decideLogoutVerdict(attempt: number, status: number | null, endedAt: Date): Verdict {
  if (status === 200 || status === 204) return { kind: 'delivered' }
  const wait = retryWaitsSeconds[attempt - 1]
  return status === 400 || wait === undefined ? { kind: 'failed' } : { kind: 'retry', at: secondsAfter(endedAt, wait) }
}

/**
 * Signs and sends a logout token, and decides the next step.
 *
 * @returns undefined when the process stopped before there was a result
 */
export async function attemptLogout(
  { database, issuer, sender }: { database: Database; issuer: TokenIssuer; sender: Pick<Sender, 'send'> },
  delivery: ClaimedLogout,
): Promise<FinishedAttempt<ClaimedLogout> | undefined> {
  const at = database.clock.now()
  const number = delivery.attemptCount + 1
  const sent = await sender.send({
    url: delivery.url,
    // Of its rules only the time limit holds: five seconds.
    variant: 'B',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'User-Agent': userAgent },
    body: new URLSearchParams({ logout_token: await signLogoutToken(issuer, delivery, at) }).toString(),
    event: 'backchannel_logout',
    eventId: delivery.id,
    number,
  })
  if (!sent) return undefined
  const verdict = decideLogoutVerdict(number, sent.status, new Date(at.getTime() + sent.durationMilliseconds))
  const error = verdict.kind === 'delivered' ? null : (sent.error ?? `Response status ${sent.status}`)
  return { delivery, at, result: { ...sent, error }, verdict }
}
