import type { UserCaller } from '../access/caller.ts'
import { invalidSession } from '../access/refusals.ts'
import { listProofMethods } from '../access/require-fresh.ts'
import { record } from '../activity/record.ts'
import { claimFactorOrBackupCode } from '../mfa/claim-factor.ts'
import { invalidVerificationCode } from '../mfa/refusals.ts'
import { tryOwnCode } from '../mfa/try-code.ts'
import { matchOwnPassword, withOwnPassword } from '../passwords/own-password.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import type { ProvenFactor } from '../sessions/proven-factors.ts'
import { markReauthenticated } from '../sessions/queries.ts'
import { presentSession } from '../sessions/session-list.ts'
import { claimOwnPasskey } from './prove-passkey.ts'
import { secondFactorRequired, wrongPasskey, wrongPassword } from './refusals.ts'
import type { Reauthentication } from './schemas.ts'
import type { SignInDependencies } from './sign-in.ts'

/**
 * Lets the caller prove again that it is them, by the factors of a sign-in: the password, the second factor of users who have one, or a
 * passkey that has verified them. The session stays as it is; an operation that requires a recent sign-in accepts the proof. Wrong
 * attempts count as at sign-in.
 *
 * @returns the time of the proof
 * @throws Problem `bad-request` for a wrong password, code or passkey, and for a password where a second factor is needed or there is none;
 *   `unauthorized` when the session has ended meanwhile; `too-many-requests`
 */
export async function reauthenticate(
  dependencies: SignInDependencies,
  caller: UserCaller,
  proof: Reauthentication,
  language: Language | undefined,
): Promise<Date> {
  if ('password' in proof) return reauthenticateByPassword(dependencies, caller, proof.password)
  const provenAt = await tryOwnCode(dependencies, caller, { proof, language }, async (tenant) => {
    const claimed =
      'code' in proof
        ? await claimFactorOrBackupCode(tenant, dependencies, caller.session.userId, proof)
        : await claimOwnPasskey(tenant, dependencies, caller, proof, language)
    return claimed && confirm(tenant, caller, claimed, null)
  })
  if (!provenAt) throw 'code' in proof ? invalidVerificationCode() : wrongPasskey()
  return provenAt
}

async function reauthenticateByPassword(dependencies: SignInDependencies, caller: UserCaller, password: string): Promise<Date> {
  const methods = await listProofMethods(dependencies, caller)
  // Refuse before the password is checked: a thief of the session learns nothing about it.
  if (methods.includes('code')) throw secondFactorRequired()
  const isDisabled = !methods.includes('password')
  const matchPassword = () => matchOwnPassword(dependencies, caller, password, 'wrong password at re-authentication', { isDisabled })
  const provenAt = await withOwnPassword(dependencies, caller, matchPassword, (tenant, passwordHash) =>
    confirm(tenant, caller, { factor: 'password' }, passwordHash),
  )
  if (!provenAt) throw wrongPassword()
  return provenAt
}

async function confirm(
  tenant: Tenant,
  caller: UserCaller,
  { factor, passkeyId }: Pick<ProvenFactor, 'factor' | 'passkeyId'>,
  passwordHash: string | null,
): Promise<Date> {
  const sessionId = caller.session.id
  const session = await markReauthenticated(tenant, { sessionId, factor, passwordHash })
  if (!session) throw invalidSession()
  const metadata = { factor, ...(passkeyId !== undefined && { passkeyId }) }
  await record(tenant, caller.actor, { action: 'session.reauthenticated', session: presentSession(session, sessionId), metadata })
  return tenant.now
}
