import { Problem } from '../../platform/http/problem.ts'
import { reportAttempt } from '../../sign-in/attempts.ts'
import type { SignInOrigin } from '../../sign-in/begin.ts'
import type { SignInOutcome } from '../../sign-in/outcome.ts'
import { type Check, UpstreamRefusal } from '../upstream/checks.ts'
import { type Callback, claimAttempt } from './claim-attempt.ts'
import { storePendingIdentity } from './confirm.ts'
import { fetchIdentity } from './fetch-identity.ts'
import { hasTooMany } from './person.ts'
import { type ConnectionToUse, noteUse } from './queries.ts'
import { recordRefused } from './record-refused.ts'
import { identityProviderRefused, tooManyMessages } from './refusals.ts'
import { reportFailure } from './report-failure.ts'
import { type FederatedSignInDependencies, signInByIdentity } from './sign-in-by-identity.ts'
import { type Asked, type Federation, getUsableConnection } from './start.ts'
import { storeChecks } from './store-checks.ts'
import { checkOfUser, refusalOf } from './why-refused.ts'

/** How a sign-in has begun, for the pages that follow. */
interface Begun {
  returnTo: string
  isLink: boolean
  asked: Asked
}

/** A sign-in that was refused, with the reference by which an administrator finds the reason. */
export interface RefusedSignIn extends Begun {
  kind: 'refused'
  refusal: Problem
  reference: string | undefined
  organisationId: string
}

export type CompletedSignIn =
  | { kind: 'signed_in'; outcome: SignInOutcome; organisationId: string; returnTo: string; asked: Asked }
  | { kind: 'linked'; returnTo: string }
  /** The user has to sign in in a present way before the identity is linked. */
  | { kind: 'confirm'; state: string; asked: Asked }
  | RefusedSignIn

/**
 * Completes a sign-in at an identity provider. Of any number of calls with one state, only one completes it.
 *
 * @throws Problem `not-found`, `forbidden` when the connection cannot be used (any more), `bad-request` for a state that is unknown, used,
 *   expired or of another browser
 */
export async function completeFederation(dependencies: FederatedSignInDependencies, callback: Callback): Promise<CompletedSignIn> {
  const { connection, request, ...attempt } = await claimAttempt(dependencies, callback)
  const { linkTo, origin, asked } = attempt
  const { returnTo } = request
  const isLink = linkTo !== undefined
  const begun = { returnTo, isLink, asked }

  const { organisationId } = connection
  const arrived = await fetchIdentity(dependencies, connection, request, callback.parameters).catch(tooManyAtOnce)
  // The request is used up: the user can begin again, and does not have to find out where.
  if (arrived instanceof Problem) return { kind: 'refused', refusal: arrived, reference: undefined, organisationId, ...begun }
  if (arrived instanceof UpstreamRefusal) {
    const { checks, fault } = arrived
    if (!isLink) reportAttempt('identity_provider_refused')
    if (fault === 'upstream') await reportFailure(dependencies, connection, arrived)
    return refuse(dependencies, origin, { connection, checks, refusal: identityProviderRefused(), ...begun })
  }
  const cutsGroups = hasTooMany(arrived.claims, connection.mapping, [...connection.roleMappings, ...connection.teamMappings])
  const done = await signInByIdentity(dependencies, { ...attempt, connection, identity: arrived })
  const hasSignedIn = done.kind === 'signed_in'
  await noteUse(dependencies.database.tenant(organisationId), connection.id, { cutsGroups, hasSignedIn })
  switch (done.kind) {
    case 'refused': {
      const refusal = refusalOf(dependencies, done)
      if (!isLink) await recordRefused(dependencies, connection, { ...done, reason: refusal.detail, origin })
      return refuse(dependencies, origin, { connection, checks: [...arrived.checks, checkOfUser(refusal)], refusal, ...begun })
    }
    case 'confirm':
      await storePendingIdentity(dependencies, connection, request.stateHash, done.userId, arrived)
      return { kind: 'confirm', state: callback.parameters.get('state') ?? '', asked }
    case 'linked':
      return { kind: 'linked', returnTo }
    case 'signed_in':
      reportAttempt('right_identity')
      return { kind: 'signed_in', outcome: done.outcome, organisationId, returnTo, asked }
  }
}

/**
 * The outcome of a sign-in that could not begin.
 *
 * @throws any error but a refusal of the identity provider, and that too many begin at once
 */
export async function refuseStart(
  dependencies: Federation,
  { connectionId, origin, ...begun }: { connectionId: string; origin: SignInOrigin } & Begun,
  error: unknown,
): Promise<RefusedSignIn> {
  const refused = error instanceof UpstreamRefusal ? error : tooManyAtOnce(error)
  const connection = await getUsableConnection(dependencies.database, connectionId)
  const { organisationId } = connection
  if (refused instanceof Problem) return { kind: 'refused', refusal: refused, reference: undefined, organisationId, ...begun }
  await reportFailure(dependencies, connection, refused)
  return refuse(dependencies, origin, { connection, checks: refused.checks, refusal: identityProviderRefused(), ...begun })
}

/** @throws any other error */
function tooManyAtOnce(error: unknown): Problem {
  if (error instanceof Problem && error.code === tooManyMessages.code) return error
  throw error
}

async function refuse(
  dependencies: Federation,
  origin: SignInOrigin,
  { connection, checks, refusal, ...begun }: { connection: ConnectionToUse; checks: readonly Check[]; refusal: Problem } & Begun,
): Promise<RefusedSignIn> {
  const reference = await storeChecks(dependencies, origin, { connection, checks, refusal })
  return { kind: 'refused', refusal, reference, organisationId: connection.organisationId, ...begun }
}
