import { SignInRefused } from './errors.ts'
import { claimsOf, type Issuer } from './issuer.ts'
import { Remembered } from './remembered.ts'
import type { FoundSession, Sessions } from './sessions.ts'
import { isDue, type StoredSession } from './stored-session.ts'

/**
 * What a session is now: `over` once its time has come or the issuer has refused it, undefined once it was ended here or in the store, as by
 * signing out or by a new sign-in.
 */
export type Latest = FoundSession | 'over' | undefined

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
/** Refusals that say nothing of other sessions: what the issuer refuses, and tokens that do not verify. */
const codesOfSession = ['refused-by-issuer', 'invalid-response']
/** As long as any copy of the cookie could be sent again, within reason. */
const endedMilliseconds = 86_400_000

/** Refreshes sessions, one at a time each. Several processes rely on `refreshTokenGraceSeconds` of the client. */
export class Refreshes {
  readonly #options: RefreshOptions
  /** By the access token that was replaced, for each later request with the former cookie. The refresh token may stay as it is. */
  readonly #outcomes: Remembered<Promise<Latest>>
  readonly #ended: Remembered<true>
  /** By the refresh token that has brought nothing of use: one session must not hold up those of others. */
  readonly #paused: Remembered<true>
  #pausedUntil = 0

  constructor(options: RefreshOptions) {
    this.#options = options
    this.#outcomes = new Remembered(rememberedMilliseconds, options.clock)
    this.#ended = new Remembered(endedMilliseconds, options.clock)
    this.#paused = new Remembered(pauseMilliseconds, options.clock)
  }

  /** The state of the session to use from now on: refreshed if it is due. While the issuer is away, it stays as it is. */
  async latest(found: FoundSession): Promise<Latest> {
    const { accessToken, refreshToken, id, endsAt } = found.session
    const now = this.#options.clock()
    if (this.#ended.get(id)) return undefined
    if (now >= endsAt) return 'over'
    if (refreshToken === undefined || !isDue(found.session, now)) return found
    const known = this.#outcomes.get(accessToken)
    if (!known && (now < this.#pausedUntil || this.#paused.get(refreshToken))) return found
    const outcome = known ?? this.#refresh(found, refreshToken)
    if (!known) this.#outcomes.set(accessToken, outcome)
    const latest = await outcome
    // Signing out may have come first.
    if (!latest || this.#ended.get(id)) return undefined
    if (latest === 'over') return latest
    const isRefreshed = known && latest.session.accessToken !== accessToken
    return isRefreshed ? this.latest(latest) : latest
  }

  /** Ends a session here, also for copies of its cookie, and for requests that are under way with it. */
  end({ id }: StoredSession): void {
    this.#ended.set(id, true)
  }

  /** The latest state of a session, whose refresh token is to be revoked. */
  async lastOf(found: FoundSession): Promise<FoundSession> {
    const latest = await this.#outcomes.get(found.session.accessToken)?.catch(() => undefined)
    return latest === undefined || latest === 'over' ? found : latest
  }

  async #refresh(found: FoundSession, refreshToken: string): Promise<Latest> {
    const { issuer, sessions, clock, failed } = this.#options
    try {
      const tokens = await issuer.refresh(refreshToken, claimsOf(found.session).identity.sub, found.session.proofKey)
      return await sessions.write({ ...found.session, ...tokens }, found)
    } catch (error) {
      if (!(error instanceof SignInRefused)) {
        this.#outcomes.delete(found.session.accessToken)
        throw error
      }
      failed(error)
      if (error.error === 'invalid_grant') return this.#refused(found)
      // The issuer has not said that the user may no longer be signed in.
      this.#outcomes.delete(found.session.accessToken)
      if (codesOfSession.includes(error.code)) this.#paused.set(refreshToken, true)
      else this.#pausedUntil = clock() + pauseMilliseconds
      return found
    }
  }

  /** Another process may have been first: then the store has its tokens. */
  async #refused(found: FoundSession): Promise<Latest> {
    const latest = await this.#options.sessions.reread(found.session.id)
    if (latest && latest.value !== found.value) return latest
    await this.#options.sessions.delete(found.session)
    return 'over'
  }
}
