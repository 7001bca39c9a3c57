import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Outbox } from '../../platform/mail/outbox.ts'
import { deactivateEndpoint, findFailingEndpoints } from '../endpoints/deactivate-endpoint.ts'
import type { EndpointKey } from '../endpoints/queries.ts'
import { attemptDelivery, type FinishedAttempt } from './attempt.ts'
import { type ClaimedDelivery, claimDueDeliveries, holdDeliveries, releaseDeliveries } from './claim.ts'
import { createCoolDowns } from './cool-downs.ts'
import { createFailingEndpoints } from './failing-endpoints.ts'
import { createFairCursor } from './fair-cursor.ts'
import { createFlusher } from './flush.ts'
import { claimPolicy, flushPolicy, stopGraceMilliseconds } from './policies.ts'
import { recordAttempts } from './record-attempts.ts'
import type { Verdict } from './retry-schedule.ts'
import { startScheduler } from './scheduler.ts'
import { secretsDecrypter } from './secrets.ts'
import type { Sender } from './send.ts'
import { createSlots } from './slots.ts'

export interface DeliveryEngineOptions {
  database: Database
  keyring: Keyring
  outbox: Outbox
  sender: Sender
  logger: FastifyBaseLogger
  leaseSeconds: number
}

/** Delivers webhooks, in this process and concurrently with others. */
export interface DeliveryEngine {
  /** Looks for due deliveries now rather than at the next poll. */
  wake(): void
  /** Resolves when this process has finished everything that is due now. */
  finishDueWork(): Promise<void>
  /** Lets attempts finish for a few seconds, then aborts them and releases their deliveries. */
  stop(): Promise<void>
}

/** The loop: claim due deliveries, start an attempt for each, complete each attempt, flush the results. */
export function startDeliveryEngine({ database, keyring, outbox, sender, logger, leaseSeconds }: DeliveryEngineOptions): DeliveryEngine {
  const { clock } = database
  const decryptSecrets = secretsDecrypter(keyring)
  const failing = createFailingEndpoints(clock)
  const coolDowns = createCoolDowns((endpointId) => scheduler.claimFor(slots.demandOf(endpointId)))
  const slots = createSlots(failing, coolDowns)
  const cursor = createFairCursor()
  const flusher = createFlusher({ write: flush, onRoom: () => scheduler.wake() })
  const scheduler = startScheduler(claimAndStart, {
    clock,
    onError: (error) => logger.error({ err: error }, 'due webhook deliveries could not be claimed'),
  })
  const inFlight = new Set<Promise<void>>()
  /**
   * Deliveries from the claim until the attempt is flushed: a clock that
   * is set forward ends leases early, and these must not be sent twice.
   */
  const held = new Set<string>()
  const aborted: ClaimedDelivery[] = []
  let startedCount = 0

  const deactivateAll = (endpoints: EndpointKey[]) =>
    Promise.all(endpoints.map((endpoint) => deactivateEndpoint(database, outbox, endpoint)))
  const deactivatedAtStart = findFailingEndpoints(database.system())
    .then(deactivateAll)
    .catch((error) => logger.error({ err: error }, 'failing webhook endpoints could not be read'))

  /** @returns whether more deliveries may be claimed at once */
  async function claimAndStart(): Promise<boolean> {
    const room = flusher.room()
    if (room <= 0) return false
    const limits = slots.beginClaim(Math.min(claimPolicy.max, room))
    if (limits.total <= 0) return false
    const claimed = await claimDueDeliveries(database.system(), { limits, position: cursor.position, leaseSeconds })
    const { wanted = [], unwanted = [] } = Object.groupBy(claimed, ({ isWanted }) => (isWanted ? 'wanted' : 'unwanted'))
    if (unwanted.length > 0) await holdDeliveries(database.system(), unwanted)
    // Connections to failing endpoints are opened after the others.
    const { first = [], last = [] } = Object.groupBy(wanted, ({ endpointId }) => (failing.has(endpointId) ? 'last' : 'first'))
    for (const delivery of [...first, ...last]) start(delivery)
    return cursor.advance(limits, claimed)
  }

  function start(delivery: ClaimedDelivery): void {
    if (held.has(delivery.id)) return
    held.add(delivery.id)
    startedCount++
    slots.take(delivery)
    const attempt = attemptDelivery({ clock, sender, decryptSecrets }, delivery)
      .then((finished) => (finished ? complete(finished) : abort(delivery)))
      .catch((error) => {
        // For example, no key decrypts the secret. The delivery is due again when its lease ends.
        logger.error({ err: error, deliveryId: delivery.id }, 'a webhook delivery could not be attempted')
        held.delete(delivery.id)
        release(delivery, { kind: 'failed' })
      })
      .finally(() => inFlight.delete(attempt))
    inFlight.add(attempt)
  }

  function complete(attempt: FinishedAttempt): void {
    const { delivery, result, verdict } = attempt
    flusher.add(attempt)
    if (result.status === null && failing.has(delivery.endpointId)) coolDowns.begin(delivery.endpointId)
    // A delivery that failed for good holds its slot until it is flushed: its endpoint may be deactivated then.
    if (verdict.kind !== 'failed') release(delivery, verdict)
  }

  function abort(delivery: ClaimedDelivery): void {
    aborted.push(delivery)
    held.delete(delivery.id)
    release(delivery)
  }

  function release(delivery: ClaimedDelivery, verdict?: Verdict): void {
    if (verdict) failing.note(delivery.endpointId, verdict)
    scheduler.claimFor(slots.release(delivery))
  }

  async function flush(batch: FinishedAttempt[]): Promise<void> {
    try {
      await deactivateAll(await recordAttempts(database.system(), batch))
    } catch (error) {
      logger.error({ err: error, attempts: batch.length }, 'webhook attempts could not be recorded; they will be made again')
      await pause(flushPolicy.pauseAfterErrorMilliseconds)
    }
    for (const { delivery, verdict } of batch) {
      held.delete(delivery.id)
      if (verdict.kind === 'failed') release(delivery, verdict)
      if (verdict.kind === 'retry') scheduler.claimAt(verdict.at)
    }
  }

  /** Resolves when no attempt is in flight or unflushed. */
  async function idle(): Promise<void> {
    while (inFlight.size > 0 || flusher.running()) await Promise.all([...inFlight, flusher.running()])
  }

  return {
    wake: scheduler.wake,
    async finishDueWork() {
      for (;;) {
        await idle()
        coolDowns.endAll()
        const startedBefore = startedCount
        const seesWholeQueue = inFlight.size === 0 && cursor.isAtStart()
        await scheduler.claimNow()
        if (seesWholeQueue && startedCount === startedBefore) return
      }
    },
    async stop() {
      await Promise.all([scheduler.stop(), deactivatedAtStart])
      const grace = setTimeout(sender.abort, stopGraceMilliseconds)
      await idle()
      clearTimeout(grace)
      if (aborted.length > 0) await releaseDeliveries(database.system(), aborted)
      await sender.close()
    },
  }
}
