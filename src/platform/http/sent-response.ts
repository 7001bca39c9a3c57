/** A request whose response has been sent, for logs and metrics. */
export interface SentResponse {
  requestId: string
  method: string
  /** The path without the query, which can contain tokens and codes. */
  path: string
  /** The pattern of the route; undefined when no route matched. */
  route: string | undefined
  status: number
  milliseconds: number
  /** Further facts about the request, such as the caller. */
  context?: Readonly<Record<string, unknown>> | undefined
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Calls back after every response. */
    onResponseSent(listener: (sent: SentResponse) => void): void
  }
}
