/** /mfa/enroll */
import type { BrowserSession } from '../access/caller.ts'
import { page } from '../access/declarations.ts'
import { type EnrolmentState, findEnrolmentState } from '../mfa/begun-enrolment.ts'
import { enableMfa } from '../mfa/enable.ts'
import { verifyEnrolment } from '../mfa/enrol.ts'
import { methodNotAllowed, mfaAlreadyEnabled } from '../mfa/refusals.ts'
import { EnrolmentRequest } from '../mfa/schemas.ts'
import { type Html, html } from '../platform/http/html.ts'
import { Problem } from '../platform/http/problem.ts'
import type { App } from '../platform/http/server.ts'
import { setSessionCookie } from '../sessions/session-cookie.ts'
import { SecondFactor } from '../sign-in/schemas.ts'
import { button, emptyForm, errorSummary, type FormState, fieldOf, formTo, heading, submit } from './forms.ts'
import { type Page, sendPage } from './layout.ts'
import { qrCode } from './qr-code.ts'
import { plainCode } from './second-factor.ts'
import { formOf, home, type PageDependencies, queryOf, type View, viewOf } from './view.ts'

const Code = SecondFactor.pick({ code: true })
const Phone = EnrolmentRequest.required({ phone: true })

/** What the caller has to do next: scan and confirm, confirm what was sent, say which factor, or where to send codes. */
type Step = NonNullable<EnrolmentState['begun']> | 'choose' | 'ask-for-phone' | Problem

interface Offered {
  /** Whether the organisation asks for a second factor. */
  isRequired: boolean
  mayUseApp: boolean
  mayUsePhone: boolean
}

export const enrolmentPage = (dependencies: PageDependencies) => async (app: App) => {
  const route = { config: { access: page() }, schema: { hide: true } }
  /** Where this page comes after the sign-in that it asks for. */
  const signInFirst = (view: View) => view.to('/login', view.returnTo === undefined ? {} : { notice: 'step-expired' })

  app.get('/mfa/enroll', route, async (request, reply) => {
    const view = await viewOf(dependencies, request, reply)
    if (!request.browserSession) return reply.redirect(signInFirst(view), 303)
    return sendPage(reply, view, await enrolmentOf(view, request.browserSession, emptyForm(), queryOf(request, 'method') === 'sms'))
  })

  app.post('/mfa/enroll', route, async (request, reply) => {
    const view = await viewOf(dependencies, request, reply)
    const { browserSession } = request
    if (!browserSession) return reply.redirect(signInFirst(view), 303)
    const submission = await submit(dependencies, { request, reply, view }, Code, ({ code }) =>
      verifyEnrolment(dependencies, browserSession.caller, plainCode(code), view.language),
    )
    if (!submission.done) return sendPage(reply, view, await enrolmentOf(view, browserSession, submission.form))
    const { session, backupCodes } = submission.result
    if (session) setSessionCookie(reply, session, dependencies.secureCookie)
    return sendPage(reply, view, savedCodes(view, backupCodes))
  })

  app.post('/mfa/enroll/method', route, async (request, reply) => {
    const view = await viewOf(dependencies, request, reply)
    const { browserSession } = request
    if (!browserSession) return reply.redirect(signInFirst(view), 303)
    const { phone } = formOf(request)
    const submission = await submit(dependencies, { request, reply, view }, phone === undefined ? EnrolmentRequest : Phone, (input) =>
      enableMfa(dependencies, browserSession.caller, phone === undefined ? {} : { method: 'sms', phone: input.phone }, view.language),
    )
    if (submission.done) return reply.redirect(view.to('/mfa/enroll'), 303)
    return sendPage(reply, view, await enrolmentOf(view, browserSession, submission.form, phone !== undefined))
  })

  async function enrolmentOf(view: View, { caller, awaitsMfaEnrolment }: BrowserSession, form: FormState, bySms = false): Promise<Page> {
    const state = await findEnrolmentState(dependencies, caller)
    // With a factor already, another way takes a code of it, which the account page asks for.
    const choices = state.enabled ? new Set() : state.allowed
    const offered = { isRequired: awaitsMfaEnrolment, mayUseApp: choices.has('totp'), mayUsePhone: choices.has('sms') }
    const step = bySms && offered.mayUsePhone ? 'ask-for-phone' : nextStep(state)
    if (step instanceof Problem) return notPossible(view, step)
    if (step === 'ask-for-phone') return phoneForm(view, offered, form)
    if (step === 'choose') return choiceForm(view, offered, form)
    if ('phone' in step) return sentCodeForm(view, step.phone, offered, form)
    return enrolmentForm(view, step, offered, form)
  }
}

function nextStep({ begun, allowed, enabled }: EnrolmentState): Step {
  if (begun) return begun
  if (enabled) return mfaAlreadyEnabled()
  if (allowed.has('totp')) return 'choose'
  return allowed.has('sms') ? 'ask-for-phone' : methodNotAllowed('totp')
}

/** A secret is made by a form: what only opens the page, or loads it in advance, has asked for none. */
function choiceForm(view: View, { isRequired, mayUsePhone }: Offered, form: FormState): Page {
  const own = view.texts.enrolment
  return {
    status: form.status,
    title: own.title,
    hasErrors: form.messages.length > 0,
    body: html`${heading(own.title, leadOf(view, isRequired))}${errorSummary(view, form)}${formTo(view, view.to('/mfa/enroll/method'), button(own.begin))}${mayUsePhone && usePhone(view)}`,
  }
}

const usePhone = (view: View) =>
  html`<p class="after"><a href="${view.to('/mfa/enroll', { method: 'sms' })}">${view.texts.enrolment.usePhone}</a></p>`

async function enrolmentForm(
  view: View,
  started: { secret: string; qrCodeUri: string },
  { isRequired, mayUsePhone }: Offered,
  form: FormState,
): Promise<Page> {
  const { texts } = view
  const own = texts.enrolment
  const field = fieldOf(form, { name: 'code', label: texts.code, autocomplete: 'one-time-code', inputmode: 'numeric', className: 'code' })
  const steps = html`<ol class="steps"><li><h2>${own.scanTitle}</h2><p class="lead">${own.scan}</p><div class="qr">${await qrCode(started.qrCodeUri, own.qrLabel)}</div><p class="after"><a href="${started.qrCodeUri}">${own.openApp}</a></p><p class="lead">${own.secret}</p><span class="secret">${inGroups(started.secret)}</span></li><li><h2>${own.confirmTitle}</h2>${formTo(view, view.to('/mfa/enroll'), html`${field}${button(own.submit)}`)}</li></ol>`
  return {
    status: form.status,
    title: own.title,
    hasErrors: form.messages.length > 0,
    wide: true,
    body: html`${heading(own.title, leadOf(view, isRequired))}${errorSummary(view, form)}${steps}${mayUsePhone && usePhone(view)}`,
  }
}

function leadOf({ texts, brand }: View, isRequired: boolean): Html {
  return html`${isRequired && brand && html`<strong>${texts.enrolment.required(brand.name)}</strong> `}${texts.enrolment.lead}`
}

function phoneForm(view: View, { isRequired, mayUseApp }: Offered, form: FormState): Page {
  const own = view.texts.enrolment
  const field = fieldOf(form, { name: 'phone', label: own.phone, type: 'tel', autocomplete: 'tel', hint: own.phoneHint, first: true })
  return {
    status: form.status,
    title: own.title,
    hasErrors: form.messages.length > 0,
    body: html`${heading(own.title, leadOf(view, isRequired))}${errorSummary(view, form)}${formTo(view, view.to('/mfa/enroll/method'), html`${field}${button(own.sendCode)}`)}${mayUseApp && useApp(view)}`,
  }
}

const otherPhone = (view: View) =>
  html`<p class="after"><a href="${view.to('/mfa/enroll', { method: 'sms' })}">${view.texts.enrolment.otherPhone}</a></p>`

const useApp = (view: View) =>
  formTo(view, view.to('/mfa/enroll/method'), html`<button class="button quiet" type="submit">${view.texts.enrolment.useApp}</button>`)

function sentCodeForm(view: View, phone: string, { mayUseApp, mayUsePhone }: Offered, form: FormState): Page {
  const own = view.texts.enrolment
  const field = fieldOf(form, {
    name: 'code',
    label: view.texts.code,
    autocomplete: 'one-time-code',
    inputmode: 'numeric',
    className: 'code',
    first: true,
  })
  return {
    status: form.status,
    title: own.title,
    hasErrors: form.messages.length > 0,
    body: html`${heading(own.title, own.codeSent(phone))}${errorSummary(view, form)}${formTo(view, view.to('/mfa/enroll'), html`${field}${button(own.submit)}`)}${mayUsePhone && otherPhone(view)}${mayUseApp && useApp(view)}`,
  }
}

/** The codes, which are shown this once. */
export function savedCodes(view: View, backupCodes: readonly string[]): Page {
  const { title, lead, once, label, submit } = view.texts.backupCodes
  return {
    title,
    wide: true,
    body: html`${heading(title, lead)}<ul class="codes" aria-label="${label}">${backupCodes.map((code) => html`<li>${code}</li>`)}</ul><div class="notice"><p>${once}</p></div><p class="next"><a class="button" href="${view.returnTo ?? home}">${submit}</a></p>`,
  }
}

function notPossible(view: View, problem: Problem): Page {
  const own = view.texts.enrolment
  const isOn = problem.code === mfaAlreadyEnabled.code
  const title = isOn ? own.already : own.notAllowed
  const next = html`<p class="next"><a class="button" href="${view.returnTo ?? home}">${view.texts.continue}</a></p>`
  return {
    status: isOn ? 200 : 403,
    title,
    body: html`${heading(title, isOn ? own.alreadyLead : view.texts.refusals['mfa-method-not-allowed'])}${isOn && next}`,
  }
}

const inGroups = (secret: string) => secret.replace(/(.{4})(?=.)/g, '$1 ')
