/** What is used of a request of Node, Express or Fastify. */
export interface NodeRequest {
  method?: string | undefined
  url?: string | undefined
  originalUrl?: string | undefined
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** What a parser of Express has made of the body. */
  body?: unknown
  readableEnded?: boolean
  [Symbol.asyncIterator](): AsyncIterator<unknown>
}

export interface NodeResponse {
  statusCode: number
  appendHeader(name: string, value: string): unknown
  getHeaderNames(): string[]
  removeHeader(name: string): void
  headersSent: boolean
  destroyed: boolean
  write(chunk: Uint8Array, written: () => void): unknown
  end(): unknown
  destroy(): unknown
}

export type NodeHandler = (request: NodeRequest, response: NodeResponse, next?: (error?: Error) => void) => Promise<void>

/**
 * Makes a handler of `Request` and `Response` one of Node: middleware for Express, and with the raw request for Fastify. Where the handler
 * resolves to null, the next one is called, and where it throws, the next one gets the error. Without a next one, as with `createServer`,
 * the response is 404 or 500.
 *
 * @param onError hears of an error that there is no next handler for; `console.error` by default
 */
export const toNode =
  (
    handler: (request: Request) => Promise<Response | null>,
    // biome-ignore lint/suspicious/noConsole: an application that logs nothing itself would never learn of the failure
    { onError = console.error }: { onError?: (error: unknown) => void } = {},
  ): NodeHandler =>
  async (request, response, next) => {
    try {
      const made = requestOf(request)
      const result = made ? await handler(made) : new Response('Bad request\n', { status: 400 })
      if (result) await write(result, response)
      else if (next) next()
      else await write(new Response('Not found\n', { status: 404 }), response)
    } catch (error) {
      // A response that has begun breaks off, so that it does not look complete.
      if (response.headersSent) response.destroy()
      if (next) return next(error as Error)
      // Nothing awaits a handler of Node: a rejection would end the process.
      if (!response.headersSent) endAsFailure(response)
      onError(error)
    }
  }

/** @returns undefined for what no browser sends: an address that is none or has a password, or the method TRACE */
function requestOf(request: NodeRequest): Request | undefined {
  const { method = 'GET', originalUrl, url = '/' } = request
  const headers = new Headers()
  // HTTP/2 has names that begin with a colon.
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && !name.startsWith(':')) for (const one of [value].flat()) headers.append(name, one)
  const named = `http://${request.headers.host ?? request.headers[':authority'] ?? 'localhost'}`
  // Its origin alone: a header with a path or a query would replace the path of the request.
  const host = URL.canParse(named) ? new URL(named).origin : 'http://localhost'
  const path = originalUrl ?? url
  // Put together as texts: resolved, a path that begins with two slashes would name a host.
  const address = path.startsWith('/') ? host + path : path
  const hasBody = method !== 'GET' && method !== 'HEAD'
  // `URL.parse` is there only from Node 22.1 on.
  const parsed = URL.canParse(address) ? new URL(address) : null
  const isPlain = parsed !== null && parsed.username === '' && parsed.password === ''
  if (!isPlain || /^(connect|trace|track)$/i.test(method)) return undefined
  return new Request(address, { method, headers, ...(hasBody && { body: bodyOf(request), duplex: 'half' }) } as RequestInit)
}

function bodyOf(request: NodeRequest): Parsed | ReadableStream<Uint8Array> {
  const { body, readableEnded } = request
  if (readableEnded && body !== undefined && body !== null) return unparsed(body, String(request.headers['content-type']))
  let chunks: AsyncIterator<unknown> | undefined
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        chunks ??= request[Symbol.asyncIterator]()
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value as Uint8Array)
      },
      cancel: async () => void (await chunks?.return?.()),
    },
    // Nothing is read ahead: what this handler leaves to the next one comes with its body.
    { highWaterMark: 0 },
  )
}

type Parsed = string | Uint8Array | URLSearchParams

/** A parser has read the body: what it has made of JSON or a form is that again. */
function unparsed(body: unknown, contentType: string): Parsed {
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  if (/^application\/([\w.-]+\+)?json\b/i.test(contentType)) return JSON.stringify(body)
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(body as object)) for (const one of [value].flat()) form.append(name, String(one))
  return form
}

/** In place of a response of which nothing was sent, but whose headers may be set. */
function endAsFailure(response: NodeResponse): void {
  for (const name of response.getHeaderNames()) response.removeHeader(name)
  response.statusCode = 500
  response.end()
}

async function write(result: Response, response: NodeResponse): Promise<void> {
  response.statusCode = result.status
  for (const [name, value] of result.headers) response.appendHeader(name, value)
  const reader = result.body?.getReader()
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    if (response.destroyed) return void (await reader?.cancel())
    const { value } = read
    await new Promise<void>((resolve) => response.write(value, () => resolve()))
  }
  response.end()
}
