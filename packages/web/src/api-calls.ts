import { type ProofKey, proofOf } from './proof-key.ts'
import { Remembered } from './remembered.ts'

interface ApiCallOptions {
  fetch: typeof globalThis.fetch
  clock: () => number
}

/** As long as an API is likely to accept its nonce. */
const nonceMilliseconds = 300_000

/** Calls APIs with the token of a session. */
export class ApiCalls {
  readonly #options: ApiCallOptions
  /** The last nonce of each API, by origin. */
  readonly #nonces: Remembered<string>

  constructor(options: ApiCallOptions) {
    this.#options = options
    this.#nonces = new Remembered(nonceMilliseconds, options.clock)
  }

  async fetch(accessToken: string, key: ProofKey | undefined, request: Request): Promise<Response> {
    if (!key) return this.#send(request, { authorization: `Bearer ${accessToken}` })
    const copy = request.clone()
    const response = await this.#prove(accessToken, key, request)
    if (!demandsNonce(response)) {
      void copy.body?.cancel()
      return response
    }
    void response.body?.cancel()
    return this.#prove(accessToken, key, copy)
  }

  async #prove(accessToken: string, key: ProofKey, request: Request): Promise<Response> {
    const { method, url } = request
    const { origin } = new URL(url)
    const dpop = await proofOf(key, { method, url, accessToken, nonce: this.#nonces.get(origin), now: this.#options.clock() })
    const response = await this.#send(request, { authorization: `DPoP ${accessToken}`, dpop })
    const nonce = response.headers.get('dpop-nonce')
    if (nonce !== null) this.#nonces.set(origin, nonce)
    return response
  }

  #send(request: Request, headers: Record<string, string>): Promise<Response> {
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
    const { fetch } = this.#options
    return fetch(request)
  }
}

/** The request was not carried out, and may be sent again (RFC 9449 §9). */
const demandsNonce = ({ status, headers }: Response) =>
  status === 401 && headers.has('dpop-nonce') && /\berror="?use_dpop_nonce\b/.test(headers.get('www-authenticate') ?? '')
