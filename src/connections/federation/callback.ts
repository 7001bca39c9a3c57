import { say } from '../../../shared/checks/said.ts'
import type { UserCaller } from '../../access/caller.ts'
import type { Origin } from '../../activity/actor.ts'
import { verifiedDomainsOf } from '../../domains/queries.ts'
import { hashSecret } from '../../platform/crypto/secrets.ts'
import type { Problem } from '../../platform/http/problem.ts'
import type { Language } from '../../platform/language.ts'
import { reportAttempt } from '../../sign-in/attempts.ts'
import { beginSignIn, type SignInOrigin } from '../../sign-in/begin.ts'
import type { SignInOutcome } from '../../sign-in/outcome.ts'
import { type Check, checkOf, UpstreamRefusal } from '../upstream/checks.ts'
import type { UpstreamIdentity } from '../upstream/upstream.ts'
import { type CarryingOut, carryOut } from './carry-out.ts'
import { letWait } from './confirm.ts'
import { hasOverage, hasTooMany } from './person.ts'
import { type ConnectionToUse, claimRequest, type FederationRequest, noteUse } from './queries.ts'
import { recordRefused } from './record-refused.ts'
import { federatedSignInExpired, identityProviderRefused } from './refusals.ts'
import { reportFailure } from './report-failure.ts'
import { settingsOf } from './settings.ts'
import { type Federation, getUsableConnection, nonceOf, type Secrets } from './start.ts'
import { storeChecks } from './store-checks.ts'
import { checkOfUser, refusalOf } from './why-refused.ts'

/** What came back by the browser. */
export interface Callback {
  connectionId: string
  /** What the browser's cookie holds. */
  browser: string | undefined
  parameters: URLSearchParams
  /** The signed-in user of the browser. */
  caller: UserCaller | undefined
  origin: Origin
  language: Language | undefined
}

/** A sign-in that ended without one, with the reference by which an administrator finds why. */
export interface RefusedSignIn {
  kind: 'refused'
  refusal: Problem
  reference: string | undefined
  organisationId: string
  returnTo: string
  /** Whether a signed-in user wanted to link the account. */
  isLink: boolean
}

export type CompletedSignIn =
  | { kind: 'signed_in'; outcome: SignInOutcome; organisationId: string; returnTo: string }
  | { kind: 'linked'; returnTo: string }
  /** The user has to sign in by a present way before the identity is theirs. */
  | { kind: 'confirm'; state: string }
  | RefusedSignIn

/**
 * Completes a sign-in at an identity provider. Of any number of calls with one state, one completes it.
 *
 * @throws Problem `not-found`, `forbidden` when the connection cannot be used (any more), `bad-request` for a state that is unknown, used,
 *   expired or of another browser
 */
export async function completeFederation(dependencies: CarryingOut, callback: Callback): Promise<CompletedSignIn> {
  const { database } = dependencies
  const connection = await getUsableConnection(database, callback.connectionId)
  const request = await claim(dependencies, connection, callback)
  const { returnTo } = request
  const isLink = request.purpose === 'link'
  // Who began to link has signed out, or another has signed in.
  if (isLink && request.userId !== callback.caller?.session.userId) throw federatedSignInExpired()
  const linkTo = isLink ? callback.caller : undefined
  const { waitingClient } = secretsOf(dependencies, request)
  const origin = beginSignIn({ ...callback.origin, signInId: request.signInId, waitingClient }, database.clock.now())
  const { organisationId } = connection

  const arrived = await speak(dependencies, connection, request, callback.parameters)
  if (arrived instanceof UpstreamRefusal) {
    const { checks, fault } = arrived
    if (!isLink) reportAttempt('identity_provider_refused')
    if (fault === 'upstream') await reportFailure(dependencies, connection, arrived)
    return refuse(dependencies, origin, { connection, checks, refusal: identityProviderRefused(), returnTo, isLink })
  }
  const cutsGroups = hasTooMany(arrived.claims, [...connection.roleMappings, ...connection.teamMappings])
  await noteUse(database.tenant(organisationId), connection.id, cutsGroups)

  const done = await carryOut(dependencies, { connection, identity: arrived, linkTo, origin, language: callback.language })
  switch (done.kind) {
    case 'refused': {
      const refusal = refusalOf(dependencies, done)
      if (!isLink) await recordRefused(dependencies, connection, { ...done, reason: refusal.detail, origin })
      return refuse(dependencies, origin, { connection, checks: [...arrived.checks, checkOfUser(refusal)], refusal, returnTo, isLink })
    }
    case 'confirm':
      await letWait(dependencies, connection, request.stateHash, done.userId, arrived)
      return { kind: 'confirm', state: callback.parameters.get('state') ?? '' }
    case 'linked':
      return { kind: 'linked', returnTo }
    case 'signed_in':
      reportAttempt('right_identity')
      return { kind: 'signed_in', outcome: done.outcome, organisationId, returnTo }
  }
}

/** Uses the request up. @throws Problem `bad-request` */
async function claim({ database }: Federation, connection: ConnectionToUse, { parameters, browser }: Callback): Promise<FederationRequest> {
  const state = parameters.get('state')
  if (state === null || browser === undefined) throw federatedSignInExpired()
  const key = { stateHash: hashSecret(state), connectionId: connection.id, browserHash: hashSecret(browser) }
  const request = await database.transaction(connection.organisationId, (tenant) => claimRequest(tenant, key))
  if (!request) throw federatedSignInExpired()
  return request
}

const secretsOf = ({ keyring }: Federation, { stateHash, verifierEncrypted }: FederationRequest): Secrets =>
  JSON.parse(keyring.decrypt(verifierEncrypted, stateHash))

/** Asks the identity provider who it is. Nothing is locked meanwhile, however long it takes. */
export async function speak(
  federation: Federation,
  connection: ConnectionToUse,
  request: FederationRequest,
  parameters: URLSearchParams,
): Promise<UpstreamIdentity | UpstreamRefusal> {
  const { database } = federation
  const { verifier, maxAge } = secretsOf(federation, request)
  const upstream = await federation.openUpstream()
  const domains = await verifiedDomainsOf(database.tenant(connection.organisationId))
  const names = domains.map(({ domain }) => domain)
  const settings = settingsOf(federation, connection, names, database.clock.now())
  try {
    const expected = { state: parameters.get('state') ?? '', nonce: nonceOf(verifier), verifier, maxAge }
    const identity = await upstream.identityFrom(settings, parameters, expected)
    return checkGroups(connection, identity)
  } catch (error) {
    if (error instanceof UpstreamRefusal) return error
    throw error
  }
}

function checkGroups({ roleMappings, teamMappings }: ConnectionToUse, identity: UpstreamIdentity): UpstreamIdentity | UpstreamRefusal {
  if (!hasOverage(identity.claims, [...roleMappings, ...teamMappings])) return identity
  const { checks, claims } = identity
  return new UpstreamRefusal([...checks, checkOf('groups', say('in-the-token'), say('a-link-instead'), false)], 'browser', { claims })
}

/**
 * What became of a sign-in that could not begin.
 *
 * @throws what is no refusal of the identity provider
 */
export async function refuseStart(
  dependencies: Federation,
  { connectionId, origin, ...begun }: { connectionId: string; origin: SignInOrigin; returnTo: string; isLink: boolean },
  error: unknown,
): Promise<RefusedSignIn> {
  if (!(error instanceof UpstreamRefusal)) throw error
  const connection = await getUsableConnection(dependencies.database, connectionId)
  await reportFailure(dependencies, connection, error)
  return refuse(dependencies, origin, { connection, checks: error.checks, refusal: identityProviderRefused(), ...begun })
}

async function refuse(
  dependencies: Federation,
  origin: SignInOrigin,
  {
    connection,
    checks,
    refusal,
    ...begun
  }: { connection: ConnectionToUse; checks: readonly Check[]; refusal: Problem } & Pick<RefusedSignIn, 'returnTo' | 'isLink'>,
): Promise<RefusedSignIn> {
  const reference = await storeChecks(dependencies, origin, { connection, checks, refusal })
  return { kind: 'refused', refusal, reference, organisationId: connection.organisationId, ...begun }
}
