import type { UserCaller } from '../access/caller.ts'
import { holdCaller } from '../access/hold-caller.ts'
import { presentUser } from '../accounts/present-user.ts'
import { getUser, updateUser } from '../accounts/queries.ts'
import { record } from '../activity/record.ts'
import { challengeOfFlow, type OwnPurpose } from '../passkeys/challenges.ts'
import { hashSecret, newSecret } from '../platform/crypto/secrets.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import { countFailure } from '../platform/rate-limits/rate-limit.ts'
import { endAccess } from '../sessions/end-access.ts'
import { upgradeSession } from '../sessions/queries.ts'
import { hashBackupCode, newBackupCodes } from './backup-codes.ts'
import { claimFactor } from './claim-factor.ts'
import type { Claimed, Proof } from './factors/second-factor.ts'
import { secondFactors } from './factors/second-factors.ts'
import {
  claimPendingCredential,
  deletePendingCredentials,
  deleteVerifiedCredential,
  findPendingCredential,
  lockEnrollee,
  replaceBackupCodes,
} from './queries.ts'
import { enrolmentNotStarted, invalidVerificationCode, methodNotAllowed, mfaAlreadyEnabled } from './refusals.ts'
import type { EnrolmentProof } from './schemas.ts'
import type { MfaDependencies } from './send-code.ts'
import { tellEnabled } from './tell-user.ts'

export interface Enrolled {
  backupCodes: string[]
  /** The new session cookie, if the session was limited to enrolment and has become a full one. */
  session: { token: string; expiresAt: Date } | undefined
}

/**
 * Completes the enrolment that this session began, with a code of the new second factor, or with the passkey. Enrolments of other
 * sessions are deleted, and those sessions end.
 *
 * @throws Problem `bad-request` for a wrong code, without an enrolment or for a method that is no longer allowed, `too-many-requests`
 */
export async function verifyEnrolment(
  dependencies: MfaDependencies,
  caller: UserCaller,
  proof: EnrolmentProof,
  language: Language | undefined,
): Promise<Enrolled> {
  const { database, limits, relyingParty } = dependencies
  const { userId, id: sessionId } = caller.session
  const enrol = async (tenant: Tenant) => {
    const enrollee = await lockEnrollee(tenant, userId, relyingParty.id)
    await holdCaller(tenant, caller)
    const pending = enrollee && (await findPendingCredential(tenant, caller.session))
    if (!pending) return { refusal: enrollee?.mfaEnabled ? mfaAlreadyEnabled() : enrolmentNotStarted() }
    if (!enrollee.allowedMfaMethods.includes(pending.method)) return { refusal: methodNotAllowed(pending.method) }
    const given = ownProof(dependencies, caller, proof, { purpose: 'enrol-second-factor', language })
    const claimed = given && (await secondFactors[pending.method].claim(tenant, dependencies, pending, given))
    if (!claimed) return undefined

    const replaced = await deleteVerifiedCredential(tenant, userId, pending.method)
    await claimPendingCredential(tenant, pending.id)
    await deletePendingCredentials(tenant, userId)
    await updateUser(tenant, userId, { mfaEnabled: true })
    const backupCodes = await newCodesOf(tenant, userId)
    const token = newSecret()
    const proven = [{ ...claimed, provenAt: tenant.now }]
    const hasMoreToEnrol = enrollee.lacksPasskey
    const upgraded = await upgradeSession(tenant, sessionId, hashSecret(token), proven, { hasMoreToEnrol })
    // The other sessions began without the factor that is required from now on, and so did everything that came from them.
    await endAccess(tenant, caller.actor, userId, { exceptSessionId: sessionId, tokens: 'of-other-sessions' })
    const user = await recordOf(tenant, caller, 'mfa.enabled', { method: pending.method, ...(replaced && { replaced }) })
    await tellEnabled(tenant, dependencies, user, pending.method, language)
    return { backupCodes, session: upgraded && { token, expiresAt: upgraded.expiresAt } }
  }
  const enrolled = await countFailure(limits.codeByUser, userId, () => database.transaction(caller.organisationId, enrol))
  if (!enrolled) throw invalidVerificationCode()
  if ('refusal' in enrolled) throw enrolled.refusal
  return enrolled
}

/** The caller's input as a proof of a second factor; undefined for a challenge that has expired. */
function ownProof(
  { database, keyring }: MfaDependencies,
  { actor, email, session: { userId } }: UserCaller,
  proof: EnrolmentProof,
  { purpose, language }: { purpose: OwnPurpose; language: Language | undefined },
): Proof | undefined {
  if ('token' in proof) return { code: proof.token }
  const challenge = challengeOfFlow(keyring, { purpose, userId }, proof.flowToken, database.clock.now())
  return challenge && { credential: proof.credential, challenge, user: { id: userId, email, name: actor.name ?? '' }, actor, language }
}

/** Uses up a proof of one of the caller's second factors, which allows them to change their factors. */
export async function claimOwnFactor(
  tenant: Tenant,
  dependencies: MfaDependencies,
  caller: UserCaller,
  sent: EnrolmentProof,
  language: Language | undefined,
): Promise<Claimed | undefined> {
  const proof = ownProof(dependencies, caller, sent, { purpose: 'change-second-factors', language })
  return proof && claimFactor(tenant, dependencies, caller.session.userId, proof)
}

/** Issues new backup codes; the previous ones stop working. */
export async function newCodesOf(tenant: Tenant, userId: string): Promise<string[]> {
  const backupCodes = newBackupCodes()
  await replaceBackupCodes(
    tenant,
    userId,
    backupCodes.map((code) => hashBackupCode(userId, code)),
  )
  return backupCodes
}

type MfaAction = 'mfa.enrolment_started' | 'mfa.enabled' | 'mfa.disabled' | 'mfa.backup_codes_replaced'

/** @returns the user after the change */
export async function recordOf(tenant: Tenant, caller: UserCaller, action: MfaAction, metadata?: Record<string, unknown>) {
  const user = presentUser(await getUser(tenant, caller.session.userId))
  await record(tenant, caller.actor, { action, user, ...(metadata && { metadata }) })
  return user
}
