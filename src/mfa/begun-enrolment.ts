import type { UserCaller } from '../access/caller.ts'
import { type MfaMethod, mfaMethods } from '../access/factors.ts'
import { findOwnOrganisation } from '../organisations/queries.ts'
import type { Begun } from './factors/second-factor.ts'
import { secondFactors } from './factors/second-factors.ts'
import { findPendingCredential, listCredentials } from './queries.ts'
import type { MfaDependencies } from './send-code.ts'

/** After that a secret which somebody may have seen is not offered again. */
const startedAtMostMilliseconds = 15 * 60 * 1_000

/** Where the caller stands with second factors. */
export interface EnrolmentState {
  /** What this session began a little while ago, so that a page can be loaded again without making the code on the phone useless. */
  begun: Begun | undefined
  /** What the caller may enrol: what their organisation allows and this installation can do. */
  allowed: ReadonlySet<MfaMethod>
  /** Whether the caller has a second factor already. */
  enabled: boolean
}

/** Reads where the caller stands, and changes nothing. */
export async function findEnrolmentState(dependencies: MfaDependencies, caller: UserCaller): Promise<EnrolmentState> {
  const tenant = dependencies.database.tenant(caller.organisationId)
  const [organisation, pending, held] = await Promise.all([
    findOwnOrganisation(tenant),
    findPendingCredential(tenant, caller.session),
    listCredentials(tenant, caller.session.userId),
  ])
  const possible = mfaMethods.filter((method) => secondFactors[method].isPossible(dependencies))
  const allowed = new Set(possible.filter((method) => organisation?.allowedMfaMethods.includes(method)))
  const state = { allowed, enabled: held.length > 0 }
  if (!pending || tenant.now.getTime() - pending.createdAt.getTime() >= startedAtMostMilliseconds) return { ...state, begun: undefined }
  const shown = { account: caller.email, organisationName: organisation?.name ?? '' }
  return { ...state, begun: secondFactors[pending.method].presentBegun(dependencies.keyring, pending, shown) }
}
