/** /login/passkey: offers a passkey after a sign-in by password */
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { PageRequest } from '../access/caller.ts'
import { mayOfferPasskey } from '../passkeys/offer-passkey.ts'
import { checkRegistration, registerPasskey, startRegistration } from '../passkeys/register.ts'
import type { StartedRegistration } from '../passkeys/schemas.ts'
import { html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import type { SignInOutcome } from '../sign-in/outcome.ts'
import { newPasskeyOf } from './account-passkeys.ts'
import { type AccountVisit, fullSessionOf } from './account-visit.ts'
import { continueTo } from './continue-to.ts'
import { definePage } from './define-page.ts'
import { button, hidden } from './fields.ts'
import { emptyForm, type FormState } from './form-state.ts'
import { errorSummary } from './forms.ts'
import { heading, type Page, sendPage } from './layout.ts'
import { formBeforePasskey, ignoreRefusal, PasskeyFields, passkeyForm } from './passkey-form.ts'
import { type PageDependencies, type View, viewOf } from './view.ts'

const path = '/login/passkey'
/** The cookie that the script of the sign-in page sets on a device that can have passkeys and verify its user. */
export const passkeyCookie = 'svc_passkeys'

const Choice = z.discriminatedUnion('action', [
  z.object({ action: z.literal('begin') }),
  z.object({ action: z.literal('add'), ...PasskeyFields.shape }),
])

export const passkeyOfferPage = (dependencies: PageDependencies) => async (app: App) => {
  definePage(app, dependencies, {
    path,
    visit: async (request: PageRequest, reply: FastifyReply): Promise<AccountVisit | undefined> => {
      const view = await viewOf(dependencies, request, reply)
      const session = fullSessionOf(request, reply, view.onward)
      if (!session) return undefined
      const { caller } = session
      if (await checkRegistration(dependencies, caller).catch(ignoreRefusal)) return { request, reply, view, caller }
      continueTo(reply, view.language, view.onward)
      return undefined
    },
    show: ({ view }, form) => show(view, form),
    input: Choice,
    operation: async ({ caller, view }, choice): Promise<StartedRegistration | undefined> => {
      if (choice.action === 'begin') return startRegistration(dependencies, caller)
      await registerPasskey(dependencies, caller, newPasskeyOf({ ...choice, name: '' }), view.language)
      return undefined
    },
    done: ({ reply, view }, started) =>
      started ? sendPage(reply, view, show(view, emptyForm(), started)) : continueTo(reply, view.language, view.onward),
  })
}

/** The view of a sign-in by password, which leads past the offer of a passkey where there is one to make. */
export async function pastOffer<V extends View>(
  dependencies: PageDependencies,
  request: PageRequest,
  view: V,
  outcome: SignInOutcome,
): Promise<View> {
  if (outcome.kind !== 'authenticated' || request.cookies[passkeyCookie] === undefined) return view
  const { organisationId, user } = outcome.session
  return (await mayOfferPasskey(dependencies, { organisationId, userId: user.id })) ? view.returningTo(view.to(path)) : view
}

function show(view: View, form: FormState, started?: StartedRegistration): Page {
  const { title, lead, add, later } = view.texts.passkeyOffer
  const action = view.to(path)
  const offer = started
    ? passkeyForm(view, { action, does: 'create', ...started, startsAtOnce: true, content: hidden('action', 'add'), submit: button(add) })
    : formBeforePasskey(view, action, html`${hidden('action', 'begin')}${button(add)}`)
  return {
    status: form.status,
    title,
    hasErrors: form.messages.length > 0,
    passkeys: true,
    body: html`
      ${heading(title, lead)}
      ${errorSummary(view, form)}
      ${offer}
      <p class="next"><a class="button quiet" href="${view.onward}">${later}</a></p>`,
  }
}
