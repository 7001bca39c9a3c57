/** The step before a sign-in at an identity provider: where it leads afterwards, and the page that asks first */
import type { FastifyReply } from 'fastify'
import type { PageRequest } from '../access/caller.ts'
import { providerHostOf } from '../connections/federation/provider-host.ts'
import { getUsableConnection, type UsableConnection } from '../connections/federation/start.ts'
import type { PendingRequest } from '../oauth/authorization/stored-requests.ts'
import type { Visit } from './define-page.ts'
import { details } from './error-page.ts'
import type { FormState } from './form-state.ts'
import { formPage } from './forms.ts'
import type { Page } from './layout.ts'
import { parseReturnTo } from './return-to.ts'
import { findPendingAt, inChosenLanguage, landing, type PageDependencies, queryOf, viewOf } from './view.ts'

export interface AskedStart {
  connection: UsableConnection
  returnTo: string
  pending: PendingRequest | undefined
}

export interface StartVisit extends Visit {
  asked: AskedStart
}

/**
 * Decides where a sign-in leads afterwards: to an application only by its own pending request for a user of this organisation. Anyone can
 * write the address of a start, and any organisation registers addresses of applications.
 *
 * @param link the link that a signed-in user has asked for
 * @throws Problem `not-found`, `forbidden` when the connection cannot be used
 */
export async function readStart({ database }: PageDependencies, request: PageRequest, link?: { returnTo: string }): Promise<AskedStart> {
  const connection = await getUsableConnection(database, (request.params as { id: string }).id)
  const returnTo = parseReturnTo(link?.returnTo ?? queryOf(request, 'returnTo')) ?? landing
  const found = link ? undefined : await findPendingAt(database, returnTo)
  const pending = found?.organisationId === connection.organisationId ? found : undefined
  const isAllowed = link !== undefined || pending !== undefined || !returnTo.startsWith('/oauth2/')
  return { connection, returnTo: inChosenLanguage(request, isAllowed ? returnTo : landing), pending }
}

export async function startVisit(dependencies: PageDependencies, request: PageRequest, reply: FastifyReply): Promise<StartVisit> {
  const asked = await readStart(dependencies, request)
  const view = await viewOf(dependencies, request, reply, asked.connection.organisationId)
  return { request, reply, view: view.returningTo(asked.returnTo), asked }
}

/**
 * Asks before a sign-in that no page of ours has led to: any organisation names
 * an identity provider, and links in our name would otherwise lead there.
 */
export function askToStart({ view, asked: { connection } }: StartVisit, form: FormState): Page {
  const { federation: texts } = view.texts
  const organisation = view.brand?.name ?? ''
  return formPage(view, form, {
    title: texts.askTitle(organisation),
    lead: texts.askLead,
    introduction: details({ [texts.organisation]: organisation, [texts.provider]: providerHostOf(connection) ?? connection.name }),
    action: view.to(`/federation/${connection.id}/start`),
    fields: [],
    submit: view.texts.continue,
  })
}
