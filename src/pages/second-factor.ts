/** /login/mfa */
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { originOf, type PageRequest } from '../access/caller.ts'
import { type MfaMethod, sendsCodes } from '../access/factors.ts'
import { type Html, html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { completeSignIn, sendSignInCode } from '../sign-in/complete-sign-in.ts'
import { SecondFactorCode } from '../sign-in/schemas.ts'
import { defineForm, definePage, type Visit } from './define-page.ts'
import { codeField, quietButton } from './fields.ts'
import type { FormState } from './form-state.ts'
import { formPage, formTo, successNotice } from './forms.ts'
import { followOutcome } from './login.ts'
import { type Challenge, clearChallengeCookie, keptChallenge } from './mfa-challenge.ts'
import { type PageDependencies, queryOf, signInViewOf } from './view.ts'

interface ChallengeVisit extends Visit {
  challenge: Challenge
}

export const secondFactorPage = (dependencies: PageDependencies) => async (app: App) => {
  const { secureCookie } = dependencies

  const visit = async (request: PageRequest, reply: FastifyReply): Promise<ChallengeVisit | undefined> => {
    const view = await signInViewOf(dependencies, request, reply)
    const challenge = keptChallenge(request)
    if (challenge) return { request, reply, view, challenge }
    reply.redirect(view.to('/login', request.method === 'GET' ? {} : { notice: 'step-expired' }), 303)
    return undefined
  }
  /** The token is used, too old or has failed too often: the password has to come again. */
  const refused = ({ reply, view }: ChallengeVisit, { status }: FormState) =>
    status === 401 ? clearChallengeCookie(reply, secureCookie).redirect(view.to('/login', { notice: 'step-expired' }), 303) : undefined

  definePage(app, dependencies, {
    path: '/login/mfa',
    visit,
    show: challengeForm,
    input: SecondFactorCode,
    operation: ({ request, view, challenge }, { code }) =>
      completeSignIn(dependencies, originOf(request), { mfaToken: challenge.mfaToken, code: plainCode(code) }, view.language),
    done: ({ reply, view }, outcome) => followOutcome(dependencies, clearChallengeCookie(reply, secureCookie), view, outcome),
    refused,
  })

  defineForm(app, dependencies, {
    path: '/login/mfa/code',
    visit,
    show: challengeForm,
    input: z.object({}),
    operation: ({ challenge }) => sendSignInCode(dependencies, challenge.mfaToken),
    done: ({ reply, view }) => reply.redirect(view.to('/login/mfa', { notice: 'sent' }), 303),
    refused,
  })
}

const challengeForm = ({ request, view, challenge: { methods } }: ChallengeVisit, form: FormState) =>
  codeForm({ request, view }, form, {
    methods,
    path: '/login/mfa',
    sendsPath: '/login/mfa/code',
    after: html`<p class="after"><a href="${view.to('/login')}">${view.texts.otherAccount}</a></p>`,
  })

/** Apps show codes in groups, and people type them so. */
export const plainCode = (code: string) => (/^[\d\s]+$/.test(code) ? code.replace(/\s/g, '') : code)

interface CodeForm {
  /** The second factors of the user. */
  methods: readonly MfaMethod[]
  /** What the form posts to. */
  path: string
  /** What sends a code to the phone. */
  sendsPath: string
  after: Html
}

/** Asks for a code of one of the user's second factors. */
export function codeForm(
  { request, view }: Pick<Visit, 'request' | 'view'>,
  form: FormState,
  { methods, path, sendsPath, after }: CodeForm,
) {
  const texts = view.texts.secondFactor
  const sends = methods.some(sendsCodes)
  return formPage(view, form, {
    title: texts.title,
    lead: sends ? (methods.every(sendsCodes) ? texts.leadSms : texts.leadEither) : texts.leadApp,
    notice: queryOf(request, 'notice') === 'sent' && successNotice(texts.sent),
    action: view.to(path),
    fields: [codeField(view, { hint: texts.hint, first: true })],
    submit: texts.submit,
    after: html`
      ${sends && formTo(view, view.to(sendsPath), quietButton(texts.resend))}
      ${after}`,
  })
}
