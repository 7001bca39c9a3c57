import { channel } from 'node:diagnostics_channel'

/** The diagnostics channel that reports each look-up of a breached password that failed, as `{ reason }`. */
export const breachedPasswordErrorsChannel = 'gatehouse.breached-password-errors'
const failed = channel(breachedPasswordErrorsChannel)

/** The reasons why a look-up of a breached password failed. */
export const breachedPasswordErrors = [
  /** The range server did not respond in time. */
  'timeout',
  'connection',
  /** It responded with another status than 200; redirects are not followed. */
  'status',
  'too_large',
  /** Its response is no list of hashes. */
  'malformed',
  /** The file could not be read. */
  'file',
] as const
export type BreachedPasswordErrorReason = (typeof breachedPasswordErrors)[number]

/** A look-up failed. Neither its message nor its cause contains anything of the password. */
export class BreachedPasswordError extends Error {
  readonly reason: BreachedPasswordErrorReason
  /** The detail in the log beside the reason: an error code of the system, or a status. */
  readonly detail: string | undefined

  constructor(reason: BreachedPasswordErrorReason, detail?: string) {
    super(`Breached passwords could not be looked up: ${reason}`)
    this.name = 'BreachedPasswordError'
    this.reason = reason
    this.detail = detail
  }
}

export function reportBreachedPasswordError(reason: BreachedPasswordErrorReason): void {
  failed.publish({ reason })
}
