import type { UserCaller } from '../access/caller.ts'
import { holdCaller } from '../access/hold-caller.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import { claimOwnFactor, recordOf } from './enrol.ts'
import type { Beginning, Prepared } from './factors/second-factor.ts'
import { secondFactors } from './factors/second-factors.ts'
import { listCredentials, lockEnrollee } from './queries.ts'
import { invalidVerificationCode, methodNotAllowed, mfaAlreadyEnabled } from './refusals.ts'
import type { EnrolmentProof, EnrolmentRequest, StartedEnrolment } from './schemas.ts'
import type { MfaDependencies } from './send-code.ts'
import { type Enrollee, tryOwnCode } from './try-code.ts'

/**
 * Begins the enrolment of a second factor: of an authenticator app, unless a phone is requested. It belongs to the caller's
 * session, and replaces what the same session began before. A user with a factor can add the other kind, or replace the factor by one
 * of its kind, with a code of it or the passkey: the session alone must not be enough to enrol a stranger's phone. A factor that is
 * being replaced works until the new one has been proven.
 *
 * @throws Problem `bad-request` when MFA is enabled, the organisation does not allow the method or the code is wrong,
 *   `too-many-requests`, `service-unavailable` when the gateway fails
 */
export async function enableMfa(
  dependencies: MfaDependencies,
  caller: UserCaller,
  request: EnrolmentRequest,
  language: Language | undefined,
): Promise<StartedEnrolment> {
  const prepared = await secondFactors[methodOf(request)].prepare(dependencies, caller, request)
  const begun = await beginEnrolment(dependencies, caller, request, prepared, language).catch(async (error: unknown) => {
    // Nothing was sent. Counted all the same, it would use up the codes of the owner of a phone.
    await prepared.release?.()
    throw error
  })
  await begun.afterCommit?.()
  return begun.started
}

const methodOf = ({ method = 'totp' }: EnrolmentRequest) => method

/** @throws Problem as {@link enableMfa} */
async function beginEnrolment(
  dependencies: MfaDependencies,
  caller: UserCaller,
  request: EnrolmentRequest,
  prepared: Prepared,
  language: Language | undefined,
): Promise<Beginning> {
  const method = methodOf(request)
  const proof = proofIn(request)
  const { userId } = caller.session
  const beginFor = async (tenant: Tenant, enrollee: Enrollee | undefined) => {
    if (!enrollee) throw mfaAlreadyEnabled()
    if (!enrollee.allowedMfaMethods.includes(method)) throw methodNotAllowed(method)
    if (enrollee.mfaEnabled) {
      const held = await listCredentials(tenant, userId)
      const mayAdd = request.replace || held.every((credential) => credential.method !== method)
      if (request.method === undefined || proof === undefined || !mayAdd) throw mfaAlreadyEnabled()
      if (!(await claimOwnFactor(tenant, dependencies, caller, proof, language))) return undefined
    }
    const beginning = await prepared.begin(tenant, enrollee)
    await recordOf(tenant, caller, 'mfa.enrolment_started', { method })
    return beginning
  }
  const begun =
    proof === undefined
      ? await dependencies.database.transaction(caller.organisationId, async (tenant) => {
          const enrollee = await lockEnrollee(tenant, userId)
          await holdCaller(tenant, caller)
          return beginFor(tenant, enrollee)
        })
      : await tryOwnCode(dependencies, caller, { proof, language }, beginFor)
  if (!begun) throw invalidVerificationCode()
  return begun
}

function proofIn({ token, flowToken, credential }: EnrolmentRequest): EnrolmentProof | undefined {
  if (token !== undefined) return { token }
  return flowToken !== undefined && credential !== undefined ? { flowToken, credential } : undefined
}
