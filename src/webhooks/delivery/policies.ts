/** The tuning parameters of the delivery engine. Decision records 0080, 0083 and 0084 give the reasons and measurements. */

export const claimPolicy = {
  /** The most deliveries in one claim. */
  max: 200,
  pollMilliseconds: 1_000,
  /** A retry that is due within this time gets a timer; the poll is precise enough for the others. */
  timerMaxMilliseconds: 10_000,
  /** How long the engine collects released slots before it claims again, by the state of the endpoints that may need one. */
  debounceMilliseconds: { healthy: 3, failing: 25 },
} as const

export const slotPolicy = {
  total: 400,
  perEndpoint: 10,
  perFailingEndpoint: 1,
  /** The part of all slots that failing endpoints may use together. */
  failingShare: 0.5,
  perOrganisationAndClaim: 100,
  perFreeSlot: 3,
} as const

/** Each remembered endpoint is named in every claim, so both time and number are bounded. */
export const failureMemoryPolicy = {
  milliseconds: 10 * 60_000,
  /** How long an endpoint is remembered after its next attempt was due. */
  afterRetryMilliseconds: 60_000,
  max: 1_000,
} as const

/** How long an endpoint gets no attempt after it did not respond twice in a row. */
export const coolDownMilliseconds = 250

/** Attempts are flushed when none has finished for the quiet time, and after the longest time at the latest. */
export const flushPolicy = {
  quietMilliseconds: 20,
  longestMilliseconds: 200,
  /** The limit when a delivery has failed for good, since its endpoint may have to be deactivated. */
  longestAfterFailureMilliseconds: 40,
  batchMax: 1_000,
  /** The number of unflushed attempts from which the engine claims nothing more. */
  unflushedMax: 2_000,
  pauseAfterErrorMilliseconds: 1_000,
} as const

/** How long attempts may continue when the process stops. */
export const stopGraceMilliseconds = 3_000
