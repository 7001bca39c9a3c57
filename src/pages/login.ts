/** /login */
import type { FastifyReply } from 'fastify'
import { originOf } from '../access/caller.ts'
import { page } from '../access/declarations.ts'
import { type Html, html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { setSessionCookie } from '../sessions/session-cookie.ts'
import type { SignInOutcome } from '../sign-in/outcome.ts'
import { Credentials } from '../sign-in/schemas.ts'
import { signIn } from '../sign-in/sign-in.ts'
import { button, emptyForm, errorSummary, type FormState, fieldOf, formTo, goOn, heading, submit } from './forms.ts'
import { sendPage } from './layout.ts'
import { keepChallenge } from './mfa-challenge.ts'
import { home, type PageDependencies, queryOf, type SignInView, signInViewOf, type View } from './view.ts'

export const loginPage = (dependencies: PageDependencies) => async (app: App) => {
  const route = { config: { access: page() }, schema: { hide: true } }

  app.get('/login', route, async (request, reply) => {
    const view = await signInViewOf(dependencies, request, reply)
    const { browserSession } = request
    const asksAgain = queryOf(request, 'prompt') === 'login'
    const stay = browserSession && !asksAgain ? signedInNotice(view, browserSession.caller.email ?? '') : undefined
    const notice = stay ?? noticeOf(view, queryOf(request, 'notice'))
    return sendPage(reply, view, signInForm(view, emptyForm({ email: queryOf(request, 'login_hint') ?? '' }), notice))
  })

  app.post('/login', route, async (request, reply) => {
    const view = await signInViewOf(dependencies, request, reply)
    const submission = await submit(dependencies, { request, reply, view }, Credentials, (credentials) =>
      signIn(dependencies, originOf(request), credentials, request.afterRandomDelay),
    )
    if (!submission.done) return sendPage(reply, view, signInForm(view, submission.form))
    return followOutcome(dependencies, reply, view, submission.result)
  })
}

/** Sends the browser to the next step of a sign-in. */
export function followOutcome(
  { secureCookie }: Pick<PageDependencies, 'secureCookie'>,
  reply: FastifyReply,
  view: View,
  outcome: SignInOutcome,
): FastifyReply {
  switch (outcome.kind) {
    case 'authenticated':
      setSessionCookie(reply, outcome.session, secureCookie)
      return goOn(reply, view.language, view.returnTo ?? home)
    case 'mfa_enrollment_required':
      setSessionCookie(reply, outcome.session, secureCookie)
      return goOn(reply, view.language, view.to('/mfa/enroll'))
    case 'mfa_required':
      keepChallenge(reply, outcome, secureCookie)
      return goOn(reply, view.language, view.to('/login/mfa'))
    case 'password_change_required':
      return goOn(reply, view.language, view.to('/password/reset', { token: outcome.resetToken, reason: 'expired' }))
  }
}

function signInForm(view: SignInView, form: FormState, notice?: Html) {
  const { texts, brand, application } = view
  const destination = application ?? brand?.name
  const hasEmail = (form.values.email ?? '') !== ''
  const forgot = html`<a href="${view.to('/password/forgot')}">${texts.signIn.forgot}</a>`
  const fields = html`${fieldOf(form, {
    name: 'email',
    label: texts.email,
    type: 'email',
    autocomplete: 'username',
    first: !hasEmail,
  })}${fieldOf(form, {
    name: 'password',
    label: texts.password,
    type: 'password',
    autocomplete: 'current-password',
    first: hasEmail,
  })}${button(texts.signIn.submit)}<p class="after">${forgot}</p>`
  return {
    status: form.status,
    title: texts.signIn.title,
    hasErrors: form.messages.length > 0,
    body: html`${heading(texts.signIn.title, destination === undefined ? undefined : texts.signIn.lead(destination))}${errorSummary(view, form) ?? notice}${formTo(view, view.to('/login'), fields)}`,
  }
}

function signedInNotice(view: View, email: string): Html {
  const { texts } = view
  return html`<div class="notice"><p>${texts.signIn.otherSession(email)} <a href="${view.returnTo ?? home}">${texts.signIn.stay}</a></p></div>`
}

function noticeOf({ texts }: View, notice: string | undefined): Html | undefined {
  const known: Record<string, string> = {
    accepted: texts.signIn.accepted,
    'password-set': texts.signIn.passwordSet,
    'step-expired': texts.signIn.stepExpired,
  }
  const text = notice !== undefined && Object.hasOwn(known, notice) ? known[notice] : undefined
  return text === undefined
    ? undefined
    : html`<div class="notice${notice !== 'step-expired' && ' success'}" role="status"><p>${text}</p></div>`
}
