import type { UserCaller } from '../access/caller.ts'
import { type MfaMethod, mfaMethods } from '../access/factors.ts'
import { findOwnOrganisation } from '../organisations/queries.ts'
import { hasPasskey } from '../passkeys/own-passkeys.ts'
import type { Begun } from './factors/second-factor.ts'
import { secondFactors } from './factors/second-factors.ts'
import { findPendingCredential, listCredentials } from './queries.ts'
import type { MfaDependencies } from './send-code.ts'

/** An older secret may have been seen by others, so it is not offered again. */
const startedAtMostMilliseconds = 15 * 60 * 1_000

/** The caller's second factors: what is enrolled, what is pending, what is allowed. */
export interface EnrolmentState {
  /**
   * The enrolment that this session began recently, by a method that is still allowed. A page that is reloaded shows it again, so the code
   * on the phone stays valid.
   */
  begun: Begun | undefined
  /** The methods that the organisation allows and this installation supports; passkeys only for a user who has one. */
  allowed: ReadonlySet<MfaMethod>
  /** Whether the caller has a second factor already. */
  enabled: boolean
}

/** Reads the state of the caller's second factors without changing it. */
export async function findEnrolmentState(dependencies: MfaDependencies, caller: UserCaller): Promise<EnrolmentState> {
  const tenant = dependencies.database.tenant(caller.organisationId)
  const [organisation, pending, held] = await Promise.all([
    findOwnOrganisation(tenant),
    findPendingCredential(tenant, caller.session),
    listCredentials(tenant, caller.session.userId),
  ])
  const possible = mfaMethods.filter((method) => secondFactors[method].isPossible(dependencies))
  const allowed = new Set(possible.filter((method) => organisation?.allowedMfaMethods.includes(method)))
  if (allowed.has('passkey') && !(await hasPasskey(dependencies, caller))) allowed.delete('passkey')
  const state = { allowed, enabled: held.length > 0 }
  if (!pending || tenant.now.getTime() - pending.createdAt.getTime() >= startedAtMostMilliseconds) return { ...state, begun: undefined }
  if (!organisation?.allowedMfaMethods.includes(pending.method)) return { ...state, begun: undefined }
  const shown = { account: caller.email, organisationName: organisation.name }
  return { ...state, begun: secondFactors[pending.method].presentBegun(dependencies.keyring, pending, shown) }
}
