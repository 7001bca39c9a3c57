/** /account/profile, /account/password and /account/second-factor */
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { PageRequest } from '../access/caller.ts'
import { sendsCodes } from '../access/factors.ts'
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
import { SecondFactorCode } from '../sign-in/schemas.ts'
import { type AccountVisit, accountPageOf, accountVisit, enrolmentFrom } from './account-visit.ts'
import { defineForm, definePage } from './define-page.ts'
import { savedCodes } from './enrolment.ts'
import { codeField, quietButton } from './fields.ts'
import type { FormState } from './form-state.ts'
import { formPage, formTo, successNotice } from './forms.ts'
import { type Page, sendPage } from './layout.ts'
import { chosenPassword, newPasswordField } from './password-fields.ts'
import { plainCode } from './second-factor.ts'
import { home, type PageDependencies, queryOf, type View } from './view.ts'

const NewPassword = PasswordChange.extend({ newPassword: chosenPassword() })
const Person = ProfileChanges.required({ firstName: true, lastName: true })
const FactorChange = SecondFactorCode.extend({ action: z.enum(['backup-codes', 'replace', 'disable']) })

interface FactorVisit extends AccountVisit {
  /** Whether codes can be sent to a phone. */
  byPhone: boolean
}

export const accountChangePages = (dependencies: PageDependencies) => async (app: App) => {
  const { database } = dependencies
  const visit = accountVisit(dependencies)

  definePage(app, dependencies, {
    path: `${home}/profile`,
    visit: async (request, reply) => {
      const visited = await visit(request, reply)
      return visited && { ...visited, profile: await showProfile(database, visited.caller) }
    },
    values: ({ profile: { firstName, lastName, phone } }) => ({ firstName, lastName, phone: phone ?? '' }),
    show: (visited, form) => accountPageOf(visited, profileForm(visited.view, form)),
    input: Person,
    operation: ({ caller }, { phone, ...names }) => changeProfile(database, caller, { ...names, phone: phone || null }),
    done: ({ reply, view }) => reply.redirect(view.to(home, { notice: 'profile-changed' }), 303),
  })

  definePage(app, dependencies, {
    path: `${home}/password`,
    visit,
    show: async (visited, form) => {
      const policy = await findPasswordPolicy(database, visited.caller.organisationId)
      return accountPageOf(visited, passwordForm(visited, policy, form))
    },
    input: NewPassword,
    operation: ({ caller, view }, change) => changePassword(dependencies, caller, change, view.language),
    done: ({ reply, view }) => reply.redirect(view.to(home, { notice: 'password-changed' }), 303),
  })

  const factorVisit = async (request: PageRequest, reply: FastifyReply): Promise<FactorVisit | undefined> => {
    const visited = await visit(request, reply)
    if (!visited) return undefined
    const { enabled, methods } = await showFactors(database, visited.caller)
    if (enabled) return { ...visited, byPhone: methods.some(({ method }) => sendsCodes(method)) }
    const { view } = visited
    reply.redirect(enrolmentFrom(view), 303)
    return undefined
  }

  definePage(app, dependencies, {
    path: `${home}/second-factor`,
    visit: factorVisit,
    show: factorPage,
    input: FactorChange,
    operation: async ({ caller, view }, { action, code }) => {
      const token = plainCode(code)
      if (action === 'disable') await disableMfa(dependencies, caller, token, view.language)
      if (action === 'replace') await enableMfa(dependencies, caller, { method: 'totp', token, replace: true }, view.language)
      return { action, codes: action === 'backup-codes' ? await replaceCodes(dependencies, caller, token, view.language) : [] }
    },
    done: (visited, { action, codes }) => {
      const { reply, view, caller } = visited
      if (action === 'backup-codes')
        return sendPage(reply, view, accountPageOf(visited, savedCodes(view, caller.email, codes, view.to(home))))
      if (action === 'replace') return reply.redirect(enrolmentFrom(view), 303)
      return reply.redirect(view.to(home, { notice: 'factors-off' }), 303)
    },
  })

  defineForm(app, dependencies, {
    path: `${home}/second-factor/code`,
    visit: factorVisit,
    show: factorPage,
    input: z.object({}),
    operation: ({ caller }) => sendCode(dependencies, caller.organisationId, caller.session.userId),
    done: ({ reply, view }) => reply.redirect(view.to(`${home}/second-factor`, { notice: 'sent' }), 303),
  })
}

const back = (view: View) => html`<p class="after"><a href="${view.to(home)}">${view.texts.account.back}</a></p>`

function profileForm(view: View, form: FormState): Page {
  const { texts } = view
  return formPage(view, form, {
    title: texts.account.changeName,
    action: view.to(`${home}/profile`),
    fields: [
      { name: 'firstName', label: texts.firstName, autocomplete: 'given-name', first: true },
      { name: 'lastName', label: texts.lastName, autocomplete: 'family-name' },
      { name: 'phone', label: texts.account.phone, type: 'tel', autocomplete: 'tel', optional: true },
    ],
    submit: texts.account.save,
    after: back(view),
  })
}

function passwordForm({ request, view }: AccountVisit, policy: StoredPolicy, form: FormState): Page {
  const { account, newPassword, reset } = view.texts
  const reveal = reset.showPassword
  return formPage(view, form, {
    title: account.changePassword,
    lead: account.othersEnd,
    notice: queryOf(request, 'notice') === 'session-ended' && successNotice(account.notMeEnded),
    action: view.to(`${home}/password`),
    fields: [
      { name: 'currentPassword', label: account.currentPassword, type: 'password', autocomplete: 'current-password', reveal, first: true },
      { ...newPasswordField(view, newPassword, policy, 'newPassword'), reveal },
    ],
    submit: account.changePassword,
    after: back(view),
  })
}

const factorPage = (visited: FactorVisit, form: FormState): Page => accountPageOf(visited, factorForm(visited, form))

function factorForm({ request, view, byPhone }: FactorVisit, form: FormState): Page {
  const { account, secondFactor } = view.texts
  return formPage(view, form, {
    title: account.secondFactor,
    lead: account.factorsLead,
    notice: queryOf(request, 'notice') === 'sent' && successNotice(secondFactor.sent),
    action: view.to(`${home}/second-factor`),
    fields: [codeField(view, { inputmode: 'numeric', first: true })],
    // The first one is what the Enter key does.
    submit: html`
      <div class="buttons stacked">
        <button class="button" type="submit" name="action" value="backup-codes">${account.newCodes}</button>
        <button class="button quiet" type="submit" name="action" value="replace">${account.replaceApp}</button>
        <button class="button quiet" type="submit" name="action" value="disable">${account.switchOff}</button>
      </div>`,
    after: html`
      ${byPhone && formTo(view, view.to(`${home}/second-factor/code`), quietButton(secondFactor.resend))}
      ${back(view)}`,
  })
}
