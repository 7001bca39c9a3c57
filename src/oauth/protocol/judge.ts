import type { FailedCheck, OAuthError } from './errors.ts'

type Refuse = (description: string, check: FailedCheck) => OAuthError

/** One check of a request: whether it is met, and the refusal if it is not. */
export type Judged = [isMet: boolean, refuse: Refuse, description: string, check: FailedCheck]

/** Judges the checks of a request, one after another. */
export interface Judge {
  /** Whether the request is only inspected: whatever is let through is rolled back. */
  readonly isInspecting: boolean
  /** Judges a check without which nothing that follows can be said. @throws OAuthError unless it is met */
  need(...judged: Judged): void
  /** Judges any other. @throws OAuthError unless it is met; an inspection continues, so that it says everything */
  expect(...judged: Judged): void
  /** Forgets what was judged in an earlier attempt at the same transaction. */
  beginAnew(): void
}

const refuseUnmet = (...[isMet, refuse, description, check]: Judged): void => {
  if (!isMet) throw refuse(description, check)
}

/** Refuses a request at the first check that is not met. */
export const strictly: Judge = { isInspecting: false, need: refuseUnmet, expect: refuseUnmet, beginAnew: () => {} }
