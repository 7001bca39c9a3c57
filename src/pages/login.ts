/** /login */
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { PageRequest } from '../access/caller.ts'
import { startSignIn } from '../passkeys/options.ts'
import { type Html, html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { setSessionCookie } from '../sessions/session-cookie.ts'
import type { SignInOutcome } from '../sign-in/outcome.ts'
import { Credentials } from '../sign-in/schemas.ts'
import { signIn } from '../sign-in/sign-in.ts'
import { signInByPasskey } from '../sign-in/sign-in-by-passkey.ts'
import { connectionButtons } from './connection-buttons.ts'
import { continueTo } from './continue-to.ts'
import { definePage } from './define-page.ts'
import { quietButton } from './fields.ts'
import type { FormState } from './form-state.ts'
import { formPage, successNotice } from './forms.ts'
import { lastUsed, noteLastUsed, withMark } from './last-used.ts'
import type { Page } from './layout.ts'
import { setChallengeCookie } from './mfa-challenge.ts'
import { arePasskeysPossible, forgetUnknown, PasskeyFields, passkeyForm, proofOf } from './passkey-form.ts'
import { passkeyCookie, pastOffer } from './passkey-offer.ts'
import { identifierForm, toPassword, toSso } from './sso.ts'
import { toConnection } from './to-connection.ts'
import { formOf, originOfSignIn, type PageDependencies, queryOf, type SignInView, signInViewOf, type View } from './view.ts'

export const loginPage = (dependencies: PageDependencies) => async (app: App) => {
  definePage(app, dependencies, {
    path: '/login',
    visit: async (request, reply) => ({ request, reply, view: await signInViewOf(dependencies, request, reply) }),
    values: ({ request }) => ({ email: queryOf(request, 'login_hint') ?? '' }),
    show: ({ request, view }, form) => {
      const notice = noticeOf(view, request)
      // An application asks for a user of its organisation; without one, any user may sign in.
      const isAnybody = view.application === undefined
      const offersEmailCode = isAnybody ? dependencies.emailCodeOffer.isMade : view.allowsEmailCodes
      const offersPasskey = arePasskeysPossible(dependencies) && (isAnybody || view.allowsPasskeys)
      const last = lastUsed(request, view)
      // After a refusal the password has to be entered again.
      const isPassword = queryOf(request, 'step') === 'password' || (request.method === 'POST' && form.values.credential === undefined)
      const content = {
        ...{ notice, offersEmailCode, last },
        isAddressAlone: view.isIdentifierFirst && !isPassword,
        offersSso: view.organisationId === undefined && dependencies.requiredSso.leadsAny,
      }
      if (!offersPasskey) return signInForm(view, form, content)
      const byPasskey = html`${forgetUnknown(dependencies, form)}${passkeyButton(dependencies, view, form, last)}${notesDevice}`
      return { ...signInForm(view, form, { ...content, byPasskey }), passkeys: true }
    },
    input: z.union([Credentials, PasskeyFields]),
    operation: ({ request, view }, input) => {
      const [origin, { afterRandomDelay }] = [originOfSignIn(request, view), request]
      if ('password' in input) return signIn(dependencies, origin, input, view.language, afterRandomDelay)
      return signInByPasskey(dependencies, origin, proofOf(input), view.language, afterRandomDelay)
    },
    refused: (visit, { refusal, values }) => toConnection(dependencies, visit, refusal, values.email),
    done: async ({ request, reply, view }, outcome) => {
      noteLastUsed(reply, view, formOf(request).credential ? 'passkey' : 'password', dependencies.secureCookie)
      return followOutcome(dependencies, reply, await pastOffer(dependencies, request, view, outcome), outcome)
    },
  })
}

/** Has the script remember that the device can have passkeys, for the steps after the sign-in. */
const notesDevice = html`<div hidden data-device-cookie="${passkeyCookie}"></div>`

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
      return continueTo(reply, view.language, view.onward)
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

function passkeyButton(dependencies: PageDependencies, view: View, form: FormState, last: string | undefined): Html {
  const started = startSignIn(dependencies)
  // A passkey that has just been refused is not offered again automatically.
  const fillsIn = form.values.credential === undefined
  const label = withMark(view, view.texts.passkeys.signIn, last === 'passkey')
  return passkeyForm(view, { action: view.to('/login'), does: 'get', ...started, fillsIn, submit: quietButton(label) })
}

/** The button of the preview, which asks no device. */
export const inertPasskeyButton = (view: View) =>
  passkeyForm(view, { action: view.to('/login'), does: 'get', options: {}, isShown: true, submit: view.texts.passkeys.signIn })

interface SignInContent {
  notice?: Html | undefined
  /** Whether it has the initial focus. */
  takesFocus?: boolean
  /** The form of passkeys. With it, the browser also offers passkeys in the field of the e-mail address. */
  byPasskey?: Html
  offersEmailCode?: boolean
  /** Whether a page without an organisation offers the way to a connection. */
  offersSso?: boolean
  /** Whether the domain of the address decides how to continue. */
  isAddressAlone?: boolean
  /** The way that this browser used last. */
  last?: string | undefined
  /** Whether the page runs no script and shows the elements that a script would reveal. */
  isPreview?: boolean
}

export function signInForm(view: SignInView, form: FormState, content: SignInContent = {}): Page {
  const { notice, takesFocus = true, byPasskey, offersEmailCode, offersSso, isAddressAlone, last } = content
  const { texts, brand, application } = view
  const destination = application ?? brand?.name
  const hasEmail = (form.values.email ?? '') !== ''
  const { title } = texts.signIn
  const lead = destination === undefined ? undefined : texts.signIn.lead(destination)
  const autocomplete = byPasskey ? 'username webauthn' : 'username'
  // Connections that are found by a domain need no button.
  const connections = isAddressAlone ? view.connections.filter(({ isFoundByDomain }) => !isFoundByDomain) : view.connections
  const others = html`
    ${byPasskey}
    ${connectionButtons(view, connections, last)}
    ${offersSso && toSso(view)}
    ${offersEmailCode && html`<p class="after"><a href="${view.to('/login/email')}">${withMark(view, texts.emailCode.offer, last === 'email_code')}</a></p>`}`
  if (isAddressAlone) {
    const after = html`${others}${toPassword(view, view.asked.loginHint)}`
    return identifierForm(view, form, { title, lead, notice, after, autocomplete, takesFocus })
  }
  const submit = html`<button class="button" type="submit">${withMark(view, texts.signIn.submit, last === 'password')}</button>`
  const page = formPage(view, form, {
    ...{ title, lead, notice, submit },
    action: view.to('/login'),
    fields: [
      {
        name: 'email',
        label: texts.email,
        type: 'email',
        autocomplete,
        first: takesFocus && !hasEmail,
      },
      {
        name: 'password',
        label: texts.password,
        type: 'password',
        autocomplete: 'current-password',
        reveal: texts.reset.showPassword,
        isRevealShown: content.isPreview === true,
        first: takesFocus && hasEmail,
      },
    ],
    after: html`
      ${others}
      <p class="after"><a href="${view.to('/password/forgot')}">${texts.signIn.forgot}</a></p>`,
  })
  return { ...page, script: !content.isPreview }
}

/** Says what has just happened, else that the browser is signed in already, unless a new sign-in is asked for. */
function noticeOf({ texts, asked, onward }: View, request: PageRequest): Html | undefined {
  switch (queryOf(request, 'notice')) {
    case 'accepted':
      return successNotice(texts.signIn.accepted)
    case 'password-set':
      return successNotice(texts.signIn.passwordSet)
    case 'step-expired':
      return html`<div class="notice" role="status"><p>${texts.signIn.stepExpired}</p></div>`
  }
  const { browserSession } = request
  if (!browserSession || asked.isNewSignIn) return undefined
  const { email = '' } = browserSession.caller
  return html`
    <div class="notice">
      <p>${texts.signIn.otherSession(email)} <a href="${onward}">${texts.signIn.stay}</a></p>
    </div>`
}
