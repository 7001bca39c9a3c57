import type { UserCaller } from '../access/caller.ts'
import { assuranceLevelOf } from '../access/factors.ts'
import { invalidSession } from '../access/refusals.ts'
import { record } from '../activity/record.ts'
import { claimFactorOrBackupCode } from '../mfa/claim-factor.ts'
import { invalidVerificationCode } from '../mfa/refusals.ts'
import { tryOwnCode } from '../mfa/try-code.ts'
import { hashSecret, newSecret } from '../platform/crypto/secrets.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import { describeFactors, type ProvenFactor } from '../sessions/proven-factors.ts'
import { isCookieOf, stepUpSession } from '../sessions/queries.ts'
import { presentSession } from '../sessions/session-list.ts'
import type { SignInDependencies } from './sign-in.ts'

/** A signed-in user who proves more. */
export interface SteppingUp {
  caller: UserCaller
  /** The cookie of the session. */
  token: string
}

/**
 * Adds a second factor to the caller's session, by a code or a backup code. The session goes on under a new cookie, which only
 * the first of several calls gets.
 *
 * @throws Problem `bad-request` for a wrong code, `unauthorized` when the session has ended or another call was first,
 *   `too-many-requests`
 */
export async function stepUpByCode(
  dependencies: SignInDependencies,
  { caller, token }: SteppingUp,
  code: string,
  language: Language | undefined,
): Promise<{ token: string; expiresAt: Date }> {
  const { userId } = caller.session
  const upgraded = await tryOwnCode(dependencies, caller, language, async (tenant) => {
    // Before the code: of several at once, those who come too late have not guessed wrong.
    if (!(await isCookieOf(tenant, caller.session.id, hashSecret(token)))) throw invalidSession()
    const claimed = await claimFactorOrBackupCode(tenant, dependencies, userId, { code })
    return claimed && stepUp(tenant, { caller, token }, { ...claimed, provenAt: tenant.now })
  })
  if (!upgraded) throw invalidVerificationCode()
  return upgraded
}

async function stepUp(tenant: Tenant, { caller, token }: SteppingUp, proven: ProvenFactor) {
  const newToken = newSecret()
  const { id } = caller.session
  const changed = await stepUpSession(tenant, { id, tokenHash: hashSecret(token), newTokenHash: hashSecret(newToken), proven })
  if (!changed) throw invalidSession()
  const level = assuranceLevelOf(describeFactors(changed.provenFactors))
  const session = presentSession(changed.session, id)
  await record(tenant, caller.actor, { action: 'session.stepped_up', session, metadata: { factor: proven.factor, level } })
  return { token: newToken, expiresAt: changed.session.expiresAt }
}
