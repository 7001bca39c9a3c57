import { TestingRefused } from './errors.ts'

/** Calls the controls of a test mode, below `/_test`. */
export class Controls {
  readonly url: string
  /** Hears of the time of the service with each response. */
  heard: (clock: string) => void = () => {}
  readonly #fetch: typeof fetch

  constructor(url: string, request: typeof fetch) {
    this.url = url
    this.#fetch = request
  }

  get<Body>(path: string): Promise<Body> {
    return this.#call('GET', path)
  }

  post<Body = void>(path: string, body?: unknown): Promise<Body> {
    return this.#call('POST', path, body)
  }

  delete(path: string): Promise<void> {
    return this.#call('DELETE', path)
  }

  async #call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const response = await this.#fetch(`${this.url}/_test${path}`, {
      method,
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw new TestingRefused({ code: 'unreachable', status: 0, detail: `No response from ${this.url}`, cause })
    })
    this.heard(response.headers.get('gatehouse-test-clock') ?? '')
    const text = await response.text()
    const answer = parsed(text)
    if (response.ok && (text === '' || answer !== undefined)) return answer as Body
    throw new TestingRefused({
      code: answer?.code ?? answer?.error ?? 'unexpected',
      status: response.status,
      detail: answer?.detail ?? answer?.error_description ?? `${method} ${path} was answered with ${response.status}`,
      requestId: response.headers.get('x-request-id') ?? undefined,
      errors: answer?.errors,
    })
  }
}

/** @returns undefined for what is no JSON: then it is not the test mode that responds */
function parsed(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
