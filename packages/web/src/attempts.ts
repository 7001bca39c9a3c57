import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client'
import type { RequestCookies } from './cookies.ts'
import type { ProofKey } from './proof-key.ts'
import type { Sealer } from './sealed.ts'

/** A sign-in that a browser has begun. Only that browser can finish it. */
export interface Attempt {
  state: string
  nonce: string
  verifier: string
  /** What the code, and later the tokens, are bound to, if anything. */
  proofKey?: ProofKey
  /** An address of this application. */
  returnTo: string
  /** The levels that were asked for, best first. */
  acrValues?: string | undefined
  /** In seconds. */
  maxAge?: number | undefined
  prompt?: string | undefined
  /** In milliseconds since 1970. */
  startedAt: number
}

const attemptsMax = 10
/** With a session, more would not fit the header that servers accept. */
const attemptsLengthMax = 4_500
/** A sign-in at Gatehouse takes ten minutes at most, and may begin with a registration. */
const attemptSeconds = 1_800
const idLength = 16

/** Part of the state: so that each tab finds its own cookie. */
const idOf = (state: string) => state.slice(0, idLength)

/** Begins an attempt. The oldest give way to it, and with them whatever cannot be read. */
export async function beginAttempt(
  { sealer, now }: { sealer: Sealer; now: number },
  asked: Pick<Attempt, 'returnTo' | 'acrValues' | 'maxAge' | 'prompt' | 'proofKey'>,
  cookies: RequestCookies,
  headers: Headers,
): Promise<Attempt> {
  const attempt = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier(), ...asked, startedAt: now }
  const sealed = await sealer.seal('attempt', attempt)
  const others = await Promise.all(
    cookies.attempts.map(async ([id, value]) => ({ id, value, startedAt: (await read(sealer, value, now))?.startedAt ?? 0 })),
  )
  others.sort((one, other) => other.startedAt - one.startedAt)
  let length = sealed.length
  for (const [index, { id, value, startedAt }] of others.entries()) {
    length += value.length
    if (startedAt === 0 || index + 1 >= attemptsMax || length > attemptsLengthMax) cookies.clearAttempt(headers, id)
  }
  cookies.writeAttempt(headers, idOf(attempt.state), sealed, attemptSeconds)
  return attempt
}

/** Finds the attempt that a callback belongs to, in the cookies of the browser that has begun it. */
export async function findAttempt(
  { sealer, now }: { sealer: Sealer; now: number },
  state: string,
  cookies: RequestCookies,
): Promise<Attempt | undefined> {
  const attempt = await read(sealer, cookies.attempt(idOf(state)) ?? '', now)
  return attempt?.state === state ? attempt : undefined
}

export const clearAttempt = (state: string, cookies: RequestCookies, headers: Headers) => cookies.clearAttempt(headers, idOf(state))

async function read(sealer: Sealer, value: string, now: number): Promise<Attempt | undefined> {
  const attempt = (await sealer.unseal<Attempt>('attempt', value))?.value
  return attempt && now < attempt.startedAt + attemptSeconds * 1_000 ? attempt : undefined
}
