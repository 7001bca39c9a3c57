/** /password/forgot */
import { page } from '../access/declarations.ts'
import { askForLink } from '../passwords/ask-for-link.ts'
import { ForgottenPassword } from '../passwords/schemas.ts'
import { html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { button, emptyForm, errorSummary, type FormState, fieldOf, formTo, heading, submit } from './forms.ts'
import { type Page, sendPage } from './layout.ts'
import { type PageDependencies, queryOf, signInViewOf, type View } from './view.ts'

export const forgotPasswordPage = (dependencies: PageDependencies) => async (app: App) => {
  const route = { config: { access: page() }, schema: { hide: true } }

  app.get('/password/forgot', route, async (request, reply) => {
    const view = await signInViewOf(dependencies, request, reply)
    return sendPage(reply, view, addressForm(view, emptyForm({ email: queryOf(request, 'login_hint') ?? '' })))
  })

  app.post('/password/forgot', route, async (request, reply) => {
    const view = await signInViewOf(dependencies, request, reply)
    const submission = await submit(dependencies, { request, reply, view }, ForgottenPassword, async ({ email }) => {
      await askForLink(dependencies, request, email, view.language)
      return email
    })
    return sendPage(reply, view, submission.done ? linkSent(view, submission.result) : addressForm(view, submission.form))
  })
}

function addressForm(view: View, form: FormState): Page {
  const { texts } = view
  const field = fieldOf(form, { name: 'email', label: texts.email, type: 'email', autocomplete: 'username', first: true })
  return {
    status: form.status,
    title: texts.forgot.title,
    hasErrors: form.messages.length > 0,
    body: html`${heading(texts.forgot.title, texts.forgot.lead)}${errorSummary(view, form)}${formTo(view, view.to('/password/forgot'), html`${field}${button(texts.forgot.submit)}`)}${backToSignIn(view)}`,
  }
}

function linkSent(view: View, email: string): Page {
  const { sentTitle, sent, sentHint } = view.texts.forgot
  return { title: sentTitle, body: html`${heading(sentTitle, sent(email))}<p class="lead">${sentHint}</p>${backToSignIn(view)}` }
}

const backToSignIn = (view: View) => html`<p class="after"><a href="${view.to('/login')}">${view.texts.backToSignIn}</a></p>`
