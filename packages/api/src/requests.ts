/** The request of any framework. */
export interface IncomingRequest {
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** This and the address are needed for DPoP alone. */
  method?: string
  url?: string
  /** In Express, the path before routers have shortened it. */
  originalUrl?: string
  /** The connection, in Node. */
  socket?: unknown
}

/** Libraries have classes of their own. */
const isOfFetch = (headers: IncomingRequest['headers']): headers is Headers => typeof headers.get === 'function'

/** @returns undefined for one that is missing or empty; a list for one that Node keeps apart */
export function headerOf({ headers }: IncomingRequest, name: string): string | readonly string[] | undefined {
  const found = isOfFetch(headers) ? headers.get(name) : headers[name]
  return found === null || found === '' ? undefined : found
}

/** @returns undefined also for a list: which one is meant is not known */
export function onlyHeaderOf(request: IncomingRequest, name: string): string | undefined {
  // Node has the names in lower case.
  const found = headerOf(request, name.toLowerCase())
  return typeof found === 'string' ? found : undefined
}
