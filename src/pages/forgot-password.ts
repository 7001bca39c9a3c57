/** /password/forgot */
import { askForLink } from '../passwords/ask-for-link.ts'
import { ForgottenPassword } from '../passwords/schemas.ts'
import { html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { definePage } from './define-page.ts'
import type { FormState } from './form-state.ts'
import { formPage } from './forms.ts'
import { heading, type Page, sendPage } from './layout.ts'
import { type PageDependencies, queryOf, signInViewOf, type View } from './view.ts'

export const forgotPasswordPage = (dependencies: PageDependencies) => async (app: App) => {
  definePage(app, dependencies, {
    path: '/password/forgot',
    visit: async (request, reply) => ({ request, reply, view: await signInViewOf(dependencies, request, reply) }),
    values: ({ request }) => ({ email: queryOf(request, 'login_hint') ?? '' }),
    show: ({ view }, form) => addressForm(view, form),
    input: ForgottenPassword,
    operation: async ({ request, view }, { email }) => {
      await askForLink(dependencies, request, email, view.language)
      return email
    },
    done: ({ reply, view }, email) => sendPage(reply, view, linkSent(view, email)),
  })
}

function addressForm(view: View, form: FormState): Page {
  const { texts } = view
  return formPage(view, form, {
    title: texts.forgot.title,
    lead: texts.forgot.lead,
    action: view.to('/password/forgot'),
    fields: [{ name: 'email', label: texts.email, type: 'email', autocomplete: 'username', first: true }],
    submit: texts.forgot.submit,
    after: backToSignIn(view),
  })
}

function linkSent(view: View, email: string): Page {
  const { sentTitle, sent, sentHint } = view.texts.forgot
  return {
    title: sentTitle,
    body: html`
      ${heading(sentTitle, sent(email))}
      <p class="lead">${sentHint}</p>
      ${backToSignIn(view)}`,
  }
}

const backToSignIn = (view: View) => html`<p class="after"><a href="${view.to('/login')}">${view.texts.backToSignIn}</a></p>`
