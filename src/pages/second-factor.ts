/** /login/mfa */
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { PageRequest } from '../access/caller.ts'
import { assuranceLevels, type MfaMethod, sendsCodes } from '../access/factors.ts'
import { sessionTokenOf } from '../access/session-token.ts'
import { sendCode } from '../mfa/send-code.ts'
import { type Html, html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { setSessionCookie } from '../sessions/session-cookie.ts'
import { completeSignIn, sendSignInCode, startSecondFactor } from '../sign-in/complete-sign-in.ts'
import type { SignInOutcome } from '../sign-in/outcome.ts'
import { SecondFactorCode } from '../sign-in/schemas.ts'
import { type StartedStepUp, type SteppingUp, startStepUp, stepUp } from '../sign-in/step-up.ts'
import { fullSessionOf } from './account-visit.ts'
import { continueTo } from './continue-to.ts'
import { defineForm, definePage, type Visit } from './define-page.ts'
import { button, codeField, quietButton } from './fields.ts'
import type { FormState } from './form-state.ts'
import { formPage, formTo, successNotice } from './forms.ts'
import type { Page } from './layout.ts'
import { followOutcome } from './login.ts'
import { type Challenge, clearChallengeCookie, keptChallenge } from './mfa-challenge.ts'
import { assertionOf, ignoreRefusal, PasskeyFields, passkeyForm, passkeyPage } from './passkey-form.ts'
import { pastOffer } from './passkey-offer.ts'
import { originOfSignIn, type PageDependencies, queryOf, signInViewOf, viewOf } from './view.ts'

/** A sign-in that awaits its second factor, or a session of which an application asks more. */
interface FactorVisit extends Visit {
  waiting: { kind: 'sign-in'; challenge: Challenge } | { kind: 'session'; session: SteppingUp; asked: StartedStepUp }
}

export const secondFactorPage = (dependencies: PageDependencies) => async (app: App) => {
  const { secureCookie, oauthExtensions } = dependencies

  const visit = async (request: PageRequest, reply: FastifyReply): Promise<FactorVisit | undefined> => {
    if (oauthExtensions.has('step_up') && queryOf(request, 'for') === 'session') return visitOfSession(request, reply)
    const view = await signInViewOf(dependencies, request, reply)
    const challenge = keptChallenge(request, secureCookie)
    if (challenge) return { request, reply, view, waiting: { kind: 'sign-in', challenge } }
    reply.redirect(view.to('/login', request.method === 'GET' ? {} : { notice: 'step-expired' }), 303)
    return undefined
  }
  const visitOfSession = async (request: PageRequest, reply: FastifyReply): Promise<FactorVisit | undefined> => {
    const view = await viewOf(dependencies, request, reply)
    const caller = fullSessionOf(request, reply, view.onward)?.caller
    if (!caller) return undefined
    const level = assuranceLevels.find((one) => one === queryOf(request, 'level')) ?? 'aal2'
    const session = { caller, token: sessionTokenOf(request) ?? '', level }
    const asked = await startStepUp(dependencies, session)
    if (asked) return { request, reply, view, waiting: { kind: 'session', session, asked } }
    continueTo(reply, view.language, view.onward)
    return undefined
  }
  /** The token is used, expired or has failed too often: the password has to be entered again. A session may have a new cookie. */
  const refused = ({ reply, view, waiting }: FactorVisit, { status }: FormState) => {
    if (status !== 401) return undefined
    if (waiting.kind === 'session') return continueTo(reply, view.language, view.onward)
    return clearChallengeCookie(reply, secureCookie).redirect(view.to('/login', { notice: 'step-expired' }), 303)
  }

  const showForm = async (visited: FactorVisit, form: FormState): Promise<Page> => {
    const { view, waiting } = visited
    const started = await startedProof(waiting)
    const action = view.to('/login/mfa', parametersOf(waiting))
    const { verify } = view.texts.passkeys
    const submit = started?.takesCodes ? verify : button(verify)
    const byPasskey = started && passkeyForm(view, { action, does: 'get', ...started, submit })
    return { ...show(visited, form, { byPasskey, takesCodes: started?.takesCodes ?? true }), passkeys: byPasskey !== undefined }
  }
  const startedProof = async (waiting: FactorVisit['waiting']): Promise<StartedProof | undefined> => {
    if (waiting.kind === 'session') {
      const { byPasskey, methods } = waiting.asked
      return byPasskey && { ...byPasskey, takesCodes: methods.length > 0 }
    }
    if (!waiting.challenge.methods.includes('passkey')) return undefined
    // The form refuses a token that is no longer valid.
    return startSecondFactor(dependencies, waiting.challenge.mfaToken).catch(ignoreRefusal)
  }

  definePage(app, dependencies, {
    path: '/login/mfa',
    visit,
    show: showForm,
    // The pending sign-in replaces a flow token.
    input: z.union([SecondFactorCode, PasskeyFields.partial({ flowToken: true })]),
    operation: async ({ request, view, waiting }, input): Promise<SignInOutcome | { kind: 'stepped-up'; session: Cookie }> => {
      const proof =
        'code' in input ? { code: plainCode(input.code) } : { credential: assertionOf(input.credential), flowToken: input.flowToken ?? '' }
      if (waiting.kind === 'session') {
        return { kind: 'stepped-up', session: await stepUp(dependencies, waiting.session, proof, view.language) }
      }
      const { mfaToken } = waiting.challenge
      return completeSignIn(dependencies, originOfSignIn(request, view), { mfaToken, ...proof }, view.language)
    },
    done: async ({ request, reply, view }, outcome) => {
      if (outcome.kind !== 'stepped-up') {
        const onTheWay = await pastOffer(dependencies, request, view, outcome)
        return followOutcome(dependencies, clearChallengeCookie(reply, secureCookie), onTheWay, outcome)
      }
      setSessionCookie(reply, outcome.session, secureCookie)
      return continueTo(reply, view.language, view.onward)
    },
    refused,
  })

  defineForm(app, dependencies, {
    path: '/login/mfa/code',
    visit,
    show: showForm,
    input: z.object({}),
    operation: ({ waiting }) => {
      if (waiting.kind === 'sign-in') return sendSignInCode(dependencies, waiting.challenge.mfaToken)
      const { caller } = waiting.session
      return sendCode(dependencies, caller.organisationId, caller.session.userId)
    },
    done: ({ reply, view, waiting }) => reply.redirect(view.to('/login/mfa', { ...parametersOf(waiting), notice: 'sent' }), 303),
    refused,
  })
}

interface StartedProof {
  flowToken?: string
  options: object
  takesCodes: boolean
}

/** The proof that the page asks for: a passkey, a code, or either. */
interface Ways {
  byPasskey: Html | undefined
  takesCodes: boolean
}

type Cookie = Awaited<ReturnType<typeof stepUp>>

/** The parameters by which the page identifies the pending sign-in. */
const parametersOf = (waiting: FactorVisit['waiting']) =>
  waiting.kind === 'session' ? { for: 'session', level: waiting.session.level } : {}

function show({ request, view, waiting }: FactorVisit, form: FormState, { byPasskey, takesCodes }: Ways): Page {
  const parameters = parametersOf(waiting)
  const isSession = waiting.kind === 'session'
  const texts = view.texts.secondFactor
  const otherAccount = html`<p class="after"><a href="${view.to('/login', isSession ? { prompt: 'login' } : {})}">${view.texts.otherAccount}</a></p>`
  if (!takesCodes) {
    const lead = !isSession ? texts.leadBeforeEnrolment : waiting.session.level === 'phrh' ? texts.leadKeyAlone : texts.leadPasskeyAlone
    return passkeyPage(view, form, {
      title: texts.title,
      lead,
      notice: isSession && texts.forApplication,
      forms: html`${byPasskey}${otherAccount}`,
    })
  }
  return codeForm({ request, view }, form, {
    methods: isSession ? waiting.asked.methods : waiting.challenge.methods,
    action: view.to('/login/mfa', parameters),
    sends: view.to('/login/mfa/code', parameters),
    notice: isSession && texts.forApplication,
    after: html`${byPasskey}${otherAccount}`,
  })
}

/** Removes the spaces that apps show in codes and people type. */
export const plainCode = (code: string) => (/^[\d\s]+$/.test(code) ? code.replace(/\s/g, '') : code)

interface CodeForm {
  /** The user's second factors. */
  methods: readonly MfaMethod[]
  /** The path that the form posts to. */
  action: string
  /** The path that sends a code to the phone. */
  sends: string
  /** Why a code is asked for, where it is not obvious. */
  notice?: string | false
  after: Html
}

/** Asks for a code of one of the user's second factors. */
export function codeForm({ request, view }: Pick<Visit, 'request' | 'view'>, form: FormState, content: CodeForm) {
  const texts = view.texts.secondFactor
  const { methods, action, sends, notice, after } = content
  const byPhone = methods.some(sendsCodes)
  return formPage(view, form, {
    title: texts.title,
    lead: byPhone
      ? methods.every(sendsCodes)
        ? texts.leadSms
        : texts.leadEither
      : methods.includes('totp')
        ? texts.leadApp
        : methods.length > 0
          ? texts.leadPasskey
          : texts.leadBackupCode,
    notice: queryOf(request, 'notice') === 'sent' ? successNotice(texts.sent) : notice && html`<div class="notice"><p>${notice}</p></div>`,
    action,
    fields: [codeField(view, { ...(methods.length > 0 && { hint: texts.hint }), first: true })],
    submit: texts.submit,
    after: html`
      ${byPhone && formTo(view, sends, quietButton(texts.resend))}
      ${after}`,
  })
}
