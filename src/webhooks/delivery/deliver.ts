import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { Database } from '../../platform/database/database.ts'
import { startWorker } from '../../platform/jobs/worker.ts'
import type { Outbox } from '../../platform/mail/outbox.ts'
import { deactivateEndpoint, findFailingEndpoints } from '../endpoints/deactivate-endpoint.ts'
import type { EndpointKey } from '../endpoints/queries.ts'
import { type ClaimedDelivery, claimDueDeliveries, holdDeliveries, releaseDeliveries } from './claim.ts'
import { createPlaces, type Places, type Waiting } from './places.ts'
import { decideVerdict } from './retry-schedule.ts'
import { secretsDecrypter } from './secrets.ts'
import type { Sender } from './send.ts'
import { type FinishedAttempt, settleAttempts } from './settle.ts'
import { createTurns } from './turns.ts'
import { headersOf } from './variants.ts'

const claimMax = 200
const settleMax = 1_000
const unsettledMax = 2_000
const pollMilliseconds = 1_000
const stopGraceMilliseconds = 3_000
const afterErrorMilliseconds = 1_000
const timedWaitMaxMilliseconds = 10_000
/** How long it is waited for more places to become free, before a claim is made for the sake of those who wait for one. */
const gatherMilliseconds = { answering: 3, failing: 25 }
/** How long an endpoint is left alone that did not answer, and not the last time either: it has the time, and the others have not. */
const restMilliseconds = 250
/** Attempts are written down when none has ended for so long, but not later than some time after the first: sooner if one failed for good. */
const settlePauseMilliseconds = { quiet: 20, longest: 200, longestAfterFailure: 40 }

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
  const places = createPlaces(database.clock)
  const turns = createTurns()
  const decryptSecrets = secretsDecrypter(keyring)
  const inFlight = new Set<Promise<void>>()
  const brokenOff: ClaimedDelivery[] = []
  const finished: FinishedAttempt[] = []
  const gathering = new Set<Waiting>()
  const rests = new Map<string, () => void>()
  let turn: Promise<boolean> = Promise.resolve(false)
  let started = 0
  let ended = 0
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
    const limit = Math.min(places.beginClaim(), claimMax, unsettledMax - finished.length)
    if (limit <= 0) return false
    const request = turns.next(places, limit)
    const claimed = await claimDueDeliveries(database.system(), { ...request, leaseSeconds })
    const unwanted = claimed.filter(({ isWanted }) => !isWanted)
    if (unwanted.length > 0) await holdDeliveries(database.system(), unwanted)
    const wanted = claimed.filter(({ isWanted }) => isWanted)
    const { answering = [], failing = [] } = Object.groupBy(wanted, (one) => (places.isFailing(one) ? 'failing' : 'answering'))
    // Who did not answer the last time is connected to after those who did.
    for (const delivery of [...answering, ...failing]) start(delivery)
    return turns.remember(request, claimed)
  }

  function start(delivery: ClaimedDelivery): void {
    started++
    places.take(delivery)
    const attempt = attemptDelivery(delivery)
      .catch((error) => {
        // Such as a secret that no key decrypts. The lease gives it back, to be tried when the cause is gone.
        logger.error({ err: error, deliveryId: delivery.id }, 'a webhook delivery could not be attempted')
        giveBack(delivery, 'failed')
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
      giveBack(delivery, 'broken off')
      return
    }
    ended++
    const endedAt = new Date(at.getTime() + result.durationMilliseconds)
    const verdict = decideVerdict(delivery.variant, delivery.attemptCount + 1, result, endedAt)
    finished.push({ delivery, at, result, verdict })
    if (result.status === null && places.isFailing(delivery)) rest(delivery)
    // A failure for good waits until it is written down: it may have been the one that turns the endpoint off.
    if (verdict.kind !== 'failed') giveBack(delivery, verdict.kind, verdict.kind === 'retry' ? verdict.at : undefined)
    settling ??= settleAll()
  }

  function giveBack(delivery: ClaimedDelivery, outcome: Parameters<Places['giveBack']>[1], retryAt?: Date): void {
    claimSoon(places.giveBack(delivery, outcome, retryAt))
  }

  function claimSoon(waiting: Waiting): void {
    if (!waiting || gathering.has(waiting)) return
    gathering.add(waiting)
    setTimeout(() => {
      gathering.delete(waiting)
      worker.wake()
    }, gatherMilliseconds[waiting]).unref()
  }

  function rest(endpoint: EndpointKey): void {
    if (rests.has(endpoint.endpointId)) return
    places.rest(endpoint)
    const end = () => {
      clearTimeout(timer)
      rests.delete(endpoint.endpointId)
      claimSoon(places.endRest(endpoint))
    }
    const timer = setTimeout(end, restMilliseconds).unref()
    rests.set(endpoint.endpointId, end)
  }

  /**
   * Writes attempts down when there is nothing more urgent: in the middle of a burst it would take the processor from the
   * attempts that are still to be made, and the more come together, the fewer statements an attempt costs.
   */
  async function settleAll(): Promise<void> {
    while (finished.length > 0) {
      await calm()
      const batch = finished.splice(0, settleMax)
      const wasFull = finished.length + batch.length >= unsettledMax
      try {
        await deactivate(await settleAttempts(database.system(), batch))
      } catch (error) {
        logger.error({ err: error, attempts: batch.length }, 'webhook attempts could not be written down; they will be made again')
        await pause(afterErrorMilliseconds)
      }
      for (const { delivery, verdict } of batch) {
        if (verdict.kind === 'failed') giveBack(delivery, 'failed')
        if (verdict.kind === 'retry') wakeAt(verdict.at)
      }
      if (wasFull) worker.wake()
    }
    // In the same turn as the look that found nothing: whoever finishes next begins anew.
    settling = undefined
  }

  async function calm(): Promise<void> {
    const { quiet, longest, longestAfterFailure } = settlePauseMilliseconds
    for (let waited = 0; waited < longest && finished.length < settleMax; waited += quiet) {
      if (waited >= longestAfterFailure && finished.some(({ verdict }) => verdict.kind === 'failed')) return
      const endedBefore = ended
      await pause(quiet)
      if (ended === endedBefore) return
    }
  }

  /** Short waits end on time; for long ones, and those of other processes, the poll is near enough. */
  function wakeAt(time: Date): void {
    const wait = time.getTime() - database.clock.now().getTime()
    if (wait < timedWaitMaxMilliseconds) setTimeout(worker.wake, Math.max(0, wait)).unref()
  }

  /** Until every attempt has ended and is written down. */
  async function idle(): Promise<void> {
    while (inFlight.size > 0 || settling) await Promise.all([...inFlight, settling])
  }

  return {
    wake: worker.wake,
    async finishDueWork() {
      for (;;) {
        await idle()
        for (const end of rests.values()) end()
        const startedBefore = started
        const isWholeWalk = inFlight.size === 0 && turns.areAtTheBeginning()
        await claimInTurn()
        if (isWholeWalk && started === startedBefore) return
      }
    },
    async stop() {
      await Promise.all([worker.stop(), swept])
      const grace = setTimeout(sender.breakOff, stopGraceMilliseconds)
      await idle()
      clearTimeout(grace)
      if (brokenOff.length > 0) await releaseDeliveries(database.system(), brokenOff)
      await sender.close()
    },
  }
}
