import type { FastifyBaseLogger } from 'fastify'
import type { Keyring } from '../platform/crypto/keyring.ts'
import type { Database } from '../platform/database/database.ts'
import { startWorker } from '../platform/jobs/worker.ts'
import type { Outbox } from '../platform/mail/outbox.ts'
import { type ClaimedDelivery, claimDueDeliveries, type EndpointKey, holdDeliveries, releaseDeliveries } from './claim.ts'
import { deactivateEndpoint } from './deactivate-endpoint.ts'
import { createPlaces } from './places.ts'
import { decideVerdict } from './retry-schedule.ts'
import { secretsDecrypter } from './secrets.ts'
import type { Sender } from './send.ts'
import { type FinishedAttempt, findFailingEndpoints, settleAttempts } from './settle.ts'
import { createTurns } from './turns.ts'
import { headersOf } from './variants.ts'

export const deliveryChannel = 'gatehouse_deliveries'

const claimMax = 200
const settleMax = 500
const pollMilliseconds = 1_000
const stopGraceMilliseconds = 3_000
const afterErrorMilliseconds = 1_000
const timedWaitMaxMilliseconds = 10_000

export interface DelivererOptions {
  database: Database
  keyring: Keyring
  outbox: Outbox
  sender: Sender
  logger: FastifyBaseLogger
  leaseSeconds: number
}

/** Delivers webhooks, in this process and beside others. */
export interface Deliverer {
  /** Looks for due deliveries now rather than at the next poll. */
  wake(): void
  /** Resolves when nothing that is due now is left undone by this process. */
  finishDueWork(): Promise<void>
  /** Lets attempts end for a few seconds, then breaks them off and gives the deliveries back. */
  stop(): Promise<void>
}

export function startDeliverer({ database, keyring, outbox, sender, logger, leaseSeconds }: DelivererOptions): Deliverer {
  const places = createPlaces()
  const turns = createTurns()
  const decryptSecrets = secretsDecrypter(keyring)
  const inFlight = new Set<Promise<void>>()
  const brokenOff: ClaimedDelivery[] = []
  const finished: FinishedAttempt[] = []
  let turn: Promise<boolean> = Promise.resolve(false)
  let started = 0
  let settling: Promise<void> | undefined

  const worker = startWorker(claimInTurn, {
    pollMilliseconds,
    onError: (error) => logger.error({ err: error }, 'due webhook deliveries could not be claimed'),
  })

  const deactivate = (failing: EndpointKey[]) => Promise.all(failing.map((endpoint) => deactivateEndpoint(database, outbox, endpoint)))
  const swept = findFailingEndpoints(database.system())
    .then(deactivate)
    .catch((error) => logger.error({ err: error }, 'failing webhook endpoints could not be looked for'))

  /** One claim at a time: a second walk would meet the locks of the first. */
  function claimInTurn(): Promise<boolean> {
    const mine = turn.then(claimAndSend)
    turn = mine.catch(() => false)
    return mine
  }

  async function claimAndSend(): Promise<boolean> {
    const limit = Math.min(places.free(), claimMax)
    if (limit === 0) return false
    const request = turns.next(places, limit)
    const claimed = await claimDueDeliveries(database.system(), { ...request, leaseSeconds })
    const unwanted = claimed.filter(({ isWanted }) => !isWanted)
    if (unwanted.length > 0) await holdDeliveries(database.system(), unwanted)
    for (const delivery of claimed) if (delivery.isWanted) start(delivery)
    return turns.remember(request, claimed)
  }

  function start(delivery: ClaimedDelivery): void {
    started++
    places.take(delivery)
    const attempt = attemptDelivery(delivery)
      .catch((error) => {
        // Such as a secret that no key decrypts. The lease gives it back, to be tried when the cause is gone.
        logger.error({ err: error, deliveryId: delivery.id }, 'a webhook delivery could not be attempted')
        places.giveBack(delivery, 'failed')
      })
      .finally(() => inFlight.delete(attempt))
    inFlight.add(attempt)
  }

  async function attemptDelivery(delivery: ClaimedDelivery): Promise<void> {
    const at = database.clock.now()
    const headers = headersOf(delivery, decryptSecrets(delivery.endpointId, delivery, at))
    const result = await sender.send({ url: delivery.url, variant: delivery.variant, headers, body: delivery.body })
    if (!result) {
      brokenOff.push(delivery)
      places.giveBack(delivery, 'broken off')
      return
    }
    const endedAt = new Date(at.getTime() + result.durationMilliseconds)
    const verdict = decideVerdict(delivery.variant, delivery.attemptCount + 1, result, endedAt)
    finished.push({ delivery, at, result, verdict })
    settling ??= settleAll()
    await settling
  }

  /** What ends while a batch is being written goes into the next one: the busier it is, the fewer statements per attempt. */
  async function settleAll(): Promise<void> {
    while (finished.length > 0) {
      // Everything that has been answered by now goes with it.
      await new Promise((resolve) => setImmediate(resolve))
      const batch = finished.splice(0, settleMax)
      try {
        await deactivate(await settleAttempts(database.system(), batch))
      } catch (error) {
        logger.error({ err: error, attempts: batch.length }, 'webhook attempts could not be written down; they will be made again')
        await new Promise((resolve) => setTimeout(resolve, afterErrorMilliseconds))
      }
      for (const { delivery, verdict } of batch) {
        places.giveBack(delivery, verdict.kind)
        if (verdict.kind === 'retry') wakeAt(verdict.at)
      }
      if (places.wasShort()) worker.wake()
    }
    // In the same turn as the look that found nothing: whoever finishes next begins anew.
    settling = undefined
  }

  /** Short waits end on time; for long ones, and those of other processes, the poll is near enough. */
  function wakeAt(time: Date): void {
    const wait = time.getTime() - database.clock.now().getTime()
    if (wait < timedWaitMaxMilliseconds) setTimeout(worker.wake, Math.max(0, wait)).unref()
  }

  return {
    wake: worker.wake,
    async finishDueWork() {
      for (;;) {
        await Promise.all(inFlight)
        const startedBefore = started
        const isWholeWalk = inFlight.size === 0 && turns.areAtTheBeginning()
        await claimInTurn()
        if (isWholeWalk && started === startedBefore) return
      }
    },
    async stop() {
      await Promise.all([worker.stop(), swept])
      const grace = setTimeout(sender.breakOff, stopGraceMilliseconds)
      await Promise.all(inFlight)
      clearTimeout(grace)
      if (brokenOff.length > 0) await releaseDeliveries(database.system(), brokenOff)
      await sender.close()
    },
  }
}
