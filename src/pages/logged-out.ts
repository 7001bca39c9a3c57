/** /logged-out */
import { html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { pageRoute } from './define-page.ts'
import { heading, sendPage } from './layout.ts'
import { type PageDependencies, viewOf } from './view.ts'

export const loggedOutPage = (dependencies: PageDependencies) => async (app: App) => {
  app.get('/logged-out', pageRoute, async (request, reply) => {
    const view = await viewOf(dependencies, request, reply)
    const { doneTitle, done, again } = view.texts.logout
    return sendPage(reply, view, {
      title: doneTitle,
      body: html`
        ${heading(doneTitle, done)}
        <p class="next"><a class="button quiet" href="${view.to('/login')}">${again}</a></p>`,
    })
  })
}
