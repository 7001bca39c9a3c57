/** /federation/test/:state: whether a connection works, shown to the administrator who asks */
import type { FastifyReply } from 'fastify'
import type { ConnectionCheck } from '../../shared/checks/names.ts'
import { originOf, type PageRequest } from '../access/caller.ts'
import type { ShownTest, TestOutcome, TestResult, TestVisit } from '../connections/federation/test-sign-in.ts'
import { isTestOfSetup } from '../connections/federation/test-state.ts'
import { callbackUrlOf } from '../connections/present-connection.ts'
import { acsUrlOf } from '../connections/saml-settings.ts'
import { type Html, html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { languageOf } from '../platform/language.ts'
import { setupPath } from '../setup-links/create-setup-link.ts'
import { completeSetupTest } from '../setup-links/set-up.ts'
import { fullSessionOf } from './account-visit.ts'
import type { Texts } from './catalogue/en.ts'
import { departTo } from './continue-to.ts'
import { pageRoute } from './define-page.ts'
import { details } from './error-page.ts'
import { browserOf, setBrowserCookie } from './federation-browser.ts'
import { heading, type Page, sendPage } from './layout.ts'
import { type OpenSetupVisit, openSetupVisit } from './setup-visit.ts'
import { type PageDependencies, type View, viewOf } from './view.ts'

const loadTest = () => import('../connections/federation/test-sign-in.ts')

export const connectionTestPage = (dependencies: PageDependencies) => async (app: App) => {
  const { publicUrl, secureCookie } = dependencies

  // HEAD must not begin a test.
  app.get('/federation/test/:state', { ...pageRoute, exposeHeadRoute: false }, async (request, reply) => {
    const visit = await testVisit(dependencies, request, reply, (request.params as { state: string }).state)
    if (!visit) return reply
    const opened = await (await loadTest()).openTest(dependencies, visit)
    setBrowserCookie(reply.header('cache-control', 'no-store'), opened.browser, secureCookie)
    if (opened.kind === 'begun') return departTo(reply, languageOf(request), opened)
    const view = await viewOf(dependencies, request, reply, visit.caller.organisationId)
    const back = visit.caller.kind === 'user' ? { consolePath: `/console/connections/${opened.connection.id}` } : { setup: true }
    return sendPage(reply, view, { ...pageOf(view, opened, addressAtProvider(publicUrl, opened.connection), visit.caller.kind), ...back })
  })
}

/** The address that the provider has to know. */
const addressAtProvider = (publicUrl: string, { id, provider }: ShownTest['connection']) =>
  provider === 'saml' ? acsUrlOf(publicUrl, id) : callbackUrlOf(publicUrl, id)

/** Accepts the response of an identity provider to a test and leads to the result. */
export async function takeTestResponse(
  dependencies: PageDependencies,
  request: PageRequest,
  reply: FastifyReply,
  state: string,
  parameters: URLSearchParams,
): Promise<FastifyReply> {
  const visit = await testVisit(dependencies, request, reply, state)
  if (!visit) return reply
  const { completeTest } = await loadTest()
  const complete = (domain?: string) => completeTest(dependencies, { ...visit, domain }, parameters)
  const path = visit.setup ? await completeSetupTest(dependencies, visit.setup, complete) : (await complete()).path
  return reply.header('cache-control', 'no-store').redirect(path, 303)
}

/** Undefined when the browser was sent to a step that has to come first. */
async function testVisit(
  dependencies: PageDependencies,
  request: PageRequest,
  reply: FastifyReply,
  state: string,
): Promise<(TestVisit & { setup?: OpenSetupVisit['setup'] }) | undefined> {
  const asked = { state, browser: browserOf(request, dependencies.secureCookie), origin: originOf(request) }
  if (isTestOfSetup(state)) {
    const visit = await openSetupVisit(dependencies, request, reply, 'connection')
    return visit && { ...asked, caller: visit.setup.caller, setup: visit.setup }
  }
  const session = fullSessionOf(request, reply, `/federation/test/${state}`)
  return session && { ...asked, caller: session.caller }
}

function pageOf(view: View, { connection, result }: ShownTest, callbackUrl: string, by: TestVisit['caller']['kind']): Page {
  const { connectionTest: texts, errorPage } = view.texts
  const title = texts.title(connection.name)
  const body = html`
    ${heading(title, texts.lead)}
    ${by === 'user' && !connection.isActive && html`<p>${texts.inactive}</p>`}
    ${result ? resultOf(texts, result, callbackUrl) : html`<p>${texts.noResponse}</p><p>${texts.advice.redirect(callbackUrl)}</p>`}
    ${by === 'user' && result && useClaims(texts, connection.id, result)}
    ${result?.reference !== undefined && details({ [errorPage.reference]: result.reference })}
    ${by === 'setup-link' && html`<p class="after"><a href="${view.to(`${setupPath}/connection`)}">${view.texts.setup.connection.title}</a> · <a href="${view.to(setupPath)}">${view.texts.setup.back}</a></p>`}`
  return { title, body, wide: 'account' }
}

type TestTexts = Texts['connectionTest']

/** Leads to the mapping in the console, which offers the names that have arrived. */
function useClaims(texts: TestTexts, connectionId: string, { claimNames = [] }: TestResult): Html | false {
  if (claimNames.length === 0) return false
  const address = `/console/connections/${connectionId}/accounts?${new URLSearchParams({ claims: claimNames.join(' ') })}`
  return html`<p class="next"><a class="button quiet" href="${address}">${texts.useClaims}</a></p>`
}

const resultOf = (texts: TestTexts, { checks, claims, person, outcome }: TestResult, callbackUrl: string): Html => html`
  ${outcome && html`<h2>${texts.outcome}</h2><p>${textOfOutcome(texts, outcome)}</p>`}
  <h2>${texts.checks}</h2>
  <div class="scrolling" role="region" aria-label="${texts.checks}" tabindex="0">
    <table>
      <thead><tr><th scope="col">${texts.check}</th><th scope="col">${texts.result}</th><th scope="col">${texts.expected}</th><th scope="col">${texts.received}</th></tr></thead>
      <tbody>${checks.map((check) => rowOf(texts, check, outcome, callbackUrl))}</tbody>
    </table>
  </div>
  ${person && html`<h2>${texts.mapped}</h2>${details(valuesOf(texts, person))}`}
  ${claims !== undefined && html`<h2>${texts.claims}</h2><div class="scrolling" role="region" aria-label="${texts.claims}" tabindex="0"><pre>${claims}</pre></div>`}`

type Check = TestResult['checks'][number]

function rowOf(texts: TestTexts, check: StoredCheck, outcome: TestOutcome | undefined, callbackUrl: string): Html {
  const { code, name, passed } = check
  const { expected, received } = inLanguage(texts, check, outcome)
  return html`
    <tr>
      <th scope="row">${texts.nameOf(code, name)}</th>
      <td class="${passed ? 'passed' : 'failed'}">${passed ? texts.passed : texts.failed}</td>
      <td>${expected}</td><td>${received}</td>
    </tr>
    ${!passed && html`<tr><td colspan="4" class="advice"><p><strong>${texts.toDo}:</strong> ${adviceOn(texts, check, callbackUrl)}</p></td></tr>`}`
}

/** A recent test may have been stored by the previous release, whose checks have only a name. */
type StoredCheck = Omit<Check, 'code' | 'phrases'> & Partial<Pick<Check, 'code' | 'phrases'>>

/** Translates a check. A text that a provider has sent stays as it is, even if it looks like one of our phrases. */
function inLanguage({ say, refusals }: TestTexts, { code, expected, received, phrases }: StoredCheck, outcome: TestOutcome | undefined) {
  const isOfUser = code === 'user' && outcome?.kind === 'refuse'
  return {
    expected: say(expected, phrases?.expected),
    received: isOfUser ? refusals[outcome.refusal] : say(received, phrases?.received),
  }
}

const adviceByCheck: Readonly<Partial<Record<ConnectionCheck, Exclude<keyof TestTexts['advice'], 'redirect'>>>> = {
  discovery: 'discovery',
  discovery_issuer: 'discovery',
  state: 'state',
  response: 'response',
  token_endpoint: 'token',
  response_issuer: 'issuer',
  iss: 'issuer',
  aud: 'audience',
  azp: 'audience',
  nonce: 'state',
  exp: 'time',
  iat: 'time',
  auth_time: 'time',
  alg: 'signature',
  signature: 'signature',
  user_info_subject: 'userInfo',
  subject: 'subject',
  hosted_domain: 'account',
  tenant: 'account',
  address: 'address',
  groups: 'groups',
  user: 'user',
}

/** Advice by the error code that the provider has sent. */
const adviceByError: Readonly<Record<string, keyof TestTexts['advice']>> = {
  invalid_client: 'secret',
  unauthorized_client: 'secret',
  incorrect_client_credentials: 'secret',
  invalid_grant: 'code',
  bad_verification_code: 'code',
  redirect_uri_mismatch: 'redirect',
  access_denied: 'denied',
}

function adviceOn({ advice }: TestTexts, { code, error }: StoredCheck, callbackUrl: string): string {
  const byError = error !== undefined && Object.hasOwn(adviceByError, error) ? adviceByError[error] : undefined
  const chosen = byError ?? (code && adviceByCheck[code]) ?? 'other'
  return chosen === 'redirect' ? advice.redirect(callbackUrl) : advice[chosen]
}

function textOfOutcome({ outcomes, refusals }: TestTexts, outcome: TestOutcome): string {
  switch (outcome.kind) {
    case 'refuse':
      return `${outcomes.refuse} ${refusals[outcome.refusal]}`
    case 'accept_invitation':
      return outcomes.acceptInvitation
    case 'create':
      return outcomes.create
    default:
      return outcomes[outcome.kind](outcome.user)
  }
}

function valuesOf({ person: names, nothing }: TestTexts, person: NonNullable<TestResult['person']>): Record<string, string> {
  const { subject, email = nothing, firstName = nothing, lastName = nothing, phone = nothing, roles, teams } = person
  return {
    [names.subject]: subject,
    [names.email]: email,
    [names.firstName]: firstName,
    [names.lastName]: lastName,
    [names.phone]: phone,
    [names.roles]: roles.join(', ') || nothing,
    [names.teams]: teams.join(', ') || nothing,
  }
}
