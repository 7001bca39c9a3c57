import { say } from '../../../shared/checks/said.ts'
import { refuseForSso } from '../../domains/sso-requirement.ts'
import type { Problem } from '../../platform/http/problem.ts'
import { userBlocked } from '../../sign-in/refusals.ts'
import { type Check, checkOf } from '../upstream/checks.ts'
import type { Refused } from './federated-sign-in.ts'
import {
  addressUnusable,
  connectionUnusable,
  invitationByMail,
  linkedToAnotherUser,
  linkWhileSignedIn,
  noAccountHere,
  noVerifiedAddress,
} from './refusals.ts'

/** The last check: whether the organisation has a user for the identity. */
export const checkOfUser = ({ detail }: Problem): Check => checkOf('user', say('a-user-of-the-organisation'), detail, false)

const refusals: Record<Exclude<Refused['refusal'], 'sso_required'>, () => Problem> = {
  connection_unusable: connectionUnusable,
  user_blocked: userBlocked,
  linked_to_another_user: linkedToAnotherUser,
  no_verified_address: noVerifiedAddress,
  address_unusable: addressUnusable,
  link_while_signed_in: linkWhileSignedIn,
  no_account: noAccountHere,
  invitation_by_mail: invitationByMail,
}

export const refusalOf = ({ publicUrl }: { publicUrl: string }, { refusal, requiredConnectionId = '' }: Omit<Refused, 'kind'>): Problem =>
  refusal === 'sso_required' ? refuseForSso(publicUrl, requiredConnectionId) : refusals[refusal]()
