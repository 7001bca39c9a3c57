/** /account: where somebody goes who came for nothing in particular */
import { visitor } from '../access/declarations.ts'
import { html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { heading } from './forms.ts'
import { sendPage } from './layout.ts'
import { home, type PageDependencies, viewOf } from './view.ts'

export const accountPage = (dependencies: PageDependencies) => async (app: App) => {
  app.get(home, { config: { access: visitor() }, schema: { hide: true } }, async (request, reply) => {
    if (!request.visitor) return reply.redirect(`/login?${new URLSearchParams({ returnTo: request.url })}`, 303)
    const view = await viewOf(dependencies, request, reply)
    const { title, lead, secondFactor, signOut } = view.texts.account
    const next = html`<p class="next"><a class="button" href="${view.to('/mfa/enroll')}">${secondFactor}</a></p><p class="next"><a class="button quiet" href="/oauth2/logout">${signOut}</a></p>`
    return sendPage(reply, view, { title, body: html`${heading(title, lead(request.visitor.caller.email ?? ''))}${next}` })
  })
}
