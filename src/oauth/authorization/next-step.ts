import { say } from '../../../shared/checks/said.ts'
import type { AssuranceLevel } from '../../access/factors.ts'
import type { OrganisationStatus } from '../../platform/database/column-types.ts'
import { claimsWithin } from '../../tokens/claims.ts'
import { notAllowed, organisationSuspended } from '../protocol/common-errors.ts'
import { OAuthError } from '../protocol/errors.ts'
import { ownScopes } from '../protocol/resources.ts'
import { isWithin, refreshesUnasked } from '../protocol/scope.ts'
import { type Assurance, decideLevel } from './assurance.ts'
import { type AuthorizationRequest, withDefaultsOf } from './authorization-request.ts'
import { type AskedClaims, allNames, claimsAmong } from './claims-parameter.ts'

/** The session of the user at the browser. */
export interface CurrentSession {
  userId: string
  organisationId: string
  startedAt: Date
  /** When the user proved who they are; null when an identity provider has not said when. */
  signInProvenAt: Date | null
  awaitsMfaEnrolment: boolean
}

/** What a user has allowed a client, in all and at each resource server by its id. */
export interface Consented {
  scopes: readonly string[]
  resources: ReadonlyMap<string, readonly string[]>
  /** The claims that it may have by their names, besides those of the scopes. */
  claims: readonly string[]
  /** Whether the page has said that it refreshes its tokens; null if it was not asked so. */
  allowsRefresh: boolean | null
}

export interface Situation {
  request: Pick<AuthorizationRequest, 'scope' | 'resources' | 'prompt' | 'maxAgeSeconds' | 'levels' | 'expectedSubject' | 'claims'>
  client: {
    organisationId: string
    organisationStatus: Exclude<OrganisationStatus, 'cancelled'>
    requireConsent: boolean
    origin: string
    grantTypes: readonly string[]
  }
  browserSession: CurrentSession | undefined
  /** The levels that the session has proven and can prove; undefined when the request asks for none. */
  assurance: Assurance | undefined
  /** When the request was stored; undefined when it has only just arrived. */
  pendingSince: Date | undefined
  /** Whether a user whose identity provider has not proven a new sign-in can prove who they are with a factor of ours. */
  canProve: boolean
  /** The user's decision on this very request. */
  decision: 'allow' | 'cancel' | undefined
  /** What the user has allowed the client before; undefined when they have never been asked. */
  consented: Consented | undefined
  now: Date
}

export type NextStep =
  | { kind: 'refuse'; error: OAuthError }
  /** @property again although the user is signed in */
  | { kind: 'sign-in'; again: boolean }
  | { kind: 'enrol' }
  /** The user has just signed in through a connection, which has not proven that it asked them anew: they prove it to us. */
  | { kind: 'prove' }
  /** The user has to prove more, in the existing session. */
  | { kind: 'step-up'; level: AssuranceLevel }
  | { kind: 'consent' }
  /**
   * @property level that the tokens name, if the request asks for one
   * @property claims that the request asks for by their names, without those that the user has not allowed
   */
  | { kind: 'issue'; level: AssuranceLevel | undefined; claims: AskedClaims | undefined }

/** Decides the first step that an authorization request still needs: OpenID Connect Core §3.1.2.3 and §3.1.2.4. */
export function decideNextStep(situation: Situation): NextStep {
  const { request, client, browserSession } = situation
  const silent = request.prompt.includes('none')
  const refuse = (error: OAuthError): NextStep => ({ kind: 'refuse', error })
  const signIn = (again: boolean): NextStep => (silent ? refuse(loginRequired()) : { kind: 'sign-in', again })

  if (client.organisationStatus === 'suspended') return refuse(organisationSuspended())
  if (!browserSession) return signIn(false)
  const isTooOld = mustSignInAgain(situation, browserSession)
  // Only once per request: a provider that does not ask anew would otherwise send the browser in circles.
  const hasSignedIn = hasSignedInSince(situation, browserSession)
  if (isTooOld && !hasSignedIn) return signIn(true)
  // Without a page, nothing tells the application that a user of another organisation is signed in (OpenID Connect Core §3.1.2.6).
  if (browserSession.organisationId !== client.organisationId) return refuse(silent ? loginRequired() : foreignUser())
  if (browserSession.awaitsMfaEnrolment) return silent ? refuse(loginRequired()) : { kind: 'enrol' }
  if (request.expectedSubject !== undefined && request.expectedSubject !== browserSession.userId) {
    return hasSignedIn || isProvenSince(situation, browserSession) ? refuse(otherUser()) : signIn(true)
  }
  if (situation.decision === 'cancel') return refuse(notAllowed())
  if (isTooOld) return silent ? refuse(loginRequired()) : situation.canProve ? { kind: 'prove' } : refuse(notProvenAnew())
  const levels = decideLevels(situation, silent)
  if (levels?.kind === 'unmet') return refuse(levelsUnmet(situation))
  if (levels?.kind === 'step-up') return levels
  if (situation.decision === undefined && needsConsent(situation, silent)) return silent ? refuse(consentRequired()) : { kind: 'consent' }
  return { kind: 'issue', level: levels?.level, claims: allowedClaims(situation) }
}

const decideLevels = ({ request, assurance }: Situation, silent: boolean) =>
  request.levels && assurance && decideLevel(request.levels, assurance, silent)

function mustSignInAgain(situation: Requested, browserSession: SignedIn): boolean {
  const { prompt, maxAgeSeconds } = situation.request
  // Without this, max_age=0 would ask for ever.
  if (isProvenSince(situation, browserSession)) return false
  if (prompt.includes('select_account') && !hasSignedInSince(situation, browserSession)) return true
  if (prompt.includes('login')) return true
  const { signInProvenAt } = browserSession
  const ageSeconds = signInProvenAt === null ? Number.POSITIVE_INFINITY : (situation.now.getTime() - signInProvenAt.getTime()) / 1_000
  return maxAgeSeconds !== undefined && ageSeconds > maxAgeSeconds
}

/** Whether the sign-in that the request asks for came through a connection, and has not proven what the request asks for. */
export const lacksProof = (situation: Requested, browserSession: SignedIn): boolean =>
  hasSignedInSince(situation, browserSession) && mustSignInAgain(situation, browserSession)

export type DeviceStep =
  | Extract<NextStep, { kind: 'prove' | 'step-up' }>
  | { kind: 'sign-in' }
  | {
      kind: 'ask'
      /** The level that the tokens name, if the client has levels by default. */
      level: AssuranceLevel | undefined
    }

/**
 * What the user of a device has to do before they are asked, by what its client wants by default: a device cannot say `max_age` or `acr_values`
 * itself. A proof since the device asked is new enough, as at the authorization endpoint.
 *
 * @param assurance undefined where no level is asked for
 */
export function decideStepOfDevice(
  device: { defaultMaxAge: number | null; defaultAcrValues: readonly string[] | null; createdAt: Date },
  browserSession: SignedIn,
  assurance: Assurance | undefined,
  now: Date,
): DeviceStep {
  const { maxAgeSeconds, levels } = withDefaultsOf(device, askedOnDevice)
  const requested = { request: { prompt: [], maxAgeSeconds }, pendingSince: device.createdAt, now }
  if (mustSignInAgain(requested, browserSession)) return { kind: lacksProof(requested, browserSession) ? 'prove' : 'sign-in' }
  const decided = levels && assurance && decideLevel(levels, assurance, false)
  if (decided?.kind === 'step-up') return decided
  return { kind: 'ask', level: decided?.kind === 'met' ? decided.level : undefined }
}

const askedOnDevice: Pick<AuthorizationRequest, 'byDefault' | 'maxAgeSeconds' | 'levels'> = {
  byDefault: { maxAge: true, levels: true },
  maxAgeSeconds: undefined,
  levels: undefined,
}

type SignedIn = Pick<CurrentSession, 'startedAt' | 'signInProvenAt'>

interface Requested extends Pick<Situation, 'pendingSince' | 'now'> {
  request: Pick<Situation['request'], 'prompt' | 'maxAgeSeconds'>
}

/** Whether a session has begun for this request. */
const hasSignedInSince = ({ pendingSince }: Pick<Situation, 'pendingSince'>, { startedAt }: SignedIn) =>
  pendingSince !== undefined && startedAt >= pendingSince

/** Whether the user has proven who they are for this request. */
const isProvenSince = ({ pendingSince }: Pick<Situation, 'pendingSince'>, { signInProvenAt }: SignedIn) =>
  pendingSince !== undefined && signInProvenAt !== null && signInProvenAt >= pendingSince

/** A scope of a resource server is remembered for that one: the same name elsewhere lets the client do something else. */
function isConsented({ scope, resources = [] }: Pick<AuthorizationRequest, 'scope' | 'resources'>, consented: Consented): boolean {
  return (
    isWithin(ownScopes(scope, resources), consented.scopes) &&
    resources.every(({ id, scopes }) => isWithin(scopes, consented.resources.get(id) ?? []) && consented.resources.has(id))
  )
}

/**
 * Claims that have not been allowed are no reason to refuse: without a page, and for a client that asks for no consent, they are left out. So
 * is a refresh token, for a client that has begun to refresh since the user was asked.
 */
const needsConsent = ({ request, client, consented }: Situation, silent: boolean) =>
  request.prompt.includes('consent') ||
  (client.requireConsent &&
    (consented === undefined ||
      !isConsented(request, consented) ||
      (!silent && !isWithin(allNames(request.claims), namesAllowed(consented))) ||
      (!silent && consented.allowsRefresh === false && refreshesUnasked(client) === true)))

/** Who has allowed a scope has allowed its claims. */
const namesAllowed = ({ scopes, claims }: Consented): string[] => [...claims, ...claimsWithin(scopes)]

function allowedClaims({ request: { claims }, decision, consented }: Situation): AskedClaims | undefined {
  if (!claims || decision === 'allow') return claims
  return consented && claimsAmong(claims, namesAllowed(consented))
}

const loginRequired = () =>
  new OAuthError('login_required', 'the user must sign in', {
    name: 'session',
    expected: say('a-recent-sign-in'),
    received: say('none-that-fits'),
  })
const notProvenAnew = () =>
  new OAuthError('login_required', 'the identity provider of the user has not proven a new sign-in, and the user has no other proof', {
    name: 'auth_time',
    expected: say('a-sign-in-as-new-as-asked'),
    received: say('an-older-sign-in'),
  })
const consentRequired = () =>
  new OAuthError('consent_required', 'the user must be asked', {
    name: 'consent',
    expected: say('consent-to-the-scope'),
    received: say('none'),
  })
const foreignUser = () =>
  new OAuthError('access_denied', 'the signed-in user does not belong to the organisation of this application', {
    name: 'organisation',
    expected: say('a-user-of-the-clients-organisation'),
    received: say('a-user-of-another-organisation'),
  })
const levelsUnmet = ({ request, assurance }: Situation) =>
  new OAuthError('unmet_authentication_requirements', 'the user cannot sign in at a level that was asked for', {
    name: request.levels?.isOfClaims ? 'claims_parameter' : 'acr_values',
    expected: request.levels?.values,
    received: say('session-of-level', String(assurance?.level), String(assurance?.reachable)),
    hint: request.prompt.includes('none') ? say('level-of-session-counts') : undefined,
  })
const otherUser = () =>
  new OAuthError('login_required', 'another user has signed in than the one asked for', {
    name: 'id_token_hint',
    expected: say('the-user-of-the-hint'),
    received: say('another-user'),
  })
