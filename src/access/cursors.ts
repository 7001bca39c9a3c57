import type { FastifyRequest, RouteOptions } from 'fastify'
import { z } from 'zod'
import type { Keyring } from '../platform/crypto/keyring.ts'
import { sameSecret } from '../platform/crypto/secrets.ts'
import { knownFieldsOf } from '../platform/http/known-fields.ts'
import { invalidInput } from '../platform/http/problem.ts'
import { invalidCursor } from '../platform/http/refusals.ts'
import { type App, pathOf } from '../platform/http/server.ts'
import type { Caller } from './caller.ts'

type Input = Record<string, unknown> & { cursor?: string }

/**
 * Opens the cursors of requests and seals those of responses, for all routes that are registered afterwards: a handler reads and
 * returns the position itself. A cursor is valid for the list that returned it, for the same owner, in the same order and with
 * the same filters. Any other cursor is refused before the handler runs.
 */
export function sealCursors(app: App, keyring: Keyring): void {
  const sealOf = (request: FastifyRequest, { cursor: _, limit: __, ...asked }: Input, position: string) =>
    keyring.hmac('cursor', JSON.stringify([pathOf(request), ownerOf(request), asked, position]))

  app.addHook('onRoute', (route) => {
    const part = partWithCursor(route)
    if (!part) return
    const inputOf = (request: FastifyRequest) => request[part] as Input

    route.preHandler = [
      (request, _reply, done) => {
        const input = inputOf(request)
        if (input.cursor === undefined) return done()
        const [encoded = '', seal = ''] = input.cursor.split('.')
        const position = Buffer.from(encoded, 'base64url').toString()
        const isWhole = input.cursor === `${encode(position)}.${seal}`
        if (!isWhole || !sameSecret(seal, sealOf(request, input, position))) return done(invalidInput([invalidCursor(['cursor'])]))
        input.cursor = position
        done()
      },
      ...[route.preHandler ?? []].flat(),
    ]
    route.preSerialization = [
      (request, _reply, payload, done) => {
        const { nextCursor } = payload as { nextCursor?: string | null }
        if (typeof nextCursor !== 'string') return done(null, payload)
        done(null, { ...(payload as object), nextCursor: `${encode(nextCursor)}.${sealOf(request, inputOf(request), nextCursor)}` })
      },
      ...[route.preSerialization ?? []].flat(),
    ]
  })
}

/** The owner of the requested list: the signed-in user, the organisation or the operator. */
function ownerOf(request: FastifyRequest & { caller?: Caller }): string {
  const { caller } = request
  if (caller?.kind === 'user' && request.routeOptions.config.access?.kind === 'self') return caller.session.userId
  return caller?.organisationId ?? 'operator'
}

const encode = (position: string) => Buffer.from(position).toString('base64url')

function partWithCursor({ schema = {} }: RouteOptions): 'query' | 'body' | undefined {
  const { querystring, body } = schema as Record<string, unknown>
  const takesCursor = (part: unknown) => {
    const known = part instanceof z.ZodType ? knownFieldsOf(part) : undefined
    return known !== undefined && 'fields' in known && known.fields.has('cursor')
  }
  if (takesCursor(querystring)) return 'query'
  return takesCursor(body) ? 'body' : undefined
}
