/** A request whose response has been sent, for logs and metrics. */
export interface SentResponse {
  requestId: string
  method: string
  /** Without the query: it can hold tokens and codes. */
  path: string
  /** The pattern of the route; undefined where there is none. */
  route: string | undefined
  status: number
  milliseconds: number
  /** What is known of it besides, such as who called. */
  context?: Readonly<Record<string, unknown>> | undefined
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Calls back after every response. */
    onResponseSent(listener: (sent: SentResponse) => void): void
  }
}
