import { createHash } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A text that is the same for all readers and is serialised once. */
export interface Document {
  readonly text: string
  /** Identifies the content, so that a reader who has it need not be sent it again (RFC 9110 §8.8.3). */
  readonly etag: string
}

export const documentOf = (text: string): Document => ({
  text,
  etag: entityTagOf(text),
})

/** Returns a strong entity tag (RFC 9110 §8.8.3) of the text. */
export const entityTagOf = (text: string): string => `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`

/** Returns the current version of a document; a promise while it has to be read. */
export type CurrentDocument = () => Document | Promise<Document>

/** Sends a document, or 304 to a reader who has it. Use the callback form: a promise would cost as much as all the rest. */
export function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  current: CurrentDocument,
  cacheControl: string,
): FastifyReply | Promise<FastifyReply> {
  const document = current()
  if (document instanceof Promise) return document.then((read) => send(request, reply, current, read, cacheControl))
  return send(request, reply, current, document, cacheControl)
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  current: CurrentDocument,
  document: Document,
  cacheControl: string,
): FastifyReply {
  const { text, etag } = document
  reply.header('etag', etag).header('cache-control', cacheControl)
  if (isKnownTo(request, document)) return reply.code(304).send()
  reply.header('content-type', 'application/json; charset=utf-8')
  request.server.repeatedDocuments.remember(request, reply.getHeaders() as OutgoingHttpHeaders, current, document)
  return reply.send(text)
}

/** Whether the reader has the document already. RFC 9110 §13.1.2: the comparison is weak. */
export function isKnownTo({ headers }: FastifyRequest, { etag }: Document): boolean {
  const known = headers['if-none-match']
  return known?.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, ''))) ?? false
}
