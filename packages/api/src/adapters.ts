import { AccessRefused, problemOf } from './errors.ts'
import type { IncomingRequest } from './requests.ts'
import type { Access, Requirements } from './requirements.ts'
import type { Verifier } from './verifier.ts'

declare global {
  // The types of Express merge with this: its own requests have `auth`, too.
  namespace Express {
    interface Request {
      auth?: Access
    }
  }
}

/** What the adapters add to the request. For Fastify: `declare module 'fastify' { interface FastifyRequest extends AuthOf {} }`. */
export interface AuthOf {
  auth?: Access
}

interface NodeRequest extends IncomingRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>
}

interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown
  end(body: string): unknown
}

export type ExpressMiddleware = (request: NodeRequest & AuthOf, response: NodeResponse, next: (error?: unknown) => void) => void

interface FastifyReply {
  code(status: number): FastifyReply
  headers(headers: Record<string, string>): FastifyReply
  send(body: unknown): unknown
}

export type FastifyPreHandler = (request: NodeRequest & AuthOf, reply: FastifyReply) => Promise<unknown>

interface HonoContext {
  req: { raw: Request }
  set(name: string, value: unknown): void
}

export type HonoMiddleware = (context: HonoContext, next: () => Promise<void>) => Promise<Response | undefined>

const headersOf = (refused: AccessRefused): Record<string, string> => ({
  ...Object.fromEntries(refused.headers),
  'cache-control': 'no-store',
  'content-type': 'application/problem+json',
})

export const forExpress =
  (verify: Verifier['verify'], requirements?: Requirements): ExpressMiddleware =>
  (request, response, next) => {
    verify(request, requirements).then(
      (access) => {
        request.auth = access
        next()
      },
      (error: unknown) => {
        if (!(error instanceof AccessRefused)) return next(error)
        response.writeHead(error.status, headersOf(error))
        response.end(JSON.stringify(problemOf(error)))
      },
    )
  }

export const forFastify =
  (verify: Verifier['verify'], requirements?: Requirements): FastifyPreHandler =>
  async (request, reply) => {
    try {
      request.auth = await verify(request, requirements)
    } catch (error) {
      if (!(error instanceof AccessRefused)) throw error
      return reply
        .code(error.status)
        .headers(headersOf(error))
        .send(JSON.stringify(problemOf(error)))
    }
  }

export const forHono =
  (verify: Verifier['verify'], requirements?: Requirements): HonoMiddleware =>
  async (context, next) => {
    try {
      context.set('auth', await verify(context.req.raw, requirements))
    } catch (error) {
      if (!(error instanceof AccessRefused)) throw error
      return error.toResponse()
    }
    await next()
  }
