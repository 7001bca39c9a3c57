/** /: leads to the console or the account, and a program to the description of the API */
import type { App } from '../platform/http/server.ts'
import { mayAdminister } from './account-visit.ts'
import { pageRoute } from './define-page.ts'
import { home, inChosenLanguage, landing, type PageDependencies } from './view.ts'

export const landingPage = (_dependencies: PageDependencies) => async (app: App) => {
  app.get(landing, pageRoute, async (request, reply) => {
    const { headers, browserSession } = request
    reply.header('vary', 'Origin, Accept, Cookie')
    if (!/\btext\/html\b/.test(headers.accept ?? '')) return reply.redirect('/openapi.json', 302)
    if (!browserSession) return reply.redirect(inChosenLanguage(request, '/login'), 302)
    return reply.redirect(mayAdminister(browserSession.caller) ? '/console' : inChosenLanguage(request, home), 302)
  })
}
