/** /console: the console for administrators, a program in the browser that calls the API */
import type { FastifyError, FastifyReply } from 'fastify'
import { publicAccess } from '../access/declarations.ts'
import { fullSessionOf } from '../pages/account-visit.ts'
import { pageRoute } from '../pages/define-page.ts'
import { sendErrorPage } from '../pages/error-page.ts'
import { chooseLanguage } from '../pages/language.ts'
import { heading, sendPage } from '../pages/layout.ts'
import { parseReturnTo } from '../pages/return-to.ts'
import { type PageDependencies, type View, viewOf } from '../pages/view.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { isKnownTo } from '../platform/http/document.ts'
import { noSuchAddress } from '../platform/http/refusals.ts'
import { type App, pathOf } from '../platform/http/server.ts'
import { valuesByQuality } from '../platform/quality-values.ts'
import { type Asset, type BuiltConsole, readBuiltConsole } from './built-files.ts'

const address = '/console'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

export const consoleRoutes = defineRoutes(address, async (app, dependencies: PageDependencies) => {
  const findBuilt = onceFound(readBuiltConsole)

  app.get('/assets/*', { config: { access: publicAccess() }, schema: { hide: true } }, async (request, reply) => {
    const built = await findBuilt()
    const asset = built?.assets.get(pathOf(request).slice(address.length + 1))
    if (!asset) throw noSuchAddress()
    return sendAsset(reply, asset, request.headers['accept-encoding'])
  })

  await app.register(async (pages: App) => {
    pages.setErrorHandler((error: FastifyError, request, reply) => sendErrorPage(dependencies, request, reply, error))
    for (const path of ['', '/*']) {
      pages.get(path, pageRoute, async (request, reply) => {
        const built = await findBuilt()
        if (!built) return sendHowToBuild(reply, await viewOf(dependencies, request, reply))
        if (!fullSessionOf(request, reply, parseReturnTo(request.url) ?? address)) return reply
        const language = chooseLanguage(undefined, request.headers['accept-language'])
        const page = built.index[language]
        reply
          .header('content-security-policy', policy)
          .header('content-language', language)
          .header('vary', 'accept-language, cookie')
          .header('cache-control', 'no-cache')
          .header('etag', page.etag)
        if (isKnownTo(request, page)) return reply.code(304).send()
        return reply.type('text/html; charset=utf-8').serializer(String).send(page.text)
      })
    }
  })
})

/** Caches what was found. While nothing is found, each request searches again. */
function onceFound(find: () => Promise<BuiltConsole | undefined>): typeof find {
  let finding: Promise<BuiltConsole | undefined> | undefined
  return async () => {
    finding ??= find()
    try {
      const found = await finding
      if (!found) finding = undefined
      return found
    } catch (error) {
      finding = undefined
      throw error
    }
  }
}

function sendAsset(reply: FastifyReply, asset: Asset, acceptEncoding = ''): FastifyReply {
  const accepted = valuesByQuality(acceptEncoding.toLowerCase())
  const encoding = (['br', 'gzip'] as const).find((known) => accepted.includes(known))
  if (encoding) reply.header('content-encoding', encoding)
  return reply
    .header('vary', 'accept-encoding')
    .header('cache-control', 'public, max-age=31536000, immutable')
    .header('cross-origin-resource-policy', 'same-origin')
    .type(asset.type)
    .send(asset[encoding ?? 'plain'])
}

function sendHowToBuild(reply: FastifyReply, view: View): FastifyReply {
  const { title, lead } = view.texts.consoleNotBuilt
  return sendPage(reply, view, { status: 503, title, body: heading(title, lead) })
}
