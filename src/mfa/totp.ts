import { Secret, TOTP } from 'otpauth'
import { cutText } from '../platform/text.ts'

const stepSeconds = 30
const digits = 6
const algorithm = 'SHA1'
/** Clocks differ, so the previous and the next step count, too. */
const stepsEitherSide = 1
/** Longer names are cut, so that the URI fits into a QR code and the label into an app's list. */
const issuerMax = 60

/** A new secret of 160 bits (RFC 4226 §4), Base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** The URI that an authenticator app reads from the QR code. */
export function totpUri(secret: string, { issuer, account }: { issuer: string; account: string }): string {
  const shown = issuer.length > issuerMax ? `${cutText(issuer, issuerMax - 1).trimEnd()}…` : issuer
  return new TOTP({ secret: Secret.fromBase32(secret), issuer: shown, label: account, digits, algorithm, period: stepSeconds }).toString()
}

/**
 * The code that is accepted next, and since when: that of the current step, or of the first one after those that have been used.
 *
 * @param after steps up to it have been used
 */
export function nextCode(secret: string, now: Date, after: number | null): { code: string; acceptedFrom: Date } {
  const current = Math.floor(now.getTime() / 1_000 / stepSeconds)
  const step = Math.max(current, (after ?? 0) + 1)
  const timeOf = (one: number) => one * stepSeconds * 1_000
  const code = TOTP.generate({ secret: Secret.fromBase32(secret), digits, algorithm, period: stepSeconds, timestamp: timeOf(step) })
  return { code, acceptedFrom: new Date(timeOf(step - stepsEitherSide)) }
}

/**
 * The step (RFC 6238 §4.2) of a code, if it is the current step or one either side.
 *
 * @param after only steps later than this one count: those up to it have been used
 */
export function stepOfCode(secret: string, code: string, now: Date, after: number | null): number | undefined {
  const timestamp = now.getTime()
  const delta = TOTP.validate({
    token: code,
    secret: Secret.fromBase32(secret),
    digits,
    algorithm,
    period: stepSeconds,
    timestamp,
    window: stepsEitherSide,
  })
  if (delta === null) return undefined
  const step = Math.floor(timestamp / 1_000 / stepSeconds) + delta
  return after === null || step > after ? step : undefined
}
