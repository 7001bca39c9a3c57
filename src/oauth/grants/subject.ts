import type { Phrase } from '../../../shared/checks/phrases.ts'
import { say } from '../../../shared/checks/said.ts'
import { whyTokenInvalid, whyUserTokenInvalid } from '../../tokens/rules.ts'
import type { SubjectState } from '../../tokens/subject.ts'
import { invalidGrant } from '../protocol/errors.ts'
import type { OAuthClient } from '../protocol/queries.ts'

/**
 * Refuses tokens for a user, a client or an organisation that has lost the right to them since the authorization.
 *
 * @throws OAuthError `invalid_grant`
 */
export function refuseInvalidAuthorization(client: OAuthClient, subject: SubjectState, authorizedAt: Date): void {
  const reason = whyAuthorizationInvalid(client, subject, authorizedAt)
  if (reason) throw invalidAuthorization(reason)
}

/** The reason why a user, a client or an organisation has lost the right to tokens since the authorization; undefined without one. */
export function whyAuthorizationInvalid(
  client: OAuthClient,
  { blockedAt, userDeletedAt }: SubjectState,
  authorizedAt: Date,
): Phrase | undefined {
  const state = { ...client, clientIsActive: client.isActive, clientDeletedAt: null, isRevoked: false }
  return whyTokenInvalid(state, authorizedAt.getTime()) ?? whyUserTokenInvalid({ familyRevokedAt: null, blockedAt, userDeletedAt })
}

/** The refusal of a token that was valid when it was read, but could not be claimed, although no other request has claimed it. */
export const organisationNotRunning = () => invalidAuthorization('organisation-not-running')

const invalidAuthorization = (reason: Phrase) =>
  invalidGrant('the authorization is no longer valid', { name: 'authorization', expected: say('a-valid-one'), received: say(reason) })
