import createApi, { type Client as Api, defaultPathSerializer } from 'openapi-fetch'
import { namedOperations, type SendOperation } from './named-operations.ts'
import type { NamedOperations } from './operations.ts'
import type { paths } from './schema.ts'
import { createTransport, type Logger } from './transport.ts'

/** By what the client acts; exactly one of them. */
export type Credentials =
  /** A key of one organisation (`ak_…`), for `/v1/admin`. */
  | { apiKey: string; systemApiKey?: never; cookie?: never }
  /** The operator's key (`SYSTEM_API_KEY`), for `/v1/system` and `/v1/organisations`. */
  | { systemApiKey: string; apiKey?: never; cookie?: never }
  /** The header `Cookie` with the session of a user, as their browser has sent it. The client gets the CSRF token by itself. */
  | { cookie: string; apiKey?: never; systemApiKey?: never }

export type ClientOptions = Credentials & {
  /** The address of the Gatehouse installation. */
  url: string
  /** The organisation that is meant: what the credentials open of another one is refused with `organisation-mismatch`. */
  organisationId?: string
  /** Gets a `Request`; the `fetch` of the platform by default. */
  fetch?: (request: Request) => Promise<Response>
  /** How often a request is sent again, at most; 3 by default. */
  retries?: 0 | 1 | 2 | 3
  /** Milliseconds since 1970, for a `Retry-After` that is a date; the clock of the machine by default. */
  clock?: () => number
  /** Hears of each request that is sent again and why; never of keys, queries and bodies. */
  logger?: Logger
}

/** The methods of openapi-fetch, by path: they resolve to `{ data, error, response }`, where `error` is a problem. */
export type ApiMethods = Pick<Api<paths>, 'GET' | 'POST' | 'PATCH' | 'DELETE'>

export interface Client extends ApiMethods, NamedOperations {}

/**
 * Makes a client of the API. It sends nothing before the first call.
 *
 * Its operations throw GatehouseRefused, whose `code` says why; those by path do so only if no response arrives.
 *
 * @throws TypeError without a URL, or without exactly one kind of credentials
 *
 * @example
 * const client = createClient({ url: 'https://id.example.com', apiKey })
 * for await (const user of client.users.list({ search: 'anna' })) console.log(user.email)
 */
export function createClient(options: ClientOptions): Client {
  const { organisationId, fetch = (request) => globalThis.fetch(request), retries = 3, clock = Date.now, logger } = options
  const url = options.url.replace(/\/+$/, '')
  if (!/^https?:$/.test(new URL(url).protocol)) throw new TypeError('url is not that of a service')
  const transport = createTransport({
    url,
    headers: headersOf(options),
    hasSession: options.cookie !== undefined,
    organisationId,
    fetch,
    retries: Math.min(3, retries),
    clock,
    logger,
  })
  // A redirect would take the key to another address.
  const api = createApi<paths>({ baseUrl: url, fetch: transport, redirect: 'manual', pathSerializer: pathOf })
  const { GET, POST, PATCH, DELETE } = api
  return { GET, POST, PATCH, DELETE, ...namedOperations(api.request as unknown as SendOperation, clock) }
}

/** @throws TypeError for an id by which the path would lead to another operation: a URL resolves `.` and `..`, however they are encoded */
function pathOf(path: string, ids: Record<string, unknown>): string {
  for (const [name, id] of Object.entries(ids)) if (id === '.' || id === '..') throw new TypeError(`${path}: ${name} is no id`)
  return defaultPathSerializer(path, ids)
}

/** An empty one is a variable that is not set: it would make every request anonymous. */
function headersOf({ apiKey, systemApiKey, cookie }: ClientOptions): Record<string, string> {
  const [given, ...others] = [apiKey, systemApiKey, cookie].filter((one) => one !== undefined)
  if (!given || others.length > 0) throw new TypeError('Exactly one of apiKey, systemApiKey and cookie is needed')
  return cookie === undefined ? { authorization: `Bearer ${given}` } : { cookie }
}
