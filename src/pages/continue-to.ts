import type { FastifyReply } from 'fastify'
import type { Departure } from '../connections/federation/authorization-url.ts'
import { sendFormPost } from '../platform/http/form-post.ts'
import { html } from '../platform/http/html.ts'
import { fallbackLanguage, type Language } from '../platform/language.ts'
import { catalogues } from './language.ts'

/**
 * Sends the browser on after a form. Browsers apply `form-action` to every redirect that follows a form, even to those of the application;
 * so where the redirects may leave this origin, a page that continues at once breaks the chain.
 */
export function continueTo(reply: FastifyReply, language: Language, path: string): FastifyReply {
  if (path.startsWith('/') && !/^\/(oauth2|federation)\//.test(path)) return reply.redirect(path, 303)
  const label = catalogues[language].continue
  const page = html`
    <!doctype html>
    <html lang="${language}">
    <head>
      <meta charset="utf-8">
      <meta http-equiv="refresh" content="0;url=${path}">
      <meta name="color-scheme" content="light dark">
      <title>${label}</title>
    </head>
    <body><main><h1><a href="${path}">${label}</a></h1></main></body>
    </html>`
  return reply.code(200).type('text/html; charset=utf-8').serializer(String).send(String(page))
}

/**
 * Sends the browser to an identity provider, by a form where that takes requests in no other way.
 *
 * @param follow leads to an address
 */
export function departTo(
  reply: FastifyReply,
  wanted: Language | undefined,
  { location, form }: Departure,
  follow: (reply: FastifyReply, address: string) => FastifyReply = (to, address) => to.redirect(address, 303),
): FastifyReply {
  reply.header('cache-control', 'no-store')
  if (!form) return follow(reply, location.href)
  const language = wanted ?? fallbackLanguage
  return sendFormPost(reply, { action: location.href, fields: form, language, label: catalogues[language].continue })
}
