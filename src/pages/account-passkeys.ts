/** /account/passkeys */
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { BrowserSession, PageRequest } from '../access/caller.ts'
import { recentSignInRequired } from '../access/refusals.ts'
import { deleteOwnPasskey } from '../mfa/delete-passkey.ts'
import { changePasskey } from '../passkeys/change-passkey.ts'
import { findOwnPasskeys, type OwnPasskeys, type Passkey } from '../passkeys/own-passkeys.ts'
import { providerOf } from '../passkeys/providers.ts'
import { passkeyMismatch } from '../passkeys/refusals.ts'
import { checkRegistration, type Registered, registerPasskey, startRegistration } from '../passkeys/register.ts'
import { type NewPasskey, PasskeyChanges, RegistrationResponse, type StartedRegistration } from '../passkeys/schemas.ts'
import { id } from '../platform/http/fields.ts'
import { type Html, html } from '../platform/http/html.ts'
import { Problem } from '../platform/http/problem.ts'
import type { App } from '../platform/http/server.ts'
import { parseJson } from '../platform/json-object.ts'
import { setSessionCookie } from '../sessions/session-cookie.ts'
import { accountPageOf } from './account-visit.ts'
import { continueTo } from './continue-to.ts'
import { definePage, type Visit } from './define-page.ts'
import { button, fieldOf, hidden } from './fields.ts'
import { emptyForm, type FormState } from './form-state.ts'
import { errorSummary, formPage, formTo, successNotice } from './forms.ts'
import { heading, type Page, sendPage } from './layout.ts'
import { refusalText } from './messages.ts'
import { formBeforePasskey, PasskeyFields, passkeyForm, signals } from './passkey-form.ts'
import { textWith, timeIn } from './times.ts'
import { comingBackTo, formOf, home, inChosenLanguage, type PageDependencies, queryOf, type View, viewOf } from './view.ts'

export const passkeysPath = `${home}/passkeys`
const passkeyName = PasskeyChanges.shape.name.unwrap()
const newName = z.union([z.literal(''), passkeyName])

const Change = z.discriminatedUnion('action', [
  z.object({ action: z.literal('begin'), name: newName }),
  z.object({ action: z.literal('add'), ...PasskeyFields.shape, name: newName }),
  z.object({ action: z.literal('rename'), passkey: id(), name: passkeyName }),
  z.object({ action: z.literal('delete'), passkey: id() }),
])
type Change = z.infer<typeof Change>

interface PasskeysVisit extends Visit {
  session: BrowserSession
}

export const accountPasskeysPage = (dependencies: PageDependencies) => async (app: App) => {
  const { database, secureCookie } = dependencies

  definePage(app, dependencies, {
    path: passkeysPath,
    visit: async (request: PageRequest, reply: FastifyReply): Promise<PasskeysVisit | undefined> => {
      const { browserSession: session } = request
      const view = await viewOf(dependencies, request, reply)
      // Accept a session that has to enrol, too: a passkey may be what is missing.
      if (session) return { request, reply, session, view }
      // Take only the chosen language: the rest of the address would otherwise appear in it once more.
      reply.redirect(inChosenLanguage(request, '/login', { returnTo: comingBackTo(request, passkeysPath) }), 303)
      return undefined
    },
    show: (visited, form) => show(dependencies, visited, form),
    input: Change,
    operation: async ({ session: { caller }, view }, change): Promise<Registered | StartedRegistration | undefined> => {
      if (change.action === 'begin') return startRegistration(dependencies, caller)
      if (change.action === 'add') return registerPasskey(dependencies, caller, newPasskeyOf(change), view.language)
      if (change.action === 'rename') await changePasskey(database, caller, change.passkey, { name: change.name })
      if (change.action === 'delete') await deleteOwnPasskey(dependencies, caller, change.passkey, view.language)
      return undefined
    },
    done: async (visited, done) => {
      const { reply, view, session, request } = visited
      if (done && 'options' in done) return sendPage(reply, view, await show(dependencies, visited, emptyForm(formOf(request)), done))
      const registered = done
      if (registered?.session) {
        setSessionCookie(reply, registered.session, secureCookie)
        return continueTo(reply, view.language, view.onward)
      }
      // The session awaits a second factor as well; a passkey that cannot sign in does not complete it.
      if (registered?.passkey.canSignIn && session.awaitsMfaEnrolment) return reply.redirect(view.to('/mfa/enroll'), 303)
      const notice = registered ? (registered.passkey.canSignIn ? 'added' : 'added-as-second') : noticeAfter(request)
      return reply.redirect(view.to(passkeysPath, { notice }), 303)
    },
    refused: ({ reply, view }, { refusal }) =>
      refusal?.code === recentSignInRequired.code ? reply.redirect(proofFor(view), 303) : undefined,
  })
}

const noticeAfter = ({ body }: PageRequest) => ((body as { action?: string }).action === 'delete' ? 'removed' : 'renamed')

/** Leads to the proof that it is still the user, and back. */
const proofFor = (view: View) => view.returningTo(view.to(passkeysPath)).to('/reauthenticate')

/** @throws Problem `bad-request` for values that no browser sends */
export function newPasskeyOf({ flowToken, credential, name }: Omit<Extract<Change, { action: 'add' }>, 'action'>): NewPasskey {
  const parsed = RegistrationResponse.safeParse(parseJson(credential))
  if (!parsed.success) throw passkeyMismatch('the credential')
  return { flowToken, credential: parsed.data, ...(name !== '' && { name }) }
}

async function show(dependencies: PageDependencies, visited: PasskeysVisit, form: FormState, started?: StartedRegistration): Promise<Page> {
  const { request, view, session } = visited
  const { caller } = session
  const own = await findOwnPasskeys(dependencies, caller)
  const chosen = own.passkeys.find((passkey) => passkey.id === queryOf(request, 'passkey'))
  const page = chosen ? changeForm(view, chosen, form) : await overview(dependencies, visited, own, { form, started })
  // The console, too, awaits the enrolment, so the page does not lead back to it.
  const framed = session.awaitsMfaEnrolment ? { ...page, script: true } : accountPageOf({ view, caller }, page)
  return { ...framed, passkeys: true }
}

async function overview(
  dependencies: PageDependencies,
  { request, view, session }: PasskeysVisit,
  { passkeys, signals: told }: OwnPasskeys,
  { form, started }: Addition,
): Promise<Page> {
  // Do not tell the device which passkeys exist while it creates one: it would delete the new one, which is not among them yet.
  const { passkeys: texts, account } = view.texts
  const isRequired = session.awaitsMfaEnrolment && view.brand !== undefined && texts.required(view.brand.name)
  return {
    status: form.status,
    title: texts.title,
    wide: true,
    hasErrors: form.messages.length > 0,
    body: html`
      ${heading(texts.title, html`${isRequired && html`<strong>${isRequired}</strong> `}${texts.lead}`)}
      ${errorSummary(view, form) ?? noticeOf(view, queryOf(request, 'notice'))}
      ${passkeys.length > 0 && html`<ul class="records">${passkeys.map((passkey) => passkeyItem(view, passkey))}</ul>`}
      ${await additionOf(dependencies, { view, session }, { form, started })}
      ${!session.awaitsMfaEnrolment && html`<p class="after"><a href="${view.to(home)}">${account.back}</a></p>`}
      ${!started && signals(told)}`,
  }
}

function passkeyItem(view: View, passkey: Passkey): Html {
  const { passkeys: texts } = view.texts
  const provider = providerOf(passkey.aaguid)
  const facts = [provider !== null && provider !== passkey.name && provider, passkey.isSynced ? texts.synced : texts.notSynced]
  const used = passkey.lastUsedAt ? textWith(texts.lastUsed, timeIn(view, passkey.lastUsedAt)) : texts.neverUsed
  return html`
    <li>
      <span>
        ${passkey.name}<br>
        <span class="aside">${passkey.canSignIn ? texts.signsIn : texts.secondOnly}<br>${facts.filter((fact) => fact !== false).join(' · ')} · ${used}</span>
      </span>
      <a href="${view.to(passkeysPath, { passkey: passkey.id })}" aria-label="${texts.change}: ${passkey.name}">${texts.change}</a>
    </li>`
}

/** A form that adds a passkey. */
interface Addition {
  form: FormState
  /** The options for the device, once the registration has begun. */
  started: StartedRegistration | undefined
}

/**
 * The form that adds a passkey, or the reason why the user cannot add one. A form begins the registration, so a request that only opens or
 * prefetches the page stores nothing.
 */
async function additionOf(
  dependencies: PageDependencies,
  { view, session }: Pick<PasskeysVisit, 'view' | 'session'>,
  { form, started }: Addition,
): Promise<Html> {
  const { passkeys: texts } = view.texts
  const action = view.to(passkeysPath)
  const nameField = fieldOf(form, { name: 'name', label: texts.name, autocomplete: 'off', hint: texts.nameHint, optional: true })
  const content = (does: string) => html`${hidden('action', does)}${nameField}`
  if (started) {
    return passkeyForm(view, { action, does: 'create', ...started, startsAtOnce: true, content: content('add'), submit: button(texts.add) })
  }
  const refusal = await checkRegistration(dependencies, session.caller).catch(refusalIn)
  if (refusal instanceof Problem) {
    if (refusal.code === recentSignInRequired.code) {
      return html`<p class="next"><a class="button" href="${proofFor(view)}">${texts.proveToAdd}</a></p>`
    }
    return html`<div class="notice"><p>${refusalText(view.texts, refusal) ?? view.texts.errorPage.refused}</p></div>`
  }
  const begin = formBeforePasskey(view, action, html`${content('begin')}${button(texts.add)}`)
  return html`${begin}<noscript><div class="notice"><p>${texts.needsScript}</p></div></noscript>`
}

function refusalIn(error: unknown): Problem {
  if (error instanceof Problem) return error
  throw error
}

function changeForm(view: View, passkey: Passkey, form: FormState): Page {
  const { passkeys: texts, account } = view.texts
  const action = view.to(passkeysPath, { passkey: passkey.id })
  const named = hidden('passkey', passkey.id)
  const values = { name: passkey.name, ...form.values }
  return formPage(
    view,
    { ...form, values },
    {
      title: passkey.name,
      lead: passkey.canSignIn ? texts.signsIn : texts.secondOnly,
      action,
      fields: [hidden('action', 'rename'), named, { name: 'name', label: texts.nameAlone, autocomplete: 'off' }],
      submit: account.save,
      after: html`
        ${formTo(view, action, html`${hidden('action', 'delete')}${named}<button class="button quiet" type="submit">${texts.remove}</button>`, { confirm: texts.confirmRemoval })}
        <p class="after"><a href="${view.to(passkeysPath)}">${texts.back}</a></p>`,
    },
  )
}

function noticeOf({ texts }: View, notice: string | undefined): Html | undefined {
  const { notices } = texts.passkeys
  const text = notice !== undefined && Object.hasOwn(notices, notice) ? notices[notice] : undefined
  return text === undefined ? undefined : successNotice(text)
}
