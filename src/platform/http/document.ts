import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** JSON that is the same for all who read it, written once. */
export interface Document {
  readonly text: string
  /** Names what it says, so that a reader who has it need not be sent it again (RFC 9110 §8.8.3). */
  readonly etag: string
}

export const documentOf = (text: string): Document => ({
  text,
  etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`,
})

/** Answers with a document, or with 304 a reader who has it. Called without a promise, which would cost as much as all the rest. */
export function sendDocument(request: FastifyRequest, reply: FastifyReply, { text, etag }: Document, cacheControl: string): FastifyReply {
  reply.header('etag', etag).header('cache-control', cacheControl)
  const known = request.headers['if-none-match']
  if (known !== undefined && isAmong(etag, known)) return reply.code(304).send()
  return reply.header('content-type', 'application/json; charset=utf-8').send(text)
}

/** RFC 9110 §13.1.2: the comparison is weak. */
function isAmong(etag: string, known: string): boolean {
  return known.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')))
}
