import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../platform/http/html.ts'
import type { ProvenRedirectUri } from '../protocol/redirect-uri.ts'
import { forbidStoring } from '../protocol/write-refusals.ts'
import type { ResponseMode } from './authorization-request.ts'

/** The target of a response, and how it is sent. */
export interface ResponseTarget {
  redirectUri: ProvenRedirectUri
  responseMode: ResponseMode
  state: string | undefined
}

const submit = 'document.forms[0].submit()'
// No form-action: browsers also apply it to the application's later redirects.
const policy = `default-src 'none'; script-src 'sha256-${createHash('sha256').update(submit).digest('base64')}'; base-uri 'none'; frame-ancestors 'none'`

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
  if (responseMode === 'query') return reply.redirect(withParameters(redirectUri, parameters), reply.request.method === 'POST' ? 303 : 302)
  return reply
    .header('content-security-policy', policy)
    .type('text/html; charset=utf-8')
    .serializer(String)
    .send(String(formPost(redirectUri, parameters)))
}

/** Adds parameters to the query of a URI, which otherwise stays exactly as it was registered. */
export function withParameters(uri: string, parameters: Record<string, string>): string {
  const query = new URLSearchParams(parameters).toString()
  if (query === '') return uri
  return `${uri}${uri.includes('?') ? '&' : '?'}${query}`
}

function formPost(redirectUri: ProvenRedirectUri, parameters: Record<string, string>): Html {
  const fields = Object.entries(parameters).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Continue</title></head><body><form method="post" action="${redirectUri}">${fields}<noscript><button>Continue</button></noscript></form>${script}</body></html>`
}

const script = html`<script>document.forms[0].submit()</script>`
