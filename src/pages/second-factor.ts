/** /login/mfa */
import { z } from 'zod'
import { originOf } from '../access/caller.ts'
import { page } from '../access/declarations.ts'
import { html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { completeSignIn, sendSignInCode } from '../sign-in/complete-sign-in.ts'
import { SecondFactor } from '../sign-in/schemas.ts'
import { button, emptyForm, errorSummary, type FormState, fieldOf, formTo, heading, submit } from './forms.ts'
import { sendPage } from './layout.ts'
import { followOutcome } from './login.ts'
import { type Challenge, dropChallenge, keptChallenge } from './mfa-challenge.ts'
import { type PageDependencies, queryOf, signInViewOf, type View } from './view.ts'

const Code = SecondFactor.pick({ code: true })

export const secondFactorPage = (dependencies: PageDependencies) => async (app: App) => {
  const { secureCookie } = dependencies
  const route = { config: { access: page() }, schema: { hide: true } }

  app.get('/login/mfa', route, async (request, reply) => {
    const view = await signInViewOf(dependencies, request, reply)
    const challenge = keptChallenge(request)
    if (!challenge) return reply.redirect(view.to('/login'), 303)
    return sendPage(reply, view, codeForm(view, challenge, emptyForm(), queryOf(request, 'notice') === 'sent'))
  })

  app.post('/login/mfa', route, async (request, reply) => {
    const view = await signInViewOf(dependencies, request, reply)
    const challenge = keptChallenge(request)
    if (!challenge) return reply.redirect(view.to('/login', { notice: 'step-expired' }), 303)
    const submission = await submit(dependencies, { request, reply, view }, Code, ({ code }) =>
      completeSignIn(dependencies, originOf(request), { mfaToken: challenge.mfaToken, code: plainCode(code) }, view.language),
    )
    if (submission.done) {
      dropChallenge(reply, secureCookie)
      return followOutcome(dependencies, reply, view, submission.result)
    }
    // The token is used, too old or has failed too often: the password has to come again.
    if (submission.form.status === 401) {
      dropChallenge(reply, secureCookie)
      return reply.redirect(view.to('/login', { notice: 'step-expired' }), 303)
    }
    return sendPage(reply, view, codeForm(view, challenge, submission.form))
  })

  app.post('/login/mfa/code', route, async (request, reply) => {
    const view = await signInViewOf(dependencies, request, reply)
    const challenge = keptChallenge(request)
    if (!challenge) return reply.redirect(view.to('/login', { notice: 'step-expired' }), 303)
    const submission = await submit(dependencies, { request, reply, view }, z.object({}), () =>
      sendSignInCode(dependencies, challenge.mfaToken),
    )
    if (submission.done) return reply.redirect(view.to('/login/mfa', { notice: 'sent' }), 303)
    if (submission.form.status === 401) return reply.redirect(view.to('/login', { notice: 'step-expired' }), 303)
    return sendPage(reply, view, codeForm(view, challenge, submission.form))
  })
}

/** Apps show codes in groups, and people type them so. */
export const plainCode = (code: string) => (/^[\d\s]+$/.test(code) ? code.replace(/\s/g, '') : code)

function codeForm(view: View, { methods }: Challenge, form: FormState, isSent = false) {
  const texts = view.texts.secondFactor
  const lead = methods.includes('sms') ? (methods.includes('totp') ? texts.leadEither : texts.leadSms) : texts.leadApp
  const field = fieldOf(form, {
    name: 'code',
    label: view.texts.code,
    autocomplete: 'one-time-code',
    hint: texts.hint,
    className: 'code',
    first: true,
  })
  const resend =
    methods.includes('sms') &&
    formTo(view, view.to('/login/mfa/code'), html`<button class="button quiet" type="submit">${texts.resend}</button>`)
  const notice = isSent && html`<div class="notice success" role="status"><p>${texts.sent}</p></div>`
  return {
    status: form.status,
    title: texts.title,
    hasErrors: form.messages.length > 0,
    body: html`${heading(texts.title, lead)}${errorSummary(view, form) ?? notice}${formTo(view, view.to('/login/mfa'), html`${field}${button(texts.submit)}`)}${resend}<p class="after"><a href="${view.to('/login')}">${view.texts.otherAccount}</a></p>`,
  }
}
