/** /login */
import type { FastifyReply } from 'fastify'
import { originOf, type PageRequest } from '../access/caller.ts'
import { type Html, html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { setSessionCookie } from '../sessions/session-cookie.ts'
import type { SignInOutcome } from '../sign-in/outcome.ts'
import { Credentials } from '../sign-in/schemas.ts'
import { signIn } from '../sign-in/sign-in.ts'
import { continueTo } from './continue-to.ts'
import { definePage } from './define-page.ts'
import type { FormState } from './form-state.ts'
import { formPage, successNotice } from './forms.ts'
import { landing } from './landing.ts'
import { setChallengeCookie } from './mfa-challenge.ts'
import { type PageDependencies, queryOf, type SignInView, signInViewOf, type View } from './view.ts'

export const loginPage = (dependencies: PageDependencies) => async (app: App) => {
  definePage(app, dependencies, {
    path: '/login',
    visit: async (request, reply) => ({ request, reply, view: await signInViewOf(dependencies, request, reply) }),
    values: ({ request }) => ({ email: queryOf(request, 'login_hint') ?? '' }),
    show: ({ request, view }, form) => signInForm(view, form, noticeOf(view, request)),
    input: Credentials,
    operation: ({ request }, credentials) => signIn(dependencies, originOf(request), credentials, request.afterRandomDelay),
    done: ({ reply, view }, outcome) => followOutcome(dependencies, reply, view, outcome),
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
      return continueTo(reply, view.language, view.returnTo ?? landing)
    case 'mfa_enrollment_required':
      setSessionCookie(reply, outcome.session, secureCookie)
      return continueTo(reply, view.language, view.to('/mfa/enroll'))
    case 'mfa_required':
      setChallengeCookie(reply, outcome, secureCookie)
      return continueTo(reply, view.language, view.to('/login/mfa'))
    case 'password_change_required':
      return continueTo(reply, view.language, view.to('/password/reset', { token: outcome.resetToken, reason: 'expired' }))
  }
}

/** @param takesFocus whether typing begins in it at once */
export function signInForm(view: SignInView, form: FormState, notice?: Html, takesFocus = true) {
  const { texts, brand, application } = view
  const destination = application ?? brand?.name
  const hasEmail = (form.values.email ?? '') !== ''
  return formPage(view, form, {
    title: texts.signIn.title,
    lead: destination === undefined ? undefined : texts.signIn.lead(destination),
    notice,
    action: view.to('/login'),
    fields: [
      { name: 'email', label: texts.email, type: 'email', autocomplete: 'username', first: takesFocus && !hasEmail },
      { name: 'password', label: texts.password, type: 'password', autocomplete: 'current-password', first: takesFocus && hasEmail },
    ],
    submit: texts.signIn.submit,
    after: html`<p class="after"><a href="${view.to('/password/forgot')}">${texts.signIn.forgot}</a></p>`,
  })
}

/** That the browser is signed in already, unless the application asks for a new sign-in; else what has brought it here. */
function noticeOf(view: View, request: PageRequest): Html | undefined {
  const { texts } = view
  const { browserSession } = request
  if (browserSession && queryOf(request, 'prompt') !== 'login') {
    const { email = '' } = browserSession.caller
    return html`
      <div class="notice">
        <p>${texts.signIn.otherSession(email)} <a href="${view.returnTo ?? landing}">${texts.signIn.stay}</a></p>
      </div>`
  }
  switch (queryOf(request, 'notice')) {
    case 'accepted':
      return successNotice(texts.signIn.accepted)
    case 'password-set':
      return successNotice(texts.signIn.passwordSet)
    case 'step-expired':
      return html`<div class="notice" role="status"><p>${texts.signIn.stepExpired}</p></div>`
    default:
      return undefined
  }
}
