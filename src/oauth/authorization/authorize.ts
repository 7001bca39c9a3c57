/** The second phase of an authorization request (RFC 6749 §4.1.1): alone decides what the request needs next. */
import type { BrowserSession, UserCaller } from '../../access/caller.ts'
import { type AssuranceLevel, authenticationContextOf } from '../../access/factors.ts'
import type { Quotas } from '../../access/rate-limits.ts'
import { listProofMethods } from '../../access/require-fresh.ts'
import type { OAuthExtensions } from '../../clients/extensions.ts'
import type { RequiredSso } from '../../domains/required-sso.ts'
import { findAssurance } from '../../sessions/assurance.ts'
import { invalidRequest, OAuthError } from '../protocol/errors.ts'
import type { OAuthClient } from '../protocol/queries.ts'
import { requireStoredResources } from '../protocol/resources.ts'
import { isWithin, stillAllowed } from '../protocol/scope.ts'
import { findAskedConnection } from './asked-connection.ts'
import { requireStillValid, withDefaultsOf } from './authorization-request.ts'
import type { TargetDependencies } from './automatic-target.ts'
import { findConsented } from './consents.ts'
import { issueCode } from './issue-code.ts'
import { decideNextStep, lacksProof, type NextStep } from './next-step.ts'
import type { ProvenTarget } from './prove-target.ts'
import { type CompleteRequest, type ReadingDependencies, readNewRequest, requireForm } from './read-request.ts'
import { type PendingRequest, type StoredRequest, signInAskedBy, storeRequest } from './stored-requests.ts'

export interface AuthorizationDependencies extends TargetDependencies, ReadingDependencies {
  quotas: Quotas
  relyingParty: { readonly id: string | undefined }
  requiredSso: RequiredSso
}

export interface RequestingBrowser {
  browserSession: BrowserSession | undefined
  address: string
  /** Whether it was posted: another site's form comes without the session's cookie, so the user is not known yet. */
  isForm: boolean
}

export type AuthorizationOutcome =
  /** Another step comes first, at a URL of ours; from there the browser brings the request back by its reference. */
  { kind: 'continue'; location: string } | { kind: 'respond'; code: string } | { kind: 'refuse'; error: OAuthError }

/** Decides what a request whose target is proven needs next, and does it. Every refusal goes back to the client. */
export async function authorize(
  dependencies: AuthorizationDependencies,
  target: ProvenTarget,
  browser: RequestingBrowser,
): Promise<AuthorizationOutcome> {
  try {
    return await takeNextStep(dependencies, target, browser)
  } catch (error) {
    if (error instanceof OAuthError) return { kind: 'refuse', error }
    throw error
  }
}

/** The browser is redirected to the stored request, because a redirect brings the session's cookie. */
type ReturnByGet = { kind: 'return' }

async function takeNextStep(
  dependencies: AuthorizationDependencies,
  target: ProvenTarget,
  browser: RequestingBrowser,
): Promise<AuthorizationOutcome> {
  const { database, oauthExtensions } = dependencies
  const { client } = target
  const request = await readRequest(dependencies, target)
  const step: NextStep | ReturnByGet = browser.isForm
    ? { kind: 'return' }
    : await findNextStep(dependencies, target, browser.browserSession, request)
  switch (step.kind) {
    case 'refuse':
      return step
    case 'issue': {
      const { browserSession } = browser
      const usedUp = [
        ...(request.pushedAs === undefined ? [] : [request.pushedAs]),
        ...(target.kind === 'stored' ? [target.pending.referenceHash] : []),
      ]
      const authenticationContext = browserSession ? contextOf(step, request, browserSession, oauthExtensions) : null
      const granted = { authenticationContext, claims: step.claims }
      const code = browserSession && (await issueCode(database, client, browserSession, request, usedUp, granted))
      if (code === undefined)
        throw invalidRequest('the request has been answered, or the session or the consent has ended', { name: 'request' })
      return { kind: 'respond', code }
    }
    case 'sign-in': {
      const connectionId = await findAskedConnection(dependencies, client.organisationId, request)
      const reference = await referenceOf(dependencies, target, browser, { request, signInId: undefined })
      return { kind: 'continue', location: signInAddress(reference, request, step.again, connectionId) }
    }
    default:
      return {
        kind: 'continue',
        location: addressOf(
          step,
          request,
          await referenceOf(dependencies, target, browser, { request, signInId: signInOf(target, browser) }),
        ),
      }
  }
}

/** The level that access tokens name, if the request asked for one, or for a recent sign-in (RFC 9470 §5). */
function contextOf(
  { level }: Extract<NextStep, { kind: 'issue' }>,
  { maxAgeSeconds }: StoredRequest,
  { authenticationMethods }: BrowserSession,
  extensions: OAuthExtensions,
): AssuranceLevel | null {
  return level ?? (maxAgeSeconds === undefined || !extensions.has('step_up') ? null : authenticationContextOf(authenticationMethods))
}

/**
 * The whole request: the stored one, or the parameters of this one.
 *
 * @throws OAuthError
 */
async function readRequest(dependencies: AuthorizationDependencies, target: ProvenTarget): Promise<CompleteRequest> {
  const { client, redirectUri } = target
  if (target.kind === 'new') {
    requireForm(client, { isPushed: false, isSigned: target.isSigned }, dependencies.oauthExtensions)
    return readNewRequest(dependencies, target)
  }
  const { parameters } = target.kind === 'stored' ? target.pending : target.pushed
  const request = {
    ...withDefaultsOf(client, parameters),
    redirectUri,
    ...(target.kind === 'pushed' && { pushedAs: target.pushed.referenceHash }),
  }
  const form = { isPushed: request.pushedAs !== undefined, isSigned: request.isSigned === true }
  requireForm(client, form, dependencies.oauthExtensions)
  requireStillValid(request, client, dependencies.pkcePlain)
  // Those of an automatic client have just decided to which organisation it belongs.
  if (!client.automatic) await requireStoredResources(dependencies.database, client, request.resources, dependencies.oauthExtensions)
  return request
}

async function findNextStep(
  { database, oauthExtensions, relyingParty }: Pick<AuthorizationDependencies, 'database' | 'oauthExtensions' | 'relyingParty'>,
  target: ProvenTarget,
  browserSession: BrowserSession | undefined,
  request: StoredRequest,
): Promise<NextStep> {
  const client = askingForMore(target.client, request)
  const pending = target.kind === 'stored' ? target.pending : undefined
  const { organisationId, session } = browserSession?.caller ?? {}
  const mayStepUp = oauthExtensions.has('step_up')
  // Another organisation's user is not asked for a level. One that `claims` calls essential counts also where no page can raise the session to it.
  const { levels } = request
  const counts = levels && (mayStepUp || (levels.isOfClaims === true && levels.isEssential))
  const asksForLevel = counts && organisationId === client.organisationId
  const current = browserSession && {
    ...browserSession,
    userId: browserSession.caller.session.userId,
    organisationId: browserSession.caller.organisationId,
  }
  const requested = { request, pendingSince: pending?.createdAt, now: database.clock.now() }
  const isProofAsked = current !== undefined && lacksProof(requested, current)
  const assurance =
    asksForLevel && session ? await findAssurance(database, { organisationId, sessionId: session.id, rpId: relyingParty.id }) : undefined
  return decideNextStep({
    ...requested,
    client,
    browserSession: current,
    canProve: isProofAsked && (await canProve({ database, relyingParty }, current.caller)),
    assurance: assurance && (mayStepUp ? assurance : { ...assurance, reachable: assurance.level }),
    decision: decisionOn(pending, client, current?.userId),
    consented:
      browserSession && client.requireConsent && !client.automatic?.isNew
        ? await findConsented(database, client, browserSession.caller.session.userId, request.resources)
        : undefined,
  })
}

/**
 * An automatic client that asks for scopes which no user has allowed it asks its user, too, where an administrator has set that it need not:
 * otherwise its tokens would be without them.
 */
function askingForMore(client: OAuthClient, { scope }: StoredRequest): OAuthClient {
  const { automatic } = client
  if (!automatic || automatic.isNew || isWithin(scope, stillAllowed(scope, automatic.allowedScopes))) return client
  return { ...client, requireConsent: true, automatic: { ...automatic, isNew: true } }
}

/** The user's decision on the stored request. An automatic client that was allowed and has no row any more is asked about again. */
function decisionOn(pending: PendingRequest | undefined, client: OAuthClient, userId: string | undefined) {
  if (!pending?.decision || pending.decidedById !== userId) return undefined
  return pending.decision === 'allow' && client.automatic?.isBound === false ? undefined : pending.decision
}

/** Whether the user has a proof of ours that the page for it accepts. */
async function canProve(dependencies: Pick<AuthorizationDependencies, 'database' | 'relyingParty'>, caller: UserCaller): Promise<boolean> {
  const methods = await listProofMethods(dependencies, caller)
  return methods.length > 0
}

/** The sign-in that the request belongs to: that of the session in use, or else the one that the request has begun. */
export function signInOf(target: ProvenTarget, { browserSession }: Pick<RequestingBrowser, 'browserSession'>): string | undefined {
  const { organisationId, actor } = browserSession?.caller ?? {}
  const ofSession = organisationId === target.client.organisationId ? actor?.signInId : undefined
  return ofSession ?? (target.kind === 'stored' ? target.pending.signInId : undefined) ?? undefined
}

/** The reference of the request, which is stored if it is not stored yet. */
async function referenceOf(
  { database, quotas }: AuthorizationDependencies,
  target: ProvenTarget,
  { browserSession, address }: RequestingBrowser,
  { request, signInId }: { request: CompleteRequest; signInId: string | undefined },
): Promise<string> {
  if (target.kind === 'stored') return target.reference
  // Any caller can have requests stored: a session of another organisation is no reason to trust them.
  const isOfOrganisation = browserSession?.caller.organisationId === target.client.organisationId
  if (!isOfOrganisation && !(await quotas.pendingRequests.claim(address))) throw tooManyPending()
  return storeRequest(database, target.client, request, signInId)
}

const tooManyPending = () =>
  new OAuthError('temporarily_unavailable', 'too many sign-ins are waiting, try again in a minute', { name: 'rate_limit' })

function addressOf(
  step: Exclude<NextStep, { kind: 'refuse' | 'issue' | 'sign-in' }> | ReturnByGet,
  { uiLocales }: StoredRequest,
  reference: string,
): string {
  const inLanguage = uiLocales !== undefined && { ui_locales: uiLocales }
  switch (step.kind) {
    case 'return':
      return ownAddress(reference)
    case 'enrol':
      return `/mfa/enroll?${new URLSearchParams({ returnTo: ownAddress(reference), ...inLanguage })}`
    case 'consent':
      return `/oauth2/consent?${new URLSearchParams({ request: reference, ...inLanguage })}`
    default: {
      const { path, query } = pageOfProof(step)
      return `${path}?${new URLSearchParams({ ...query, returnTo: ownAddress(reference), ...inLanguage })}`
    }
  }
}

/** The page at which a user who is signed in proves what is missing, and the query that it needs beside the way back. */
export const pageOfProof = (step: Extract<NextStep, { kind: 'prove' | 'step-up' }>): { path: string; query: Record<string, string> } =>
  step.kind === 'prove' ? { path: '/reauthenticate', query: {} } : { path: '/login/mfa', query: { for: 'session', level: step.level } }

const ownAddress = (reference: string) => `/oauth2/authorize?${new URLSearchParams({ request: reference })}`

/**
 * @param again whether a session exists but does not suffice
 * @param connectionId the connection through which the sign-in begins at once, when a session that we do not know may exist
 */
function signInAddress(reference: string, request: StoredRequest, again: boolean, connectionId: string | undefined): string {
  const { loginHint, uiLocales } = request
  const isNew = again || signInAskedBy(request).isNew
  return `${connectionId === undefined ? '/login' : `/federation/${connectionId}/start`}?${new URLSearchParams({
    returnTo: ownAddress(reference),
    ...(loginHint !== undefined && { login_hint: loginHint }),
    ...(uiLocales !== undefined && { ui_locales: uiLocales }),
    ...(isNew && { prompt: 'login' }),
  })}`
}
