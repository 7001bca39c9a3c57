import { passwordPolicyOf } from '../organisations/rules.ts'
import type { PasswordHasher } from '../platform/crypto/password-hasher.ts'
import type { Tenant } from '../platform/database/database.ts'
import { Problem } from '../platform/http/problem.ts'
import type { RateLimit } from '../platform/rate-limits/rate-limit.ts'
import { isCommonPassword } from './common-passwords.ts'
import { findPasswordConditions } from './queries.ts'
import { passwordUsedBefore, unsuitablePassword } from './refusals.ts'
import { mistakesOf } from './rules.ts'

/** The user who chooses a password; without an id before the account exists. */
export interface PasswordChooser {
  id?: string
  email: string
  firstName: string
  lastName: string
}

/**
 * Holds a chosen password against everything that the organisation asks of one. Every place where a password is chosen
 * calls it, before its transaction: comparing with former passwords takes time that a transaction should not.
 *
 * @param field the name that the request gives to the password
 * @throws Problem `bad-request` with everything that is wrong with it
 */
export async function checkNewPassword(
  passwordHasher: PasswordHasher,
  tenant: Tenant,
  chooser: PasswordChooser,
  chosen: string,
  field = 'password',
): Promise<void> {
  // As it will be stored.
  const password = chosen.normalize('NFC')
  const { passwordPolicy, currentHash, formerHashes } = await findPasswordConditions(tenant, chooser.id)
  const policy = passwordPolicyOf(passwordPolicy)
  const mistakes = mistakesOf(password, policy, {
    isCommon: await isCommonPassword(password),
    personalWords: [chooser.email, chooser.firstName, chooser.lastName],
  })
  if (mistakes.length > 0) throw unsuitablePassword(mistakes, field)

  // A password that has to be replaced after a time is not replaced by itself.
  const keepsCurrentOut = policy.preventReuse > 0 || policy.maxAgeDays !== undefined
  const refused = [...(keepsCurrentOut && currentHash ? [currentHash] : []), ...formerHashes.slice(0, policy.preventReuse)]
  for (const passwordHash of refused) {
    if (await passwordHasher.isFormer(passwordHash, chosen)) throw passwordUsedBefore(field)
  }
}

/**
 * Counts a choice of a password against a limit, and runs its check. The check compares the password with all former
 * ones, whatever comes of it, so that it counts as a change; one that fails before that is released.
 *
 * @throws Problem `too-many-requests`, or as the check does
 */
export async function withinLimit(limit: RateLimit, key: string, check: () => Promise<void>): Promise<void> {
  await limit.count(key)
  try {
    await check()
  } catch (error) {
    if (error instanceof Problem && error.code === unsuitablePassword.code) await limit.release(key)
    throw error
  }
}
