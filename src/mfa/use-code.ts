import type { UserCaller } from '../access/caller.ts'
import { updateUser } from '../accounts/queries.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import { isAccepted } from './claim-factor.ts'
import { claimOwnFactor, newCodesOf, recordOf } from './enrol.ts'
import { deleteCredentials } from './queries.ts'
import { invalidVerificationCode } from './refusals.ts'
import type { EnrolmentProof } from './schemas.ts'
import type { MfaDependencies } from './send-code.ts'
import { tellSwitchedOff } from './tell-user.ts'
import { tryOwnCode } from './try-code.ts'

/**
 * Whether a code would be accepted now. The code is not used up.
 *
 * @throws Problem `too-many-requests`
 */
export async function checkCode(
  dependencies: MfaDependencies,
  caller: UserCaller,
  code: string,
  language: Language | undefined,
): Promise<boolean> {
  const valid = await tryOwnCode(
    dependencies,
    caller,
    { proof: { code }, language },
    async (tenant) => (await isAccepted(tenant, dependencies.keyring, caller.session.userId, { code })) || undefined,
  )
  return valid ?? false
}

/**
 * Disables the caller's MFA, and tells them by mail.
 *
 * @throws Problem `bad-request` for a wrong code or passkey, `too-many-requests`
 */
export async function disableMfa(
  dependencies: MfaDependencies,
  caller: UserCaller,
  proof: EnrolmentProof,
  language: Language | undefined,
): Promise<void> {
  await withProof(dependencies, caller, proof, language, async (tenant) => {
    await deleteCredentials(tenant, caller.session.userId)
    await updateUser(tenant, caller.session.userId, { mfaEnabled: false })
    const user = await recordOf(tenant, caller, 'mfa.disabled')
    await tellSwitchedOff(tenant, dependencies, user, language)
  })
}

/**
 * Issues new backup codes to the caller; the previous ones stop working.
 *
 * @throws Problem `bad-request` for a wrong code or passkey, `too-many-requests`
 */
export async function replaceCodes(
  dependencies: MfaDependencies,
  caller: UserCaller,
  proof: EnrolmentProof,
  language: Language | undefined,
): Promise<string[]> {
  return withProof(dependencies, caller, proof, language, async (tenant) => {
    const backupCodes = await newCodesOf(tenant, caller.session.userId)
    await recordOf(tenant, caller, 'mfa.backup_codes_replaced')
    return backupCodes
  })
}

/** Runs an operation that requires a proof of one of the caller's second factors, and uses the proof up. */
async function withProof<T>(
  dependencies: MfaDependencies,
  caller: UserCaller,
  proof: EnrolmentProof,
  language: Language | undefined,
  work: (tenant: Tenant) => Promise<T>,
): Promise<T> {
  const done = await tryOwnCode(dependencies, caller, { proof, language }, async (tenant) => {
    const factor = await claimOwnFactor(tenant, dependencies, caller, proof, language)
    return factor && { result: await work(tenant) }
  })
  if (!done) throw invalidVerificationCode()
  return done.result
}
