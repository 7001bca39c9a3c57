/** /account/identities: accounts of the user at identity providers */

import { z } from 'zod'
import type { PageRequest } from '../access/caller.ts'
import { recentSignInRequired } from '../access/refusals.ts'
import { startLink } from '../connections/federation/link-token.ts'
import { findOwnIdentities, type Identity, type LinkableConnection, type OwnIdentities } from '../connections/own-identities.ts'
import { unlinkOwnIdentity } from '../connections/unlink-identity.ts'
import { id } from '../platform/http/fields.ts'
import { type Html, html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { type AccountVisit, accountPageOf, accountVisit } from './account-visit.ts'
import { continueTo } from './continue-to.ts'
import { definePage } from './define-page.ts'
import { hidden } from './fields.ts'
import type { FormState } from './form-state.ts'
import { errorSummary, formPage, formTo, successNotice } from './forms.ts'
import { heading, type Page } from './layout.ts'
import { textWith, timeIn } from './times.ts'
import { home, type PageDependencies, queryOf, type View } from './view.ts'

export const identitiesPath = `${home}/identities`

const Change = z.discriminatedUnion('action', [
  z.object({ action: z.literal('link'), connection: id() }),
  z.object({ action: z.literal('unlink'), identity: id() }),
])

export const accountIdentitiesPage = (dependencies: PageDependencies) => async (app: App) => {
  const { database } = dependencies

  definePage(app, dependencies, {
    path: identitiesPath,
    visit: accountVisit(dependencies),
    show: async (visited, form) => accountPageOf(visited, show(visited, await findOwnIdentities(database, visited.caller), form)),
    input: Change,
    operation: async ({ caller, view }, change): Promise<{ url: string } | undefined> => {
      if (change.action === 'unlink') {
        await unlinkOwnIdentity(dependencies, caller, change.identity, view.language)
        return undefined
      }
      const returnTo = view.to(identitiesPath, { notice: 'linked' })
      return startLink(dependencies, caller, { connectionId: change.connection, returnTo })
    },
    done: ({ reply, view }, begun) =>
      // This leaves our origin for the identity provider.
      begun ? continueTo(reply, view.language, begun.url) : reply.redirect(view.to(identitiesPath, { notice: 'unlinked' }), 303),
    refused: ({ reply, view, request }, { refusal }) =>
      refusal?.code === recentSignInRequired.code ? reply.redirect(proofFor(view, request), 303) : undefined,
  })
}

/** Leads to the proof that it is still the user, and back. */
const proofFor = (view: View, request: PageRequest) =>
  view.returningTo(view.to(identitiesPath, { identity: queryOf(request, 'identity') })).to('/reauthenticate')

function show({ request, view }: AccountVisit, own: OwnIdentities, form: FormState): Page {
  const chosen = own.identities.find((identity) => identity.id === queryOf(request, 'identity'))
  return chosen ? unlinking(view, chosen, form) : overview(view, own, form, queryOf(request, 'notice'))
}

function overview(view: View, { identities, linkable }: OwnIdentities, form: FormState, notice: string | undefined): Page {
  const { identities: texts, account } = view.texts
  return {
    status: form.status,
    title: texts.title,
    wide: true,
    hasErrors: form.messages.length > 0,
    body: html`
      ${heading(texts.title, texts.lead)}
      ${errorSummary(view, form) ?? noticeOf(view, notice)}
      ${identities.length > 0 ? html`<ul class="records">${identities.map((identity) => identityItem(view, identity))}</ul>` : html`<p>${texts.none}</p>`}
      ${linkable.length > 0 && html`<h2>${texts.linkable}</h2><ul class="records">${linkable.map((connection) => linkableItem(view, connection))}</ul>`}
      <p class="after"><a href="${view.to(home)}">${account.back}</a></p>`,
  }
}

function identityItem(view: View, { id, connection, email, createdAt, lastUsedAt }: Identity): Html {
  const { identities: texts } = view.texts
  const used = lastUsedAt ? textWith(texts.lastUsed, timeIn(view, lastUsedAt)) : texts.neverUsed
  return html`
    <li>
      <span>
        ${connection.name}<br>
        <span class="aside">${besidesName(connection, email)}${textWith(texts.linked, timeIn(view, createdAt))} · ${used}${!connection.isActive && html`<br>${texts.inactive}`}</span>
      </span>
      <a href="${view.to(identitiesPath, { identity: id })}" aria-label="${texts.unlink}: ${connection.name}">${texts.unlink}</a>
    </li>`
}

function linkableItem(view: View, connection: LinkableConnection): Html {
  const { identities: texts } = view.texts
  const { id, name } = connection
  const provider = providerOf(connection)
  const button = html`<button class="button quiet small" type="submit" aria-label="${texts.link}: ${name}">${texts.link}</button>`
  return html`
    <li>
      <span>${name}${provider !== undefined && html`<br><span class="aside">${provider}</span>`}</span>
      ${formTo(view, view.to(identitiesPath), html`${hidden('action', 'link')}${hidden('connection', id)}${button}`)}
    </li>`
}

function unlinking(view: View, { id, connection, email }: Identity, form: FormState): Page {
  const { identities: texts } = view.texts
  return formPage(view, form, {
    title: texts.unlinkTitle(connection.name),
    lead: texts.unlinkLead(email ?? connection.name),
    action: view.to(identitiesPath, { identity: id }),
    fields: [hidden('action', 'unlink'), hidden('identity', id)],
    submit: texts.unlink,
    after: html`<p class="after"><a href="${view.to(identitiesPath)}">${texts.back}</a></p>`,
  })
}

/** The names of the providers, which are the same in every language. */
const providers = {
  google: 'Google',
  microsoft: 'Microsoft',
  github: 'GitHub',
  apple: 'Apple',
  oidc: 'OpenID Connect',
  saml: 'SAML',
} as const

/** The provider's name; undefined where the name of the connection says it. */
function providerOf({ name, provider }: Pick<LinkableConnection, 'name' | 'provider'>): string | undefined {
  const shown = providers[provider]
  return shown === name ? undefined : shown
}

function besidesName(connection: Identity['connection'], email: string | null): Html | undefined {
  const facts = [email ?? undefined, providerOf(connection)].filter((fact) => fact !== undefined)
  return facts.length > 0 ? html`${facts.join(' · ')}<br>` : undefined
}

function noticeOf({ texts }: View, notice: string | undefined): Html | undefined {
  const { notices } = texts.identities
  const text = notice !== undefined && Object.hasOwn(notices, notice) ? notices[notice] : undefined
  return text === undefined ? undefined : successNotice(text)
}
