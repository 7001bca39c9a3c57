/** /email/verify: what scans mails opens their links, so only the button uses the link up */
import { originOf } from '../access/caller.ts'
import { page } from '../access/declarations.ts'
import { findActionLink } from '../passwords/action-links.ts'
import { LinkToken } from '../passwords/schemas.ts'
import { verifyEmail } from '../passwords/verify-email.ts'
import { html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { button, emptyForm, errorSummary, type FormState, fixedEmail, formTo, heading, hidden, submit } from './forms.ts'
import { type Page, sendPage } from './layout.ts'
import { formOf, type PageDependencies, queryOf, type View, viewOf } from './view.ts'

export const verifyEmailPage = (dependencies: PageDependencies) => async (app: App) => {
  const { database } = dependencies
  const route = { config: { access: page() }, schema: { hide: true } }

  app.get('/email/verify', route, async (request, reply) => {
    const token = queryOf(request, 'token') ?? ''
    const link = await findActionLink(database, token, 'email_verification')
    const view = await viewOf(dependencies, request, reply, link?.organisationId)
    return sendPage(reply, view, link ? confirmation(view, link.email, emptyForm({ token })) : deadLink(view))
  })

  app.post('/email/verify', route, async (request, reply) => {
    const link = await findActionLink(database, formOf(request).token ?? '', 'email_verification')
    const view = await viewOf(dependencies, request, reply, link?.organisationId)
    if (!link) return sendPage(reply, view, deadLink(view))
    const submission = await submit(dependencies, { request, reply, view }, LinkToken, ({ token }) =>
      verifyEmail(database, originOf(request), token),
    )
    return sendPage(reply, view, submission.done ? confirmed(view) : confirmation(view, link.email, submission.form))
  })
}

function confirmation(view: View, email: string, form: FormState): Page {
  const { title, lead, submit } = view.texts.verification
  const fields = html`${hidden('token', form.values.token ?? '')}${fixedEmail(view, email)}${button(submit)}`
  return {
    status: form.status,
    title,
    hasErrors: form.messages.length > 0,
    body: html`${heading(title, lead)}${errorSummary(view, form)}${formTo(view, view.to('/email/verify'), fields)}`,
  }
}

function confirmed(view: View): Page {
  const { doneTitle, done } = view.texts.verification
  return { title: doneTitle, body: heading(doneTitle, done) }
}

function deadLink(view: View): Page {
  const { deadTitle, dead } = view.texts.verification
  return { status: 400, title: deadTitle, body: heading(deadTitle, dead) }
}
