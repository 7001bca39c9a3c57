import { SignInRefused } from './errors.ts'
import { claimsOf, type Issuer } from './issuer.ts'
import { Remembered } from './remembered.ts'
import type { FoundSession, Sessions } from './sessions.ts'
import { isDue } from './stored-session.ts'

interface RefreshOptions {
  issuer: Issuer
  sessions: Sessions
  clock: () => number
  /** Hears of a refresh that failed. */
  failed(error: SignInRefused): void
}

/** Requests that a browser has sent before it got the new cookie come within this time. */
const rememberedMilliseconds = 60_000
/** While the issuer does not respond, requests do not wait for it again and again; nor do those of a session that it does not refresh. */
const pauseMilliseconds = 5_000
/** As long as any copy of the cookie could be sent again, within reason. */
const endedMilliseconds = 86_400_000

/** Refreshes sessions, one at a time each. Several processes rely on `refreshTokenGraceSeconds` of the client. */
export class Refreshes {
  readonly #options: RefreshOptions
  /** By the refresh token that was used, for each later request with the former cookie. */
  readonly #outcomes: Remembered<Promise<FoundSession | undefined>>
  readonly #ended: Remembered<true>
  /** By the refresh token that was refused: one session must not hold up those of others. */
  readonly #paused: Remembered<true>
  #pausedUntil = 0

  constructor(options: RefreshOptions) {
    this.#options = options
    this.#outcomes = new Remembered(rememberedMilliseconds, options.clock)
    this.#ended = new Remembered(endedMilliseconds, options.clock)
    this.#paused = new Remembered(pauseMilliseconds, options.clock)
  }

  /**
   * The state of the session to use from now on: refreshed if it is due. While the issuer is away, it stays as it is.
   *
   * @returns undefined once the session has ended
   */
  async latest(found: FoundSession): Promise<FoundSession | undefined> {
    const { refreshToken, id, endsAt } = found.session
    const now = this.#options.clock()
    if (now >= endsAt || this.#ended.get(id)) return undefined
    if (refreshToken === undefined || !isDue(found.session, now)) return found
    const known = this.#outcomes.get(refreshToken)
    if (!known && (now < this.#pausedUntil || this.#paused.get(refreshToken))) return found
    const outcome = known ?? this.#refresh(found, refreshToken)
    if (!known) this.#outcomes.set(refreshToken, outcome)
    const latest = await outcome
    // Signing out may have come first.
    if (!latest || this.#ended.get(id)) return undefined
    const isRefreshed = known && latest.session.refreshToken !== refreshToken
    return isRefreshed ? this.latest(latest) : latest
  }

  /** Ends a session here, also for copies of its cookie. @returns its latest state, whose refresh token is to be revoked */
  async end(found: FoundSession): Promise<FoundSession> {
    this.#ended.set(found.session.id, true)
    const { refreshToken } = found.session
    const latest = refreshToken === undefined ? undefined : await this.#outcomes.get(refreshToken)?.catch(() => undefined)
    return latest ?? found
  }

  async #refresh(found: FoundSession, refreshToken: string): Promise<FoundSession | undefined> {
    const { issuer, sessions, clock, failed } = this.#options
    try {
      const tokens = await issuer.refresh(refreshToken, claimsOf(found.session).identity.sub, found.session.proofKey)
      return await sessions.write({ ...found.session, ...tokens }, found)
    } catch (error) {
      if (!(error instanceof SignInRefused)) {
        this.#outcomes.delete(refreshToken)
        throw error
      }
      failed(error)
      if (error.error === 'invalid_grant') return this.#refused(found)
      // The issuer has not said that the user may no longer be signed in.
      this.#outcomes.delete(refreshToken)
      if (error.code === 'refused-by-issuer') this.#paused.set(refreshToken, true)
      else if (error.code !== 'invalid-response') this.#pausedUntil = clock() + pauseMilliseconds
      return found
    }
  }

  /** Another process may have been first: then the store has its tokens. */
  async #refused(found: FoundSession): Promise<FoundSession | undefined> {
    const latest = await this.#options.sessions.reread(found.session.id)
    if (latest && latest.value !== found.value) return latest
    await this.#options.sessions.delete(found.session)
    return undefined
  }
}
