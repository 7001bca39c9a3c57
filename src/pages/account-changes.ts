/** /account/profile, /account/password, /account/password/link and /account/second-factor */
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { PageRequest } from '../access/caller.ts'
import { type MfaMethod, sendsCodes } from '../access/factors.ts'
import { findEnrolmentState } from '../mfa/begun-enrolment.ts'
import { enableMfa } from '../mfa/enable.ts'
import { phoneRequired } from '../mfa/refusals.ts'
import { type EnrolmentRequest, PhoneNumber } from '../mfa/schemas.ts'
import { sendCode } from '../mfa/send-code.ts'
import { showFactors } from '../mfa/show-factors.ts'
import { disableMfa, replaceCodes } from '../mfa/use-code.ts'
import type { StoredPolicy } from '../organisations/rules.ts'
import { proofOfFactor, startProof } from '../passkeys/options.ts'
import type { StartedRequest } from '../passkeys/schemas.ts'
import { askForLink } from '../passwords/ask-for-link.ts'
import { changePassword } from '../passwords/change-password.ts'
import { findPasswordPolicy } from '../passwords/inspect-link.ts'
import { findOwnPasswordState, type PasswordState } from '../passwords/own-password-state.ts'
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
import { PasskeyFields, passkeyForm, passkeyPage, proofOf } from './passkey-form.ts'
import { chosenPassword, newPasswordField } from './password-fields.ts'
import { plainCode } from './second-factor.ts'
import { home, type PageDependencies, queryOf, type View } from './view.ts'

const NewPassword = PasswordChange.extend({ newPassword: chosenPassword() })
const Person = ProfileChanges.required({ firstName: true, lastName: true })
const action = z.enum(['backup-codes', 'replace', 'add-app', 'add-passkey', 'disable'])
const FactorChange = z.union([SecondFactorCode.extend({ action }), PasskeyFields.extend({ action })])

interface FactorVisit extends AccountVisit {
  methods: readonly MfaMethod[]
  /** Whether the user may make passkeys a second factor, too. */
  mayAddPasskey: boolean
  /** The passkey request by which a user who has no codes to enter changes the factors. */
  byPasskey: StartedRequest | undefined
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
    operation: ({ caller, profile }, { phone, ...names }) => {
      // A phone number that another system has stored may stay.
      if (phone && phone !== profile.phone && !PhoneNumber.safeParse(phone).success) throw phoneRequired()
      return changeProfile(database, caller, { ...names, phone: phone || null })
    },
    done: ({ reply, view }) => reply.redirect(view.to(home, { notice: 'profile-changed' }), 303),
  })

  /** A user without a password has nothing to change: their account says how they can set one. */
  const passwordVisit =
    (expected: PasswordState) =>
    async (request: PageRequest, reply: FastifyReply): Promise<AccountVisit | undefined> => {
      const visited = await visit(request, reply)
      if (!visited || (await findOwnPasswordState(dependencies, visited.caller)) === expected) return visited
      reply.redirect(`${visited.view.to(home)}#password`, 303)
      return undefined
    }

  definePage(app, dependencies, {
    path: `${home}/password`,
    visit: passwordVisit('set'),
    show: async (visited, form) => {
      const policy = await findPasswordPolicy(database, visited.caller.organisationId)
      return accountPageOf(visited, passwordForm(visited, policy, form))
    },
    input: NewPassword,
    operation: ({ caller, view }, change) => changePassword(dependencies, caller, change, view.language),
    done: ({ reply, view }) => reply.redirect(view.to(home, { notice: 'password-changed' }), 303),
  })

  defineForm(app, dependencies, {
    path: `${home}/password/link`,
    visit: passwordVisit('settable'),
    show: (visited, form) => accountPageOf(visited, linkForm(visited.view, form)),
    input: z.object({}),
    operation: ({ request, caller, view }) => askForLink(dependencies, request, caller.email, view.language),
    done: ({ reply, view }) => reply.redirect(view.to(home, { notice: 'link-sent' }), 303),
  })

  const factorVisit = async (request: PageRequest, reply: FastifyReply): Promise<FactorVisit | undefined> => {
    const visited = await visit(request, reply)
    if (!visited) return undefined
    const { view, caller } = visited
    const { enabled, methods: held } = await showFactors(database, caller)
    if (!enabled) {
      reply.redirect(enrolmentFrom(view), 303)
      return undefined
    }
    const methods = held.map(({ method }) => method)
    const hasPasskeys = methods.includes('passkey')
    const asksForPasskey = hasPasskeys && methods.length === 1
    const { organisationId, session } = caller
    const byPasskey = asksForPasskey ? await startProof(dependencies, { organisationId, userId: session.userId }, proofOfFactor) : undefined
    const mayAddPasskey = !hasPasskeys && (await findEnrolmentState(dependencies, caller)).allowed.has('passkey')
    return { ...visited, methods, mayAddPasskey, byPasskey }
  }

  definePage(app, dependencies, {
    path: `${home}/second-factor`,
    visit: factorVisit,
    show: factorPage,
    input: FactorChange,
    operation: async ({ caller, view }, { action, ...given }) => {
      const proof = 'code' in given ? { token: plainCode(given.code) } : proofOf(given)
      const enable = (request: EnrolmentRequest) => enableMfa(dependencies, caller, { ...request, ...proof }, view.language)
      if (action === 'disable') await disableMfa(dependencies, caller, proof, view.language)
      if (action === 'replace') await enable({ method: 'totp', replace: true })
      if (action === 'add-app') await enable({ method: 'totp' })
      if (action === 'add-passkey') await enable({ method: 'passkey' })
      return { action, codes: action === 'backup-codes' ? await replaceCodes(dependencies, caller, proof, view.language) : [] }
    },
    done: (visited, { action, codes }) => {
      const { reply, view, caller } = visited
      if (action === 'backup-codes')
        return sendPage(reply, view, accountPageOf(visited, savedCodes(view, caller.email, codes, view.to(home))))
      if (action === 'disable') return reply.redirect(view.to(home, { notice: 'factors-off' }), 303)
      return reply.redirect(enrolmentFrom(view), 303)
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
  const revealOf = (label: string) => ({ reveal: reset.showPassword, revealName: `${reset.showPassword}: ${label}` })
  return formPage(view, form, {
    title: account.changePassword,
    lead: account.othersEnd,
    notice: queryOf(request, 'notice') === 'session-ended' && successNotice(account.notMeEnded),
    action: view.to(`${home}/password`),
    fields: [
      {
        name: 'currentPassword',
        label: account.currentPassword,
        type: 'password',
        autocomplete: 'current-password',
        ...revealOf(account.currentPassword),
        first: true,
      },
      { ...newPasswordField(view, newPassword, policy, 'newPassword'), ...revealOf(newPassword) },
    ],
    submit: account.changePassword,
    after: back(view),
  })
}

/** Shown after a refusal: the account offers the link itself. */
const linkForm = (view: View, form: FormState): Page =>
  formPage(view, form, {
    title: view.texts.password,
    lead: view.texts.account.noPassword,
    action: view.to(`${home}/password/link`),
    fields: [],
    submit: view.texts.account.sendPasswordLink,
    after: back(view),
  })

const factorPage = (visited: FactorVisit, form: FormState): Page =>
  accountPageOf(visited, visited.byPasskey ? factorsByPasskey(visited, visited.byPasskey, form) : factorsByCode(visited, form))

function factorsByCode({ request, view, methods, mayAddPasskey }: FactorVisit, form: FormState): Page {
  const { account, secondFactor } = view.texts
  return formPage(view, form, {
    title: account.secondFactor,
    lead: account.factorsLead,
    notice: queryOf(request, 'notice') === 'sent' && successNotice(secondFactor.sent),
    action: view.to(`${home}/second-factor`),
    fields: [codeField(view, { inputmode: 'numeric', first: true })],
    submit: actions([
      ['backup-codes', account.newCodes],
      ['replace', account.replaceApp],
      ...(mayAddPasskey ? ([['add-passkey', account.addPasskey]] as const) : []),
      ['disable', account.switchOff],
    ]),
    after: html`
      ${methods.some(sendsCodes) && formTo(view, view.to(`${home}/second-factor/code`), quietButton(secondFactor.resend))}
      ${back(view)}`,
  })
}

/** The same form for a user whose only second factor is a passkey, and who therefore has no code to enter. */
function factorsByPasskey({ view }: FactorVisit, started: StartedRequest, form: FormState): Page {
  const { account } = view.texts
  const submit = actions([
    ['backup-codes', account.newCodes],
    ['add-app', account.addApp],
    ['disable', account.switchOff],
  ])
  const byPasskey = passkeyForm(view, { action: view.to(`${home}/second-factor`), does: 'get', ...started, submit })
  return passkeyPage(view, form, {
    title: account.secondFactor,
    lead: account.factorsLeadPasskey,
    forms: html`${byPasskey}${back(view)}`,
  })
}

type FactorAction = z.infer<typeof action>

/** Stacks buttons vertically. The Enter key presses the first one. */
const actions = (all: readonly (readonly [FactorAction, string])[]) => html`
  <div class="buttons stacked">${all.map(
    ([value, label], index) =>
      html`<button class="button${index > 0 && ' quiet'}" type="submit" name="action" value="${value}">${label}</button>`,
  )}</div>`
