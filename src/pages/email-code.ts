/** /login/email: mail scanners open links and press buttons, so only the browser that asked can sign in by a link */
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { PageRequest } from '../access/caller.ts'
import { ssoRequired } from '../domains/refusals.ts'
import { type EmailFlow, readFlow } from '../email-codes/flows.ts'
import { findLinkedCode, type LinkedCode } from '../email-codes/linked-code.ts'
import { invalidEmailCode } from '../email-codes/refusals.ts'
import { EmailCodeProof, EmailCodeRequest } from '../email-codes/schemas.ts'
import { LinkToken } from '../passwords/schemas.ts'
import { hashSecret } from '../platform/crypto/secrets.ts'
import { html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { askForEmailCode } from '../sign-in/ask-for-email-code.ts'
import type { SignInOutcome } from '../sign-in/outcome.ts'
import { signInByEmailCode } from '../sign-in/sign-in-by-email-code.ts'
import { definePage, type Visit } from './define-page.ts'
import { clearFlowCookie, type KeptFlow, keptFlow, setFlowCookie } from './email-flow.ts'
import { codeField, hidden, quietButton } from './fields.ts'
import type { FormState } from './form-state.ts'
import { formPage, formTo } from './forms.ts'
import { noteLastUsed } from './last-used.ts'
import { heading, type Page, sendPage } from './layout.ts'
import { followOutcome } from './login.ts'
import { plainCode } from './second-factor.ts'
import { toConnection } from './to-connection.ts'
import { askedOf, linkTokenOf, originOfSignIn, type PageDependencies, queryOf, signInViewOf, type View, viewOf } from './view.ts'

const path = '/login/email'
/** The parameter of the address at which the code is entered. */
const codeStep = { step: 'code' }

interface EmailCodeVisit extends Visit {
  asked:
    | { kind: 'address' }
    | { kind: 'code'; kept: KeptFlow; flow: EmailFlow }
    /** A visit by the link of a mail. @param kept undefined in any browser but the one that asked */
    | { kind: 'link'; linked: LinkedCode; kept: KeptFlow | undefined }
}

type Result = { kind: 'asked'; flowToken: string } | { kind: 'shown'; code: string } | SignInOutcome

export const emailCodePage = (dependencies: PageDependencies) => async (app: App) => {
  const { database, keyring, secureCookie } = dependencies

  const visitLink = async (request: PageRequest, reply: FastifyReply, token: string): Promise<EmailCodeVisit | undefined> => {
    const linked = await findLinkedCode(database, keyring, token)
    const flow = keptFlow(request, secureCookie)
    const kept = flow && hashSecret(flow.flowToken) === linked?.flowTokenHash ? flow : undefined
    const { uiLocales } = askedOf(request)
    const asked = kept && { ...kept.asked, uiLocales: uiLocales ?? kept.asked.uiLocales }
    const view = await viewOf(dependencies, request, reply, linked?.organisationId, asked)
    if (!linked) {
      sendPage(reply, view, invalidLink(view))
      return undefined
    }
    return {
      request,
      reply,
      view: kept?.returnTo === undefined ? view : view.returningTo(kept.returnTo),
      asked: { kind: 'link', linked, kept },
    }
  }

  const visit = async (request: PageRequest, reply: FastifyReply): Promise<EmailCodeVisit | undefined> => {
    const token = linkTokenOf(request)
    if (token !== '') return visitLink(request, reply, token)
    const view = await signInViewOf(dependencies, request, reply)
    if (queryOf(request, 'step') !== codeStep.step) return { request, reply, view, asked: { kind: 'address' } }
    const kept = keptFlow(request, secureCookie)
    const flow = kept && readFlow(keyring, kept.flowToken, database.clock.now())
    if (flow) return { request, reply, view, asked: { kind: 'code', kept, flow } }
    reply.redirect(view.to(path, { notice: 'expired' }), 303)
    return undefined
  }

  definePage(app, dependencies, {
    path,
    visit,
    values: ({ request }) => ({ email: queryOf(request, 'login_hint') ?? '', token: linkTokenOf(request) }),
    show,
    input: z.union([EmailCodeRequest, EmailCodeProof.pick({ code: true }), LinkToken]),
    operation: async ({ request, view, asked }, input): Promise<Result> => {
      const origin = originOfSignIn(request, view)
      if ('email' in input) {
        return { kind: 'asked', flowToken: await askForEmailCode(dependencies, request, origin, input.email, view.language) }
      }
      if (asked.kind === 'link' && !asked.kept) return { kind: 'shown', code: asked.linked.code }
      if (asked.kind === 'address' || !asked.kept) throw invalidEmailCode()
      const code = asked.kind === 'link' ? asked.linked.code : 'code' in input ? plainCode(input.code) : ''
      return signInByEmailCode(dependencies, origin, { flowToken: asked.kept.flowToken, code }, request.afterRandomDelay)
    },
    refused: (visit, { refusal, values }) => {
      // A user who may sign in otherwise does so by the link of the mail, in this browser.
      const flowToken = refusal?.code === ssoRequired.code ? refusal.members.flowToken : undefined
      if (typeof flowToken === 'string') setFlowCookie(visit.reply, { flowToken, ...visit.view }, secureCookie)
      return toConnection(dependencies, visit, refusal, values.email)
    },
    done: ({ reply, view }, result) => {
      if (result.kind === 'shown') return sendPage(reply, view, codeShown(view, result.code))
      if (result.kind !== 'asked') noteLastUsed(reply, view, 'email_code', secureCookie)
      if (result.kind !== 'asked') return followOutcome(dependencies, clearFlowCookie(reply, secureCookie), view, result)
      setFlowCookie(reply, { ...view, flowToken: result.flowToken }, secureCookie)
      return reply.redirect(view.to(path, codeStep), 303)
    },
  })
}

function show({ request, view, asked }: EmailCodeVisit, form: FormState): Page {
  switch (asked.kind) {
    case 'address':
      return addressForm(view, form, queryOf(request, 'notice') === 'expired')
    case 'code':
      return codeForm(view, form, asked.flow.email)
    case 'link':
      return linkForm(view, form, asked)
  }
}

function addressForm(view: View, form: FormState, isExpired: boolean): Page {
  const { email, emailCode } = view.texts
  return formPage(view, form, {
    title: emailCode.title,
    lead: emailCode.lead,
    notice: isExpired && html`<div class="notice" role="status"><p>${emailCode.expired}</p></div>`,
    action: view.to(path),
    fields: [{ name: 'email', label: email, type: 'email', autocomplete: 'username', first: true }],
    submit: emailCode.submit,
    after: backToSignIn(view),
  })
}

function codeForm(view: View, form: FormState, email: string): Page {
  const { emailCode } = view.texts
  return formPage(view, form, {
    title: emailCode.codeTitle,
    lead: emailCode.sent(email),
    action: view.to(path, codeStep),
    fields: [codeField(view, { hint: emailCode.hint, inputmode: 'numeric', first: true })],
    submit: emailCode.signIn,
    after: html`
      ${formTo(view, view.to(path), html`${hidden('email', email)}${quietButton(emailCode.again)}`)}
      <p class="after"><a href="${view.to(path)}">${emailCode.otherAddress}</a></p>
      ${backToSignIn(view)}`,
  })
}

function linkForm(view: View, form: FormState, { linked, kept }: Extract<EmailCodeVisit['asked'], { kind: 'link' }>): Page {
  const { emailCode } = view.texts
  return formPage(view, form, {
    title: emailCode.title,
    lead: kept ? emailCode.linkLead(linked.email) : emailCode.elsewhere,
    action: view.to(path),
    fields: [hidden('token', form.values.token ?? '')],
    submit: kept ? emailCode.signIn : emailCode.show,
  })
}

function codeShown(view: View, code: string): Page {
  const { shownTitle, shown, shownWarning } = view.texts.emailCode
  return {
    title: shownTitle,
    body: html`
      ${heading(shownTitle, shown)}
      <p class="secret mailed-code">${code}</p>
      <p>${shownWarning}</p>`,
  }
}

function invalidLink(view: View): Page {
  const { invalidTitle, invalid } = view.texts.emailCode
  return { status: 400, title: invalidTitle, body: html`${heading(invalidTitle, invalid)}${backToSignIn(view)}` }
}

const backToSignIn = (view: View) => html`<p class="after"><a href="${view.to('/login')}">${view.texts.backToSignIn}</a></p>`
