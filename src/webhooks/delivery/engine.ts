import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../platform/clock.ts'
import type { FinishedAttempt } from './attempt.ts'
import { createCoolDowns } from './cool-downs.ts'
import type { DeliveryQueue, QueuedDelivery } from './delivery-queue.ts'
import { createFailingEndpoints } from './failing-endpoints.ts'
import { createFairCursor } from './fair-cursor.ts'
import { createFlusher } from './flush.ts'
import { claimPolicy, flushPolicy, stopGraceMilliseconds } from './policies.ts'
import type { Verdict } from './retry-schedule.ts'
import { startScheduler } from './scheduler.ts'
import type { Sender } from './send.ts'
import { createSlots } from './slots.ts'

export interface DeliveryEngineOptions<Delivery extends QueuedDelivery> {
  queue: DeliveryQueue<Delivery>
  /** The sender that the attempts of the queue use; the engine aborts and closes it. */
  sender: Pick<Sender, 'abort' | 'close'>
  clock: Clock
  logger: FastifyBaseLogger
}

/** Delivers what a queue holds, in this process and concurrently with others. */
export interface DeliveryEngine {
  /** Looks for due deliveries now rather than at the next poll. */
  wake(): void
  /** Resolves when this process has finished everything that is due now. */
  finishDueWork(): Promise<void>
  /** Lets attempts finish for a few seconds, then aborts them and releases their deliveries. */
  stop(): Promise<void>
}

/** The loop: claim due deliveries, start an attempt for each, complete each attempt, flush the results. */
export function startDeliveryEngine<Delivery extends QueuedDelivery>({
  queue,
  sender,
  clock,
  logger,
}: DeliveryEngineOptions<Delivery>): DeliveryEngine {
  const { what } = queue
  const failing = createFailingEndpoints(clock)
  const coolDowns = createCoolDowns((endpointId) => scheduler.claimFor(slots.demandOf(endpointId)))
  const slots = createSlots(failing, coolDowns)
  const cursor = createFairCursor()
  const flusher = createFlusher<FinishedAttempt<Delivery>>({ write: flush, onRoom: () => scheduler.wake() })
  const scheduler = startScheduler(claimAndStart, {
    clock,
    onError: (error) => logger.error({ err: error }, `due ${what} deliveries could not be claimed`),
  })
  const inFlight = new Set<Promise<void>>()
  /**
   * Deliveries from the claim until the attempt is flushed: a clock that
   * is set forward ends leases early, and these must not be sent twice.
   */
  const held = new Set<string>()
  const aborted: Delivery[] = []
  let startedCount = 0

  const begun = queue.begin().catch((error) => logger.error({ err: error }, `failing ${what} endpoints could not be read`))

  /** @returns whether more deliveries may be claimed at once */
  async function claimAndStart(): Promise<boolean> {
    const room = flusher.room()
    if (room <= 0) return false
    const limits = slots.beginClaim(Math.min(claimPolicy.max, room))
    if (limits.total <= 0) return false
    const claimed = await queue.claim({ limits, position: cursor.position })
    const { wanted = [], unwanted = [] } = Object.groupBy(claimed, ({ isWanted }) => (isWanted ? 'wanted' : 'unwanted'))
    if (unwanted.length > 0) await queue.setAside(unwanted)
    // Connections to failing endpoints are opened after the others.
    const { first = [], last = [] } = Object.groupBy(wanted, ({ endpointId }) => (failing.has(endpointId) ? 'last' : 'first'))
    for (const delivery of [...first, ...last]) start(delivery)
    return cursor.advance(limits, claimed)
  }

  function start(delivery: Delivery): void {
    if (held.has(delivery.id)) return
    held.add(delivery.id)
    startedCount++
    slots.take(delivery)
    const attempt = queue
      .attempt(delivery)
      .then((finished) => (finished ? complete(finished) : abort(delivery)))
      .catch((error) => {
        // For example, no key decrypts the secret. The delivery is due again when its lease ends.
        logger.error({ err: error, deliveryId: delivery.id }, `a ${what} delivery could not be attempted`)
        held.delete(delivery.id)
        // Without a pause, the next of its deliveries would fail at once, as fast as they can be claimed.
        coolDowns.begin(delivery.endpointId)
        release(delivery, { kind: 'failed' })
      })
      .finally(() => inFlight.delete(attempt))
    inFlight.add(attempt)
  }

  function complete(attempt: FinishedAttempt<Delivery>): void {
    const { delivery, result, verdict } = attempt
    flusher.add(attempt)
    if (result.status === null && failing.has(delivery.endpointId)) coolDowns.begin(delivery.endpointId)
    // A delivery that failed for good holds its slot until it is flushed: its endpoint may be deactivated then.
    if (verdict.kind !== 'failed') release(delivery, verdict)
  }

  function abort(delivery: Delivery): void {
    aborted.push(delivery)
    held.delete(delivery.id)
    release(delivery)
  }

  function release(delivery: Delivery, verdict?: Verdict): void {
    if (verdict) failing.note(delivery.endpointId, verdict)
    scheduler.claimFor(slots.release(delivery))
  }

  async function flush(batch: FinishedAttempt<Delivery>[]): Promise<void> {
    try {
      await queue.record(batch)
    } catch (error) {
      logger.error({ err: error, attempts: batch.length }, `${what} attempts could not be recorded; they will be made again`)
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
      await Promise.all([scheduler.stop(), begun])
      const grace = setTimeout(sender.abort, stopGraceMilliseconds)
      await idle()
      clearTimeout(grace)
      if (aborted.length > 0) await queue.release(aborted)
      await sender.close()
    },
  }
}
