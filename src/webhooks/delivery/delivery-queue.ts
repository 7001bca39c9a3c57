import type { FinishedAttempt } from './attempt.ts'
import type { ClaimLimits, ClaimPosition } from './claim.ts'

/** A delivery that only this process may attempt until its lease ends. */
export interface QueuedDelivery {
  organisationId: string
  id: string
  /** The receiver, among which the engine divides its slots. */
  endpointId: string
  /** The number of attempts that were made before. */
  attemptCount: number
  /** False when its receiver is to get nothing. */
  isWanted: boolean
}

/** What the engine takes deliveries from: how they are claimed, attempted and recorded differs by their kind. */
export interface DeliveryQueue<Delivery extends QueuedDelivery> {
  /** The kind of deliveries, as the log names them: `webhook`. */
  readonly what: string
  /** Completes what a process began that ended before it was done. */
  begin(): Promise<void>
  claim(request: { limits: ClaimLimits; position: ClaimPosition }): Promise<Delivery[]>
  /** Takes claimed deliveries out of the queue that are not wanted. */
  setAside(deliveries: readonly Delivery[]): Promise<void>
  /** Ends the claim of deliveries, so that any process can claim them at once. */
  release(deliveries: readonly Delivery[]): Promise<void>
  /** @returns undefined when the process stopped before there was a result */
  attempt(delivery: Delivery): Promise<FinishedAttempt<Delivery> | undefined>
  /** Writes finished attempts to the database, and does what follows from them. */
  record(attempts: readonly FinishedAttempt<Delivery>[]): Promise<void>
}
