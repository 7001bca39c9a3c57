import { beginAttempt, clearAttempt, findAttempt } from './attempts.ts'
import type { RequestCookies } from './cookies.ts'
import { invalidParameter, SignInRefused } from './errors.ts'
import { claimsOf, type Issuer } from './issuer.ts'
import { Remembered } from './remembered.ts'
import { readReturnTo, returnToLengthMax } from './requests.ts'
import type { Sealer } from './sealed.ts'
import { reaches } from './session.ts'
import type { SessionStore } from './session-store.ts'
import { newSession, type StoredSession } from './stored-session.ts'

export interface SignInOptions {
  issuer: Issuer
  sealer: Sealer
  store: SessionStore | undefined
  clock: () => number
  redirectUri: URL
  scope: string
  sessionMilliseconds: number
}

/** What a page may pass on to the issuer. */
const passedOn = ['login_hint', 'connection', 'acr_values', 'prompt', 'max_age'] as const
const parameterLengthMax = 255
const prompts = ['none', 'login', 'consent', 'select_account']
/** Refusals of `prompt=none`: a page would be needed. */
const errorsOfSilence = ['login_required', 'consent_required', 'interaction_required', 'account_selection_required']
const usedMilliseconds = 1_800_000

export type Callback =
  | { kind: 'signed-in'; session: StoredSession; returnTo: string }
  /** The issuer has no session, and was asked to show no page. */
  | { kind: 'not-signed-in'; returnTo: string }

/** Both ends of a sign-in: the request to the issuer and the callback. */
export class SignIn {
  readonly #options: SignInOptions
  /** Attempts whose callback has come; where there is a store, they are in it. */
  readonly #used: Remembered<true>

  constructor(options: SignInOptions) {
    this.#options = options
    this.#used = new Remembered(usedMilliseconds, options.clock)
  }

  /**
   * Begins a sign-in.
   *
   * @returns where to send the browser
   * @throws SignInRefused `invalid-request`, `issuer-unavailable`
   */
  async begin(query: URLSearchParams, cookies: RequestCookies, headers: Headers): Promise<URL> {
    const { issuer, sealer, clock, redirectUri, scope } = this.#options
    const asked = Object.fromEntries(passedOn.flatMap((name) => parameterOf(query, name, parameterLengthMax)))
    const { prompt, max_age: maxAge, acr_values: acrValues } = asked
    if (prompt !== undefined && !prompts.includes(prompt)) throw invalidParameter('prompt', `one of ${prompts.join(', ')}`)
    if (maxAge !== undefined && !/^\d{1,9}$/.test(maxAge)) throw invalidParameter('max_age', 'a number of seconds')
    const [[, address] = ['', '/']] = parameterOf(query, 'returnTo', returnToLengthMax)
    const returnTo = readReturnTo(address, redirectUri.origin)
    if (returnTo === undefined) throw invalidParameter('returnTo', 'an address of this application')
    const now = clock()
    const proofKey = await issuer.newKey()
    const attempt = await beginAttempt(
      { sealer, now },
      { returnTo, acrValues, prompt, maxAge: maxAge === undefined ? undefined : Number(maxAge), ...(proofKey && { proofKey }) },
      cookies,
      headers,
    )
    const { state, nonce } = attempt
    return issuer.authorizationUrl({ ...asked, scope, state, nonce }, attempt)
  }

  /**
   * Finishes a sign-in that this browser has begun, once.
   *
   * @throws SignInRefused
   */
  async finish(query: URLSearchParams, cookies: RequestCookies, headers: Headers): Promise<Callback> {
    const { issuer, sealer, clock, redirectUri, sessionMilliseconds } = this.#options
    const [state = '', ...more] = query.getAll('state')
    const attempt = more.length === 0 ? await findAttempt({ sealer, now: clock() }, state, cookies) : undefined
    if (!attempt || !(await this.#claim(state)))
      throw new SignInRefused('unknown-attempt', 'This sign-in was not begun in this browser, has been finished, or has taken too long')
    clearAttempt(state, cookies, headers)
    const { returnTo, acrValues, prompt } = attempt
    // Behind a proxy the request names another origin.
    const callback = new URL(redirectUri)
    callback.search = query.toString()
    try {
      const tokens = await issuer.redeem(callback, attempt)
      if (acrValues !== undefined && !reaches(claimsOf(tokens).identity.acr, acrValues))
        throw new SignInRefused('insufficient-user-authentication', 'The sign-in is not as strong as it has to be')
      return { kind: 'signed-in', session: newSession(tokens, attempt, clock(), sessionMilliseconds), returnTo }
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error
      if (prompt === 'none' && errorsOfSilence.includes(error.error ?? '')) return { kind: 'not-signed-in', returnTo }
      // The code may not have been used: then loading the page again finishes the sign-in.
      if (error.code === 'issuer-unavailable') {
        headers.delete('set-cookie')
        await this.#release(state)
      }
      throw error
    }
  }

  /** Only the first callback of an attempt redeems its code: with a second use, the issuer revokes what the first one brought. */
  async #claim(state: string): Promise<boolean> {
    const { store, clock } = this.#options
    const about = { subject: undefined, sessionId: undefined, expiresAt: new Date(clock() + usedMilliseconds) }
    if (store) return store.replace(markOf(state), undefined, 'used', about)
    if (this.#used.get(state)) return false
    this.#used.set(state, true)
    return true
  }

  async #release(state: string): Promise<void> {
    await this.#options.store?.delete(markOf(state))
    this.#used.delete(state)
  }
}

const markOf = (state: string) => `attempt ${state}`

function parameterOf(query: URLSearchParams, name: string, lengthMax: number): [string, string][] {
  const [value = '', ...more] = query.getAll(name)
  if (more.length > 0) throw invalidParameter(name, 'at most once')
  if (value.length > lengthMax) throw invalidParameter(name, `at most ${lengthMax} characters`)
  return value === '' ? [] : [[name, value]]
}
