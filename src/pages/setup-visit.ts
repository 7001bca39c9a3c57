import type { FastifyReply, FastifyRequest } from 'fastify'
import { originOf, type PageRequest } from '../access/caller.ts'
import { callerAddress } from '../platform/http/addresses.ts'
import { html } from '../platform/http/html.ts'
import { Problem } from '../platform/http/problem.ts'
import { setupPath } from '../setup-links/create-setup-link.ts'
import { finishWhenFulfilled } from '../setup-links/finish.ts'
import { findSetupVisit, type SetupVisit, visitSeconds } from '../setup-links/open-setup-link.ts'
import { invalidSetupLink } from '../setup-links/refusals.ts'
import { offersStep, type SetupStep } from '../setup-links/rules.ts'
import type { Visit } from './define-page.ts'
import { emptyForm, type FormState } from './form-state.ts'
import { formPage } from './forms.ts'
import { type Page, sendPage } from './layout.ts'
import { definePageCookie } from './page-cookie.ts'
import { type PageDependencies, type View, viewOf } from './view.ts'

/** It opens the pages of one link, and nothing else. */
export const setupCookie = definePageCookie({ name: 'svc_setup', path: '/', lifetimeSeconds: visitSeconds })

export interface SetupPageVisit extends Visit {
  setup: SetupVisit
}

export type OpenSetupVisit = SetupPageVisit & { setup: Extract<SetupVisit, { stands: true }> }

/**
 * The visit of a link that this browser has opened. Each request renews it, and ends a link that no longer stands.
 *
 * @throws Problem `bad-request` without one, `too-many-requests`
 */
export async function setupVisit(dependencies: PageDependencies, request: PageRequest, reply: FastifyReply): Promise<SetupPageVisit> {
  await countSetupRequest(dependencies, request)
  const cookie = setupCookie.read(request, dependencies.secureCookie)
  const setup = await findSetupVisit(dependencies, cookie, originOf(request))
  if (cookie !== undefined) setupCookie.set(reply, cookie, dependencies.secureCookie)
  return { request, reply, view: await setupViewOf(dependencies, request, reply, setup.link.organisationId), setup }
}

/**
 * A step of a link that still stands; undefined when it is finished or has no such step, and the browser was sent to the page that says
 * what there is, or when it is not open in this browser, and the page asks for it.
 */
export async function openSetupVisit(
  dependencies: PageDependencies,
  request: PageRequest,
  reply: FastifyReply,
  step: SetupStep,
): Promise<OpenSetupVisit | undefined> {
  const visit = await setupVisitOrClosed(dependencies, request, reply)
  if (!('setup' in visit)) {
    sendPage(reply, visit.view, visit.page)
    return undefined
  }
  if (isOpen(visit) && offersStep(step, visit.setup.link.purposes)) return visit
  await reply.redirect(visit.view.to(setupPath), 303)
  return undefined
}

/** As `setupVisit`; or the page that asks for the link, when it has ended or is open in another browser. */
export async function setupVisitOrClosed(
  dependencies: PageDependencies,
  request: PageRequest,
  reply: FastifyReply,
): Promise<SetupPageVisit | { view: View; page: Page }> {
  try {
    return await setupVisit(dependencies, request, reply)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== invalidSetupLink.code) throw error
    setupCookie.clear(reply, dependencies.secureCookie)
    const view = await setupViewOf(dependencies, request, reply)
    return { view, page: askForLink(view, { ...emptyForm(), status: 400, messages: [{ text: view.texts.setup.closed }] }) }
  }
}

/** The page that asks for the link. With the script it takes the one that was opened. */
export function askForLink(view: View, form: FormState): Page {
  const { setup: texts } = view.texts
  const page = formPage(
    view,
    { ...form, values: {} },
    {
      title: texts.title,
      lead: texts.openLead,
      action: view.to(setupPath),
      fields: [{ name: 'token', label: texts.link, type: 'password', autocomplete: 'off' }],
      submit: texts.open,
      attributes: html` data-token`,
    },
  )
  return { ...page, setup: true }
}

const isOpen = (visit: SetupPageVisit): visit is OpenSetupVisit => visit.setup.stands === true

/** Finishes the link when a step was the last one, and leads to where the visitor continues. */
export async function afterStep(
  dependencies: PageDependencies,
  { reply, view, setup }: OpenSetupVisit,
  path: string,
): Promise<FastifyReply> {
  const finished = await finishWhenFulfilled(dependencies, setup.caller)
  return reply.redirect(view.to(finished ? setupPath : path), 303)
}

export const countSetupRequest = ({ limits }: Pick<PageDependencies, 'limits'>, request: FastifyRequest) =>
  limits.setupRequestsByAddress.count(callerAddress(request))

/** In the branding of the link's organisation, even when a user of another one is signed in. */
export async function setupViewOf(
  dependencies: PageDependencies,
  request: PageRequest,
  reply: FastifyReply,
  organisationId?: string,
): Promise<View> {
  reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
  return viewOf(dependencies, request, reply, organisationId)
}
