/** A response as tests read it. */
export interface Answer {
  status: number
  headers: Headers
  /** Parsed when it is JSON, otherwise the text; null without a body. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body by asserting on it
  body: any
}

export interface RequestOptions {
  body?: unknown
  headers?: Record<string, string>
}

/** Calls the API as a certain caller, with their cookie, CSRF token or key in the headers. */
export class HttpClient {
  readonly origin: string
  readonly headers: Record<string, string>

  constructor(origin: string, headers: Record<string, string> = {}) {
    this.origin = origin
    this.headers = headers
  }

  with(headers: Record<string, string>): HttpClient {
    return new HttpClient(this.origin, { ...this.headers, ...headers })
  }

  get(path: string, options: RequestOptions = {}): Promise<Answer> {
    return this.request('GET', path, options)
  }

  post(path: string, body?: unknown, options: RequestOptions = {}): Promise<Answer> {
    return this.request('POST', path, { body, ...options })
  }

  patch(path: string, body?: unknown, options: RequestOptions = {}): Promise<Answer> {
    return this.request('PATCH', path, { body, ...options })
  }

  delete(path: string, body?: unknown, options: RequestOptions = {}): Promise<Answer> {
    return this.request('DELETE', path, { body, ...options })
  }

  /** The entries of the audit log that match, such as those of `{ targetId, action }`: the newest 1,000 first. */
  async audit(query: Record<string, string | number> = {}): Promise<Answer['body'][]> {
    const asked = new URLSearchParams({
      limit: '1000',
      ...Object.fromEntries(Object.entries(query).map(([name, value]) => [name, `${value}`])),
    })
    const { status, body } = await this.get(`/v1/admin/audit-logs?${asked}`)
    if (status !== 200) throw new Error(`The audit log responded ${status}: ${JSON.stringify(body)}`)
    return body.data
  }

  async request(method: string, path: string, { body, headers = {} }: RequestOptions = {}): Promise<Answer> {
    const response = await fetch(this.origin + path, {
      method,
      redirect: 'manual',
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...this.headers, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, headers: response.headers, body: text === '' ? null : isJson ? JSON.parse(text) : text }
  }
}
