import { GatehouseRefused, refusalIn } from './errors.ts'
import type { KeyedCallOptions } from './named-types.ts'
import { type NamedOperations, ways } from './operations.ts'

interface Init {
  params: { path: Record<string, string>; query: Record<string, unknown> }
  body: unknown
  headers: Record<string, string | undefined>
  signal: AbortSignal | null
  parseAs: 'json' | 'stream'
}

/** `request` of openapi-fetch, for an operation that is known only here. */
export type SendOperation = (method: string, path: string, init: Init) => Promise<{ data?: unknown; error?: unknown; response: Response }>

type Input = Record<string, unknown>

/** Records of a page that is asked for without a number. */
const pageSize = 100

/** Makes the named operations: a function for each, which throws GatehouseRefused unless it succeeds. */
export function namedOperations(send: SendOperation, clock: () => number): NamedOperations {
  return mapped(ways, (group) => mapped(group, (way) => operation(way, send, clock))) as unknown as NamedOperations
}

function mapped<Value>(record: Readonly<Record<string, Value>>, map: (value: Value) => unknown) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))
}

function operation(way: string, send: SendOperation, clock: () => number) {
  const [method = '', path = '', kind] = way.split(' ')
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)

  return (...given: unknown[]) => {
    const idsGiven = given.slice(0, ids.length)
    // An empty one would address the list in place of the record.
    const missing = ids.find((_, index) => typeof idsGiven[index] !== 'string' || idsGiven[index] === '')
    if (missing !== undefined) throw new TypeError(`${way}: ${missing} is missing`)
    const takesInput = kind !== undefined
    const input = takesInput ? (given[ids.length] as Input | undefined) : undefined
    const options = given[ids.length + (takesInput ? 1 : 0)] as KeyedCallOptions | undefined
    const call = (changed: Input = {}) =>
      answerTo(send, clock, {
        method,
        path,
        init: {
          params: {
            path: Object.fromEntries(ids.map((name, index) => [name, String(idsGiven[index])])),
            query: kind === 'body' ? {} : queryOf({ ...input, ...changed }),
          },
          body: kind === 'body' ? input : undefined,
          headers: headersOf(options),
          signal: options?.signal ?? null,
          parseAs: kind === 'stream' ? 'stream' : 'json',
        },
      })
    return kind === 'list' ? list(call, input?.limit) : call()
  }
}

/** The letter `q` says nothing in a program. */
const queryOf = ({ search, ...query }: Input): Input => (search === undefined ? query : { ...query, q: search })

const headersOf = ({ idempotencyKey, ifMatch, languages }: KeyedCallOptions = {}) => ({
  'idempotency-key': idempotencyKey,
  'if-match': ifMatch,
  'accept-language': languages,
})

async function answerTo(
  send: SendOperation,
  clock: () => number,
  { method, path, init }: { method: string; path: string; init: Init },
): Promise<unknown> {
  const { data, error, response } = await send(method, path, init).catch((cause: unknown) => {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new GatehouseRefused({ code: 'unexpected-response', status: 200, detail: 'The response cannot be read', cause })
  })
  if (!response.ok) throw refusalIn(response, error, clock())
  return init.parseAs === 'stream' ? response : data
}

interface Page {
  data: unknown[]
  nextCursor?: string | null
}

function list(call: (changed: Input) => Promise<unknown>, limit: unknown = pageSize) {
  const page = (from: { cursor?: string } = {}) => call({ limit, ...from }) as Promise<Page>
  return {
    page: () => page(),
    async *[Symbol.asyncIterator]() {
      let last: Page = await page()
      yield* last.data
      while (last.nextCursor) {
        last = await page({ cursor: last.nextCursor })
        yield* last.data
      }
    },
  }
}
