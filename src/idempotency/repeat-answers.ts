import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Caller } from '../access/caller.ts'
import type { Keyring } from '../platform/crypto/keyring.ts'
import type { Database, HeldWork } from '../platform/database/database.ts'
import { tryLockIdempotencyKey } from '../platform/database/locks-and-channels.ts'
import type { App } from '../platform/http/app.ts'
import { type Answer, findAnswer, storeAnswer } from './answers.ts'
import { idempotencyKeyInUse, idempotencyKeyInvalid, idempotencyKeyReused } from './refusals.ts'

const keyPattern = /^[\x21-\x7e]{1,255}$/
/** What else of an answer a client may need. */
const repeatedHeaders = ['content-type', 'etag', 'location', 'x-ignored-fields'] as const

/** A request whose answer is stored with its changes. */
interface Keyed {
  id: string
  request: string
  work: HeldWork
}

/** Lets requests to the routes that are registered afterwards carry an `Idempotency-Key`. */
export function repeatAnswers(app: App, { database, keyring }: { database: Database; keyring: Keyring }): void {
  const keyed = new WeakMap<FastifyRequest, Keyed>()

  app.addHook('onRoute', (route) => {
    if (!takesIdempotencyKey(route)) return
    route.preHandler = [...[route.preHandler ?? []].flat(), begin]
    route.onSend = [...[route.onSend ?? []].flat(), end]
  })

  // In the form of a callback: what follows has to run within the held work.
  function begin(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    const key = request.headers['idempotency-key']
    if (key === undefined) done()
    else if (typeof key === 'string' && keyPattern.test(key)) prepareKeyed(request, reply, key).then((work) => work?.run(done), done)
    else done(idempotencyKeyInvalid())
  }

  /** @returns undefined when it has repeated the first answer */
  async function prepareKeyed(request: FastifyRequest, reply: FastifyReply, key: string): Promise<HeldWork | undefined> {
    const id = hash([callerOf(request), key])
    const fingerprint = hash([request.method, request.url, request.body ?? null])
    const answer = await findAnswer(database.system(), keyring, id)
    if (answer) {
      if (answer.request !== fingerprint) throw idempotencyKeyReused()
      putHead(reply, answer).serializer(String).send(answer.body)
      return undefined
    }
    const work = database.holdCommit(async (system) => {
      if (!(await tryLockIdempotencyKey(system, id))) throw idempotencyKeyInUse()
      // The first request has been answered meanwhile: `end` finds its answer.
      if (await findAnswer(system, keyring, id)) throw idempotencyKeyInUse()
    })
    keyed.set(request, { id, request: fingerprint, work })
    return work
  }

  async function end(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
    const found = keyed.get(request)
    if (!found) return payload
    keyed.delete(request)
    const { id, work } = found
    if (reply.statusCode >= 400) {
      // Counted failures are changes, too.
      await work.commit()
      return (await answerOfFirst(found, reply)) ?? payload
    }
    const body = textOf(payload)
    if (body === undefined) {
      await work.commit()
      return payload
    }
    const headers = repeatedHeaders.flatMap((name) => (reply.hasHeader(name) ? [[name, String(reply.getHeader(name))]] : []))
    const answer = { request: found.request, status: reply.statusCode, headers: Object.fromEntries(headers), body }
    await work.commit((system) => storeAnswer(system, keyring, id, answer))
    return payload
  }

  /** A request may fail only because the first one with its key has succeeded meanwhile. */
  async function answerOfFirst({ id, request }: Keyed, reply: FastifyReply): Promise<string | undefined> {
    const answer = await findAnswer(database.system(), keyring, id)
    if (answer?.request !== request) return undefined
    reply.removeHeader('retry-after')
    putHead(reply, answer)
    return answer.body
  }
}

export const takesIdempotencyKey = ({ method, url, config }: Pick<RouteOptions, 'method' | 'url' | 'config'>): boolean =>
  ['POST', 'PATCH'].some((one) => [method].flat().includes(one)) && /^\/v1\/(admin|system)\//.test(url) && !config?.readsOnly

const putHead = (reply: FastifyReply, { status, headers }: Answer) =>
  reply.code(status).headers(headers).header('idempotent-replayed', 'true')

/** Whose key it is: two callers may choose the same one. */
function callerOf(request: FastifyRequest & { caller?: Caller }): string[] {
  const { caller } = request
  return caller ? [caller.organisationId, caller.kind, caller.actor.actorId ?? ''] : ['operator']
}

const hash = (parts: unknown) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

/** Undefined for a stream, which is sent once: its changes commit all the same. */
function textOf(payload: unknown): string | undefined {
  if (payload === undefined || payload === null) return ''
  if (typeof payload === 'string') return payload
  return Buffer.isBuffer(payload) ? payload.toString() : undefined
}
