/** A request of any framework: a `Request`, or one of Node, Express or Fastify. */
export interface IncomingRequest {
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  method?: string | undefined
  url?: string | undefined
  /** Express sets it where `url` lacks the path that a router is mounted at. */
  originalUrl?: string | undefined
}

/** Libraries have classes of their own. */
const isOfFetch = (headers: IncomingRequest['headers']): headers is Headers => typeof headers.get === 'function'

export function headerOf({ headers }: IncomingRequest, name: string): string | undefined {
  if (isOfFetch(headers)) return headers.get(name) ?? undefined
  const value = headers[name]
  return typeof value === 'string' || value === undefined ? value : value.join('; ')
}

/** Where the request goes, at the origin that browsers know: behind a proxy, the request names another one. */
export function addressOf({ originalUrl, url = '/' }: IncomingRequest, origin: string): URL {
  const address = originalUrl ?? url
  // Put together as texts: resolved, a path that begins with two slashes would name a host.
  if (address.startsWith('/')) return new URL(origin + address)
  const { pathname, search } = new URL(URL.canParse(address, origin) ? address : '/', origin)
  return new URL(origin + pathname + search)
}

/** Whether a browser loads a page by it, so that it follows a redirect to one. */
export function isPageLoad(request: IncomingRequest): boolean {
  const mode = headerOf(request, 'sec-fetch-mode')
  const method = request.method ?? 'GET'
  return (method === 'GET' || method === 'HEAD') && (mode === undefined || mode === 'navigate')
}

/** Longer ones would fill the cookies of a browser. */
export const returnToLengthMax = 1_024

/**
 * Reads where a browser returns to after signing in.
 *
 * @returns undefined for another origin, a text that is no address, or an address that is too long
 */
export function readReturnTo(text: string, origin: string): string | undefined {
  const base = `${origin}/`
  if (!URL.canParse(text, base)) return undefined
  const { origin: named, pathname, search, hash } = new URL(text, base)
  // An address with `blob:` has the origin of the page that has made it, and no path but that origin.
  if (named !== origin || !pathname.startsWith('/')) return undefined
  // With the origin in front, a path that begins with two slashes does not lead elsewhere.
  const address = origin + pathname + search + hash
  // Encoded, a letter may take nine characters.
  return address.length > returnToLengthMax ? undefined : address
}
