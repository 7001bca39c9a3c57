import type { UserCaller } from '../access/caller.ts'
import type { FactorName } from '../access/factors.ts'
import { invalidSession } from '../access/refusals.ts'
import { listProofMethods } from '../access/require-fresh.ts'
import { record } from '../activity/record.ts'
import { claimFactorOrBackupCode } from '../mfa/claim-factor.ts'
import { invalidVerificationCode } from '../mfa/refusals.ts'
import { tryOwnCode } from '../mfa/try-code.ts'
import { matchOwnPassword } from '../passwords/own-password.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import { markReauthenticated } from '../sessions/queries.ts'
import { presentSession } from '../sessions/session-list.ts'
import { secondFactorRequired, wrongPassword } from './refusals.ts'
import type { Reauthentication } from './schemas.ts'
import type { SignInDependencies } from './sign-in.ts'

/**
 * Lets the caller prove again that it is them, by what signing in takes: the password, or the second factor of those who have
 * one. The session stays as it is; what asks for a recent sign-in takes the proof for one. Wrong ones count as at sign-in.
 *
 * @returns when it was proven
 * @throws Problem `bad-request` for a wrong password or code, and for a password where a second factor is needed;
 *   `unauthorized` when the session has ended meanwhile; `too-many-requests`
 */
export async function reauthenticate(
  dependencies: SignInDependencies,
  caller: UserCaller,
  proof: Reauthentication,
  language: Language | undefined,
): Promise<Date> {
  if ('password' in proof) return reauthenticateByPassword(dependencies, caller, proof.password)
  return reauthenticateByCode(dependencies, caller, proof.code, language)
}

async function reauthenticateByPassword(dependencies: SignInDependencies, caller: UserCaller, password: string): Promise<Date> {
  const { database } = dependencies
  // Before the password is checked: a thief of the session learns nothing about it.
  if ((await listProofMethods(database, caller)).includes('code')) throw secondFactorRequired()
  const passwordHash = await matchOwnPassword(dependencies, caller, password, 'wrong password at re-authentication')
  if (passwordHash === undefined) throw wrongPassword()
  return database.transaction(caller.organisationId, (tenant) => confirm(tenant, caller, 'password', passwordHash))
}

async function reauthenticateByCode(
  dependencies: SignInDependencies,
  caller: UserCaller,
  code: string,
  language: Language | undefined,
): Promise<Date> {
  const provenAt = await tryOwnCode(dependencies, caller, language, async (tenant) => {
    const claimed = await claimFactorOrBackupCode(tenant, dependencies, caller.session.userId, { code })
    return claimed && confirm(tenant, caller, claimed.factor, null)
  })
  if (!provenAt) throw invalidVerificationCode()
  return provenAt
}

async function confirm(tenant: Tenant, caller: UserCaller, factor: FactorName, passwordHash: string | null): Promise<Date> {
  const sessionId = caller.session.id
  const session = await markReauthenticated(tenant, { sessionId, factor, passwordHash })
  if (!session) throw invalidSession()
  const presented = presentSession(session, sessionId)
  await record(tenant, caller.actor, { action: 'session.reauthenticated', session: presented, metadata: { factor } })
  return tenant.now
}
