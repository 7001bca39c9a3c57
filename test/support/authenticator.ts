import { Secret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import type { HttpClient } from './http-client.ts'
import type { TestClock } from './test-clock.ts'

const stepSeconds = 30

/** An authenticator app with the secret of one account. */
export class Authenticator {
  readonly #secret: Secret
  readonly #clock: TestClock

  constructor(secret: string, clock: TestClock) {
    this.#secret = Secret.fromBase32(secret)
    this.#clock = clock
  }

  /** The code of a step, relative to the current one. */
  code(stepsAway = 0): string {
    const timestamp = this.#clock.now().getTime() + stepsAway * stepSeconds * 1_000
    return new TOTP({ secret: this.#secret }).generate({ timestamp })
  }

  /** Six digits that are not the code of any step near the current one. */
  wrongCode(): string {
    const near = new Set([-3, -2, -1, 0, 1, 2, 3].map((away) => this.code(away)))
    let code = 0
    while (near.has(String(code).padStart(6, '0'))) code++
    return String(code).padStart(6, '0')
  }

  /** The next unused code. It advances the clock to the next step. */
  nextCode(): string {
    this.#clock.advance({ seconds: stepSeconds })
    return this.code()
  }
}

/** Enrols an authenticator app for a user. */
export async function enrolAuthenticator(user: HttpClient, clock: TestClock) {
  const enabled = await user.post('/v1/me/mfa/enable')
  expect(enabled).toMatchObject({ status: 200 })
  const authenticator = new Authenticator(enabled.body.secret, clock)
  const verified = await user.post('/v1/me/mfa/verify', { token: authenticator.code() })
  expect(verified).toMatchObject({ status: 200 })
  return { authenticator, backupCodes: verified.body.backupCodes as string[], verified }
}
