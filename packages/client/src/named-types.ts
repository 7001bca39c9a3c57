import type { operations } from './schema.ts'

/** What every call takes besides its input. */
export interface CallOptions {
  signal?: AbortSignal
  /** The `ETag` of the record that is to be changed: refused with `precondition-failed` when it has changed since. */
  ifMatch?: string
  /** The languages for a mail that this may send, as browsers name them (`Accept-Language`). */
  languages?: string
}

/** What a change takes which the service makes once, however often it is sent. */
export interface KeyedCallOptions extends CallOptions {
  /** The same key is answered as the first time for 24 hours. By default each call has a key of its own. */
  idempotencyKey?: string
}

type Contents<Responses> = Responses[Extract<keyof Responses, 200 | 201 | 202 | 204>]

/** The body of a response to the operation; undefined where there is none. */
export type AnswerOf<Id extends keyof operations> =
  Contents<operations[Id]['responses']> extends { content: { 'application/json': infer Body } } ? Body : undefined

/** The body that the operation takes. */
export type BodyOf<Id extends keyof operations> = operations[Id] extends { requestBody?: { content: { 'application/json': infer Body } } }
  ? Body
  : never

type NamedSearch<Query> = { [Name in keyof Query as Name extends 'q' ? 'search' : Name]: Query[Name] }

/** The parameters of the operation; `q` is called `search`. */
export type QueryOf<Id extends keyof operations> = NamedSearch<NonNullable<operations[Id]['parameters']['query']>>

/** A list: `for await` goes through all its records, page by page; `page()` gets one page. */
export interface List<Page extends { data: unknown[] }> extends AsyncIterable<Page['data'][number]> {
  /** One page: the first one, or that of `cursor`. `nextCursor` leads to the next one. */
  page(): Promise<Page>
}
