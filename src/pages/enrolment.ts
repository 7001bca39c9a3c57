/** /mfa/enroll */
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { BrowserSession, PageRequest } from '../access/caller.ts'
import type { MfaMethod } from '../access/factors.ts'
import { type EnrolmentState, findEnrolmentState } from '../mfa/begun-enrolment.ts'
import { enableMfa } from '../mfa/enable.ts'
import { verifyEnrolment } from '../mfa/enrol.ts'
import { methodNotAllowed, mfaAlreadyEnabled } from '../mfa/refusals.ts'
import { EnrolmentRequest } from '../mfa/schemas.ts'
import { proofOfNewFactor, startProof } from '../passkeys/options.ts'
import { lacksRequiredPasskey } from '../passkeys/own-passkeys.ts'
import { type Html, html } from '../platform/http/html.ts'
import { Problem } from '../platform/http/problem.ts'
import type { App } from '../platform/http/server.ts'
import { setSessionCookie } from '../sessions/session-cookie.ts'
import { SecondFactorCode } from '../sign-in/schemas.ts'
import { passkeysPath } from './account-passkeys.ts'
import { accountPageOf } from './account-visit.ts'
import { defineForm, definePage, type Visit } from './define-page.ts'
import { button, codeField, hidden, quietButton } from './fields.ts'
import type { FormState } from './form-state.ts'
import { errorSummary, formPage, formTo } from './forms.ts'
import { heading, type Page, sendPage } from './layout.ts'
import { PasskeyFields, passkeyForm, passkeyPage, proofOf } from './passkey-form.ts'
import { qrCode } from './qr-code.ts'
import { plainCode } from './second-factor.ts'
import { formOf, type PageDependencies, queryOf, type View, viewOf } from './view.ts'

/** The next step of the user: scan and confirm, confirm a sent code, choose a factor, or enter a phone number. */
type Step = NonNullable<EnrolmentState['begun']> | 'choose' | 'ask-for-phone' | Problem

interface EnrolmentVisit extends Visit {
  browserSession: BrowserSession
}

/** The content of the page. */
interface Offer {
  /** Whether the organisation asks for a second factor before anything else. */
  isRequired: boolean
  mayUseApp: boolean
  mayUsePhone: boolean
  mayUsePasskey: boolean
}

export const enrolmentPage = (dependencies: PageDependencies) => async (app: App) => {
  const visit = async (request: PageRequest, reply: FastifyReply): Promise<EnrolmentVisit | undefined> => {
    const view = await viewOf(dependencies, request, reply)
    const { browserSession } = request
    // Show it first, since a passkey may count as both factors.
    if (browserSession?.awaitsMfaEnrolment && (await lacksRequiredPasskey(dependencies, browserSession.caller))) {
      reply.redirect(view.to(passkeysPath), 303)
      return undefined
    }
    if (browserSession) return { request, reply, view, browserSession }
    // This page follows the sign-in that it asks for.
    reply.redirect(view.to('/login', view.returnTo === undefined ? {} : { notice: 'step-expired' }), 303)
    return undefined
  }

  definePage(app, dependencies, {
    path: '/mfa/enroll',
    visit,
    show,
    input: z.union([SecondFactorCode, PasskeyFields]),
    operation: ({ browserSession, view }, input) => {
      const proof = 'code' in input ? { token: plainCode(input.code) } : proofOf(input)
      return verifyEnrolment(dependencies, browserSession.caller, proof, view.language)
    },
    done: ({ reply, view, browserSession }, { session, backupCodes }) => {
      if (session) setSessionCookie(reply, session, dependencies.secureCookie)
      const { caller } = browserSession
      return sendPage(reply, view, accountPageOf({ view, caller }, savedCodes(view, caller.email, backupCodes, view.onward)))
    },
  })

  defineForm(app, dependencies, {
    path: '/mfa/enroll/method',
    visit,
    show,
    input: EnrolmentRequest,
    operation: ({ browserSession, view }, { method, phone }) => {
      const request = phone !== undefined ? ({ method: 'sms', phone } as const) : method === 'passkey' ? { method } : {}
      return enableMfa(dependencies, browserSession.caller, request, view.language)
    },
    done: ({ reply, view }) => reply.redirect(view.to('/mfa/enroll'), 303),
  })

  async function show(visited: EnrolmentVisit, form: FormState): Promise<Page> {
    const { view, browserSession } = visited
    const page = await stepOf(visited, form)
    // The console, too, awaits the enrolment, so the page does not lead back to it.
    return browserSession.awaitsMfaEnrolment ? { ...page, script: true } : accountPageOf({ view, caller: browserSession.caller }, page)
  }

  async function stepOf(visited: EnrolmentVisit, form: FormState): Promise<Page> {
    const { request, view, browserSession } = visited
    const state = await findEnrolmentState(dependencies, browserSession.caller)
    // With a factor already enrolled, another method takes a code of it, which the account page asks for.
    const choices = state.enabled ? new Set() : state.allowed
    const offer = {
      isRequired: browserSession.awaitsMfaEnrolment,
      mayUseApp: choices.has('totp'),
      mayUsePhone: choices.has('sms'),
      mayUsePasskey: choices.has('passkey'),
    }
    const asksForPhone = queryOf(request, 'method') === 'sms' || formOf(request).phone !== undefined
    const step = asksForPhone && offer.mayUsePhone ? 'ask-for-phone' : nextStep(state)
    if (step instanceof Problem) return notPossible(view, step)
    if (step === 'ask-for-phone') return phoneForm(view, form, offer)
    if (step === 'choose') return choiceForm(view, form, offer)
    if ('phone' in step) return sentCodeForm(view, form, step.phone, offer)
    if ('isPasskey' in step) return passkeyConfirmation(visited, form, offer)
    return scanForm(view, form, step, offer)
  }

  async function passkeyConfirmation(
    { view, browserSession }: EnrolmentVisit,
    form: FormState,
    { mayUseApp, mayUsePhone }: Offer,
  ): Promise<Page> {
    const { organisationId, session } = browserSession.caller
    const started = await startProof(dependencies, { organisationId, userId: session.userId }, proofOfNewFactor)
    const { enrolment: own, passkeys } = view.texts
    const confirm = passkeyForm(view, { action: view.to('/mfa/enroll'), does: 'get', ...started, submit: button(passkeys.verify) })
    return passkeyPage(view, form, {
      title: own.title,
      lead: own.confirmPasskey,
      forms: html`${confirm}${mayUseApp && useApp(view)}${mayUsePhone && usePhone(view)}`,
    })
  }
}

function nextStep({ begun, allowed, enabled }: EnrolmentState): Step {
  if (begun) return begun
  if (enabled) return mfaAlreadyEnabled()
  if (allowed.has('totp') || allowed.has('passkey')) return 'choose'
  return allowed.has('sms') ? 'ask-for-phone' : methodNotAllowed('totp')
}

/** The form that creates a secret: a request that only opens or prefetches the page has asked for none. */
function choiceForm(view: View, form: FormState, { isRequired, ...offer }: Offer): Page {
  const own = view.texts.enrolment
  const ways = [
    offer.mayUseApp && way('totp', view, formTo(view, view.to('/mfa/enroll/method'), smallButton(own.begin))),
    offer.mayUsePasskey && way('passkey', view, passkeyWay(view)),
    offer.mayUsePhone && way('sms', view, html`<a href="${byPhone(view)}">${own.usePhone}</a>`),
  ]
  return {
    status: form.status,
    title: own.title,
    hasErrors: form.messages.length > 0,
    body: html`
      ${heading(own.title, leadOf(view, isRequired))}
      ${errorSummary(view, form)}
      <ul class="records">${ways}</ul>`,
  }
}

/** A kind of second factor, with its purpose. */
const way = (method: MfaMethod, { texts: { account } }: View, action: Html) => html`
  <li>
    <span>${account.methods[method]}<br><span class="aside">${account.goodFor[method]}</span></span>
    ${action}
  </li>`

const smallButton = (label: string) => html`<button class="button small" type="submit">${label}</button>`

const passkeyWay = (view: View) =>
  formTo(view, view.to('/mfa/enroll/method'), html`${hidden('method', 'passkey')}${smallButton(view.texts.enrolment.usePasskey)}`)

async function scanForm(
  view: View,
  form: FormState,
  { secret, qrCodeUri }: { secret: string; qrCodeUri: string },
  { isRequired, mayUsePhone }: Offer,
): Promise<Page> {
  const own = view.texts.enrolment
  const picture = await qrCode(qrCodeUri, own.qrLabel)
  return formPage(view, form, {
    title: own.title,
    lead: leadOf(view, isRequired),
    action: view.to('/mfa/enroll'),
    fields: [codeField(view, { inputmode: 'numeric' })],
    submit: own.submit,
    frame: (confirmation) => html`
      <ol class="steps">
        <li>
          <h2>${own.scanTitle}</h2>
          <p class="lead">${own.scan}</p>
          <div class="qr">${picture}</div>
          <p class="after"><a href="${qrCodeUri}">${own.openApp}</a></p>
          <p class="lead">${own.secret}</p>
          <span class="secret">${inGroups(secret)}</span>
        </li>
        <li>
          <h2>${own.confirmTitle}</h2>
          ${confirmation}
        </li>
      </ol>`,
    after: mayUsePhone && usePhone(view),
    wide: true,
  })
}

const leadOf = ({ texts, brand }: View, isRequired: boolean): Html =>
  html`${isRequired && brand && html`<strong>${texts.enrolment.required(brand.name)}</strong> `}${texts.enrolment.lead}`

function phoneForm(view: View, form: FormState, { isRequired, mayUseApp }: Offer): Page {
  const own = view.texts.enrolment
  return formPage(view, form, {
    title: own.title,
    lead: leadOf(view, isRequired),
    action: view.to('/mfa/enroll/method'),
    fields: [{ name: 'phone', label: own.phone, type: 'tel', autocomplete: 'tel', hint: own.phoneHint, first: true }],
    submit: own.sendCode,
    after: mayUseApp && useApp(view),
  })
}

function sentCodeForm(view: View, form: FormState, phone: string, { mayUseApp, mayUsePhone }: Offer): Page {
  const own = view.texts.enrolment
  return formPage(view, form, {
    title: own.title,
    lead: own.codeSent(phone),
    action: view.to('/mfa/enroll'),
    fields: [codeField(view, { inputmode: 'numeric', first: true })],
    submit: own.submit,
    after: html`
      ${mayUsePhone && html`<p class="after"><a href="${byPhone(view)}">${own.otherPhone}</a></p>`}
      ${mayUseApp && useApp(view)}`,
  })
}

const byPhone = (view: View) => view.to('/mfa/enroll', { method: 'sms' })
const usePhone = (view: View) => html`<p class="after"><a href="${byPhone(view)}">${view.texts.enrolment.usePhone}</a></p>`
const useApp = (view: View) => formTo(view, view.to('/mfa/enroll/method'), quietButton(view.texts.enrolment.useApp))

/** The backup codes, which are shown only this once. */
export function savedCodes(view: View, email: string, backupCodes: readonly string[], continueTo: string): Page {
  const { title, lead, once, label, submit, ...texts } = view.texts.backupCodes
  const account = texts.account(view.brand?.name ?? view.texts.product, email)
  return {
    title,
    wide: true,
    body: html`
      ${heading(title, lead)}
      <p class="codes-of">${account}</p>
      <ul class="codes" aria-label="${label}">${backupCodes.map((code) => html`<li>${code}</li>`)}</ul>
      <div class="keep" data-codes="${account}" data-file="${texts.file}" hidden>
        ${keepButton('copy', texts.copy)}${keepButton('download', texts.download)}${keepButton('print', texts.print)}
        <span role="status" data-done="${texts.copied}" data-failed="${texts.notCopied}"></span>
      </div>
      <div class="notice"><p>${once}</p></div>
      <p class="next"><a class="button" href="${continueTo}">${submit}</a></p>`,
  }
}

const keepButton = (name: string, label: string) =>
  html`<button class="button quiet small" type="button" data-do="${name}" hidden>${label}</button>`

function notPossible(view: View, problem: Problem): Page {
  const own = view.texts.enrolment
  const isOn = problem.code === mfaAlreadyEnabled.code
  const title = isOn ? own.already : own.notAllowed
  return {
    status: isOn ? 200 : 403,
    title,
    body: html`
      ${heading(title, isOn ? own.alreadyLead : view.texts.refusals['mfa-method-not-allowed'])}
      ${isOn && html`<p class="next"><a class="button" href="${view.onward}">${view.texts.continue}</a></p>`}`,
  }
}

const inGroups = (secret: string) => secret.replace(/(.{4})(?=.)/g, '$1 ')
