import type { Keyring } from '../platform/crypto/keyring.ts'
import { sameSecret } from '../platform/crypto/secrets.ts'

/** The parts of a request that arrived. */
export interface Echo {
  /** The address of the connection: the proxy's, or the caller's own. */
  peer: string
  /** The address that the service considers the caller's. */
  address: string
  /** The header as it arrived; null without one. */
  forwardedFor: string | null
  isPeerTrusted: boolean
  /** The doctor's cookie; null without one. */
  cookie: string | null
}

export const echoPath = '/v1/system/doctor/echo'
export const echoCookie = 'gatehouse_doctor'
const lifetimeSeconds = 60

/** A token that lets a holder of SECRET_KEY request an echo, for a minute. */
export function echoToken(keyring: Keyring, now: Date): string {
  const expires = String(Math.floor(now.getTime() / 1_000) + lifetimeSeconds)
  return `${expires}.${keyring.hmac('doctor', expires)}`
}

export function isEchoToken(keyring: Keyring, token: string, now: Date): boolean {
  const [expires = '', signature = ''] = token.split('.')
  const secondsLeft = Number(expires) - now.getTime() / 1_000
  return sameSecret(signature, keyring.hmac('doctor', expires)) && secondsLeft > 0 && secondsLeft <= lifetimeSeconds * 2
}
