/** Numbers that the delivery engine is tuned by. Decision records 0080, 0083 and 0084 say why and what was measured. */

export const claimPolicy = {
  /** Deliveries in one claim. */
  max: 200,
  pollMilliseconds: 1_000,
  /** A retry that is due within this time gets a timer; the poll is precise enough for the others. */
  timerMaxMilliseconds: 10_000,
  /** How long the engine collects released slots before it claims again, by the endpoints that may be waiting for one. */
  debounceMilliseconds: { healthy: 3, failing: 25 },
} as const

export const slotPolicy = {
  total: 400,
  perEndpoint: 10,
  perFailingEndpoint: 1,
  /** The part of all slots that failing endpoints may use together. */
  failingShare: 0.5,
  /** What one organisation may take in one claim. */
  perOrganisationAndClaim: 100,
  /** An organisation may use this many slots for each one that is free. */
  perFreeSlot: 3,
} as const

/** Each remembered endpoint is named in every claim, so neither the time nor the number may grow without a bound. */
export const failureMemoryPolicy = {
  milliseconds: 10 * 60_000,
  /** How long after its next attempt was due an endpoint is remembered. */
  afterRetryMilliseconds: 60_000,
  max: 1_000,
} as const

/** How long an endpoint gets no attempt after it did not respond twice in a row. */
export const coolDownMilliseconds = 250

/** Attempts are flushed when none has finished for the quiet time, and after the longest time at the latest. */
export const flushPolicy = {
  quietMilliseconds: 20,
  longestMilliseconds: 200,
  /** When a delivery has failed for good: its endpoint may have to be deactivated. */
  longestAfterFailureMilliseconds: 40,
  batchMax: 1_000,
  /** With this many unflushed attempts the engine claims nothing more. */
  unflushedMax: 2_000,
  pauseAfterErrorMilliseconds: 1_000,
} as const

/** How long attempts may still finish when the process stops. */
export const stopGraceMilliseconds = 3_000
