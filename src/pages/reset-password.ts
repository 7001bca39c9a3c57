/** /password/reset */
import { originOf } from '../access/caller.ts'
import { page } from '../access/declarations.ts'
import type { StoredPolicy } from '../organisations/rules.ts'
import { findActionLink, type LinkTarget } from '../passwords/action-links.ts'
import { findPasswordPolicy } from '../passwords/inspect-link.ts'
import { resetPassword } from '../passwords/reset-password.ts'
import { PasswordReset } from '../passwords/schemas.ts'
import { html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { button, emptyForm, errorSummary, type FormState, fixedEmail, formTo, goOn, heading, hidden, submit } from './forms.ts'
import { type Page, sendPage } from './layout.ts'
import { chosenPassword, newPasswordField } from './password-fields.ts'
import { formOf, type PageDependencies, queryOf, type View, viewOf } from './view.ts'

const NewPassword = PasswordReset.extend({ password: chosenPassword() })

export const resetPasswordPage = (dependencies: PageDependencies) => async (app: App) => {
  const { database } = dependencies
  const route = { config: { access: page() }, schema: { hide: true } }
  const linkOf = async (token = '') => findActionLink(database, token, 'password_reset', 'password_change')

  app.get('/password/reset', route, async (request, reply) => {
    const token = queryOf(request, 'token') ?? ''
    const link = await linkOf(token)
    const view = await viewOf(dependencies, request, reply, link?.organisationId)
    if (!link) return sendPage(reply, view, deadLink(view))
    return sendPage(reply, view, passwordForm(view, link, await findPasswordPolicy(database, link.organisationId), emptyForm({ token })))
  })

  app.post('/password/reset', route, async (request, reply) => {
    const link = await linkOf(formOf(request).token)
    const view = await viewOf(dependencies, request, reply, link?.organisationId)
    if (!link) return sendPage(reply, view, deadLink(view))
    const submission = await submit(dependencies, { request, reply, view }, NewPassword, (input) =>
      resetPassword(dependencies, originOf(request), input, view.language),
    )
    if (submission.done)
      return goOn(reply, view.language, view.to('/login', { notice: 'password-set', login_hint: link.email, prompt: 'login' }))
    return sendPage(reply, view, passwordForm(view, link, await findPasswordPolicy(database, link.organisationId), submission.form))
  })
}

function passwordForm(view: View, { email, purpose }: LinkTarget, policy: StoredPolicy, form: FormState): Page {
  const { texts } = view
  const fields = html`${hidden('token', form.values.token ?? '')}${fixedEmail(view, email)}${newPasswordField(view, form, texts.newPassword, policy)}${button(texts.reset.submit)}`
  return {
    status: form.status,
    title: texts.reset.title,
    hasErrors: form.messages.length > 0,
    body: html`${heading(texts.reset.title, purpose === 'password_change' ? texts.reset.expired : undefined)}${errorSummary(view, form)}${formTo(view, view.to('/password/reset'), fields)}`,
  }
}

function deadLink(view: View): Page {
  const { deadTitle, dead, again } = view.texts.reset
  return {
    status: 400,
    title: deadTitle,
    body: html`${heading(deadTitle, dead)}<p class="next"><a class="button" href="${view.to('/password/forgot')}">${again}</a></p>`,
  }
}
