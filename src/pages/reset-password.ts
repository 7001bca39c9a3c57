/** /password/reset */
import { originOf } from '../access/caller.ts'
import type { StoredPolicy } from '../organisations/rules.ts'
import { findActionLink, type LinkTarget } from '../passwords/action-links.ts'
import { findPasswordPolicy } from '../passwords/inspect-link.ts'
import { PasswordReset } from '../passwords/schemas.ts'
import { html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { resetPassword } from '../users/reset-password.ts'
import { continueTo } from './continue-to.ts'
import { definePage } from './define-page.ts'
import { fixedEmail, hidden } from './fields.ts'
import type { FormState } from './form-state.ts'
import { formPage } from './forms.ts'
import { heading, type Page, sendPage } from './layout.ts'
import { chosenPassword, newPasswordField } from './password-fields.ts'
import { linkTokenOf, type PageDependencies, type View, viewOf } from './view.ts'

const NewPassword = PasswordReset.extend({ password: chosenPassword() })

export const resetPasswordPage = (dependencies: PageDependencies) => async (app: App) => {
  const { database } = dependencies

  definePage(app, dependencies, {
    path: '/password/reset',
    visit: async (request, reply) => {
      const link = await findActionLink(database, linkTokenOf(request), 'password_reset', 'password_change')
      const view = await viewOf(dependencies, request, reply, link?.organisationId)
      if (link) return { request, reply, view, link }
      sendPage(reply, view, invalidLink(view))
      return undefined
    },
    values: ({ request }) => ({ token: linkTokenOf(request) }),
    show: async ({ view, link }, form) => passwordForm(view, link, await findPasswordPolicy(database, link.organisationId), form),
    input: NewPassword,
    operation: ({ request, view }, input) => resetPassword(dependencies, originOf(request), input, view.language),
    done: ({ reply, view, link }) =>
      continueTo(reply, view.language, view.to('/login', { notice: 'password-set', login_hint: link.email, prompt: 'login' })),
  })
}

function passwordForm(view: View, { email, purpose, passwordBreachedAt }: LinkTarget, policy: StoredPolicy, form: FormState): Page {
  const { newPassword, reset } = view.texts
  return formPage(view, form, {
    title: reset.title,
    lead: purpose === 'password_change' ? (passwordBreachedAt ? reset.breached : reset.expired) : undefined,
    action: view.to('/password/reset'),
    fields: [hidden('token', form.values.token ?? ''), fixedEmail(view, email), newPasswordField(view, newPassword, policy)],
    submit: reset.submit,
  })
}

function invalidLink(view: View): Page {
  const { invalidTitle, invalid, again } = view.texts.reset
  return {
    status: 400,
    title: invalidTitle,
    body: html`
      ${heading(invalidTitle, invalid)}
      <p class="next"><a class="button" href="${view.to('/password/forgot')}">${again}</a></p>`,
  }
}
