/** /logged-out */
import { page } from '../access/declarations.ts'
import { html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { heading } from './forms.ts'
import { sendPage } from './layout.ts'
import { type PageDependencies, viewOf } from './view.ts'

export const loggedOutPage = (dependencies: PageDependencies) => async (app: App) => {
  app.get('/logged-out', { config: { access: page() }, schema: { hide: true } }, async (request, reply) => {
    const view = await viewOf(dependencies, request, reply)
    const { doneTitle, done, again } = view.texts.logout
    const next = html`<p class="next"><a class="button quiet" href="${view.to('/login')}">${again}</a></p>`
    return sendPage(reply, view, { title: doneTitle, body: html`${heading(doneTitle, done)}${next}` })
  })
}
