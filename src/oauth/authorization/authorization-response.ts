import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendFormPost } from '../../platform/http/form-post.ts'
import type { ProvenRedirectUri } from '../protocol/redirect-uri.ts'
import { forbidStoring } from '../protocol/write-refusals.ts'
import type { ResponseMode } from './authorization-request.ts'

/** The target of a response, and how it is sent. */
export interface ResponseTarget {
  redirectUri: ProvenRedirectUri
  responseMode: ResponseMode
  state: string | undefined
}

/** Sends the browser back to the application with a response: RFC 6749 §4.1.2, OAuth 2.0 Form Post Response Mode. */
export function sendResponse(
  reply: FastifyReply,
  issuer: string,
  { redirectUri, responseMode, state }: ResponseTarget,
  response: Record<string, string>,
): FastifyReply {
  // The issuer tells a client of several servers which of them responds (RFC 9207).
  const parameters = { ...response, ...(state !== undefined && { state }), iss: issuer }
  forbidStoring(reply)
  if (responseMode === 'query') return reply.redirect(withParameters(redirectUri, parameters), redirectStatus(reply.request))
  return sendFormPost(reply, { action: redirectUri, fields: parameters, language: 'en', label: 'Continue' })
}

/** After a form, a browser that follows a 302 may send the form along, with what it holds (RFC 9700 §4.12). */
export const redirectStatus = ({ method }: FastifyRequest): 302 | 303 => (method === 'POST' ? 303 : 302)

/** Adds parameters to the query of a URI, which otherwise stays exactly as it was registered. */
export function withParameters(uri: string, parameters: Record<string, string>): string {
  const query = new URLSearchParams(parameters).toString()
  if (query === '') return uri
  return `${uri}${uri.includes('?') ? '&' : '?'}${query}`
}
