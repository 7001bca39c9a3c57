/** /account/profile, /account/password and /account/second-factor */
import { z } from 'zod'
import { page } from '../access/declarations.ts'
import { enableMfa } from '../mfa/enable.ts'
import { sendCode } from '../mfa/send-code.ts'
import { showFactors } from '../mfa/show-factors.ts'
import { disableMfa, replaceCodes } from '../mfa/use-code.ts'
import type { StoredPolicy } from '../organisations/rules.ts'
import { changePassword } from '../passwords/change-password.ts'
import { findPasswordPolicy } from '../passwords/inspect-link.ts'
import { PasswordChange } from '../passwords/schemas.ts'
import { html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { changeProfile } from '../profile/change-profile.ts'
import { ProfileChanges } from '../profile/schemas.ts'
import { showProfile } from '../profile/show-profile.ts'
import { SecondFactor } from '../sign-in/schemas.ts'
import { type AccountVisit, accountVisit } from './account-visit.ts'
import { savedCodes } from './enrolment.ts'
import { button, emptyForm, errorSummary, type FormState, fieldOf, formTo, heading, submit } from './forms.ts'
import { type Page, sendPage } from './layout.ts'
import { chosenPassword, newPasswordField } from './password-fields.ts'
import { plainCode } from './second-factor.ts'
import { home, type PageDependencies, queryOf, type View } from './view.ts'

const NewPassword = PasswordChange.extend({ newPassword: chosenPassword() })
const Person = ProfileChanges.required({ firstName: true, lastName: true })
const FactorChange = SecondFactor.pick({ code: true }).extend({ action: z.enum(['backup-codes', 'replace', 'disable']) })

export const accountChangePages = (dependencies: PageDependencies) => async (app: App) => {
  const { database } = dependencies
  const route = { config: { access: page() }, schema: { hide: true } }
  const policyOf = ({ caller }: AccountVisit) => findPasswordPolicy(database, caller.organisationId)

  app.get(
    `${home}/profile`,
    route,
    accountVisit(dependencies, async ({ reply, view, caller }) => {
      const { firstName, lastName, phone } = await showProfile(database, caller)
      return sendPage(reply, view, profileForm(view, emptyForm({ firstName, lastName, phone: phone ?? '' })))
    }),
  )

  app.post(
    `${home}/profile`,
    route,
    accountVisit(dependencies, async (visit) => {
      const { reply, view, caller } = visit
      const submission = await submit(dependencies, visit, Person, ({ phone, ...names }) =>
        changeProfile(database, caller, { ...names, phone: phone || null }),
      )
      if (!submission.done) return sendPage(reply, view, profileForm(view, submission.form))
      return reply.redirect(view.to(home, { notice: 'profile-changed' }), 303)
    }),
  )

  app.get(
    `${home}/password`,
    route,
    accountVisit(dependencies, async (visit) => {
      const { reply, view } = visit
      return sendPage(reply, view, passwordForm(view, await policyOf(visit), emptyForm()))
    }),
  )

  app.post(
    `${home}/password`,
    route,
    accountVisit(dependencies, async (visit) => {
      const { reply, view, caller } = visit
      const submission = await submit(dependencies, visit, NewPassword, (change) =>
        changePassword(dependencies, caller, change, view.language),
      )
      if (!submission.done) return sendPage(reply, view, passwordForm(view, await policyOf(visit), submission.form))
      return reply.redirect(view.to(home, { notice: 'password-changed' }), 303)
    }),
  )

  app.get(
    `${home}/second-factor`,
    route,
    accountVisit(dependencies, (visit) => showFactorForm(visit, emptyForm())),
  )

  app.post(
    `${home}/second-factor`,
    route,
    accountVisit(dependencies, async (visit) => {
      const { reply, view, caller } = visit
      const submission = await submit(dependencies, visit, FactorChange, async ({ action, code }) => {
        const token = plainCode(code)
        if (action === 'disable') await disableMfa(dependencies, caller, token, view.language)
        if (action === 'replace') await enableMfa(dependencies, caller, { method: 'totp', token, replace: true }, view.language)
        return { action, codes: action === 'backup-codes' ? await replaceCodes(dependencies, caller, token, view.language) : [] }
      })
      if (!submission.done) return showFactorForm(visit, submission.form)
      const { action, codes } = submission.result
      if (action === 'backup-codes') return sendPage(reply, view, savedCodes(view, codes))
      if (action === 'replace') return reply.redirect(view.to('/mfa/enroll', { returnTo: home }), 303)
      return reply.redirect(view.to(home, { notice: 'factors-off' }), 303)
    }),
  )

  app.post(
    `${home}/second-factor/code`,
    route,
    accountVisit(dependencies, async (visit) => {
      const { reply, view, caller } = visit
      const submission = await submit(dependencies, visit, z.object({}), () =>
        sendCode(dependencies, caller.organisationId, caller.session.userId),
      )
      if (!submission.done) return showFactorForm(visit, submission.form)
      return reply.redirect(view.to(`${home}/second-factor`, { notice: 'sent' }), 303)
    }),
  )

  async function showFactorForm({ request, reply, view, caller }: AccountVisit, form: FormState) {
    const { enabled, methods } = await showFactors(database, caller)
    if (!enabled) return reply.redirect(view.to('/mfa/enroll', { returnTo: home }), 303)
    const byPhone = methods.some(({ method }) => method === 'sms')
    return sendPage(reply, view, factorForm(view, byPhone, form, queryOf(request, 'notice') === 'sent'))
  }
}

const back = (view: View) => html`<p class="after"><a href="${view.to(home)}">${view.texts.account.back}</a></p>`

function profileForm(view: View, form: FormState): Page {
  const { texts } = view
  const first = fieldOf(form, { name: 'firstName', label: texts.firstName, autocomplete: 'given-name', first: true })
  const last = fieldOf(form, { name: 'lastName', label: texts.lastName, autocomplete: 'family-name' })
  const phone = fieldOf(form, { name: 'phone', label: texts.account.phone, type: 'tel', autocomplete: 'tel', optional: true })
  return {
    status: form.status,
    title: texts.account.changeName,
    hasErrors: form.messages.length > 0,
    body: html`${heading(texts.account.changeName)}${errorSummary(view, form)}${formTo(view, view.to(`${home}/profile`), html`${first}${last}${phone}${button(texts.account.save)}`)}${back(view)}`,
  }
}

function passwordForm(view: View, policy: StoredPolicy, form: FormState): Page {
  const { texts } = view
  const current = fieldOf(form, {
    name: 'currentPassword',
    label: texts.account.currentPassword,
    type: 'password',
    autocomplete: 'current-password',
    first: true,
  })
  const chosen = newPasswordField(view, form, texts.newPassword, policy, 'newPassword')
  return {
    status: form.status,
    title: texts.account.changePassword,
    hasErrors: form.messages.length > 0,
    body: html`${heading(texts.account.changePassword, texts.account.othersEnd)}${errorSummary(view, form)}${formTo(view, view.to(`${home}/password`), html`${current}${chosen}${button(texts.account.changePassword)}`)}${back(view)}`,
  }
}

function factorForm(view: View, byPhone: boolean, form: FormState, isSent: boolean): Page {
  const { texts } = view
  const own = texts.account
  const field = fieldOf(form, {
    name: 'code',
    label: texts.code,
    autocomplete: 'one-time-code',
    inputmode: 'numeric',
    className: 'code',
    first: true,
  })
  // The first one is what the Enter key does.
  const buttons = html`<div class="buttons"><button class="button" type="submit" name="action" value="backup-codes">${own.newCodes}</button><button class="button quiet" type="submit" name="action" value="replace">${own.replaceApp}</button><button class="button quiet" type="submit" name="action" value="disable">${own.switchOff}</button></div>`
  const resend =
    byPhone &&
    formTo(
      view,
      view.to(`${home}/second-factor/code`),
      html`<button class="button quiet" type="submit">${texts.secondFactor.resend}</button>`,
    )
  const notice = isSent && html`<div class="notice success" role="status"><p>${texts.secondFactor.sent}</p></div>`
  return {
    status: form.status,
    title: own.secondFactor,
    hasErrors: form.messages.length > 0,
    body: html`${heading(own.secondFactor, own.factorsLead)}${errorSummary(view, form) ?? notice}${formTo(view, view.to(`${home}/second-factor`), html`${field}${buttons}`)}${resend}${back(view)}`,
  }
}
