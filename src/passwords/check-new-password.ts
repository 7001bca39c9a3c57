import { passwordPolicyOf } from '../organisations/rules.ts'
import type { PasswordHasher } from '../platform/crypto/password-hasher.ts'
import type { Tenant } from '../platform/database/database.ts'
import { Problem } from '../platform/http/problem.ts'
import type { RateLimit } from '../platform/rate-limits/rate-limit.ts'
import type { BreachedPasswords } from './breached-passwords.ts'
import { isCommonPassword } from './common-passwords.ts'
import { findPasswordConditions } from './queries.ts'
import { breachedPasswordsUnreachable, passwordBreached, passwordUsedBefore, unsuitablePassword } from './refusals.ts'
import { mistakesOf, refusesPresent } from './rules.ts'

/** The user who chooses a password; without an id before the account exists. */
export interface PasswordChooser {
  id?: string
  email: string
  firstName: string
  lastName: string
}

export interface PasswordChecks {
  passwordHasher: PasswordHasher
  breachedPasswords: BreachedPasswords | undefined
}

/**
 * Checks a chosen password against all requirements of the organisation. Every operation that sets a password calls it before its
 * transaction: looking it up among breached ones, and comparing with former ones, takes time that a transaction should not.
 *
 * @param field the name of the password in the request
 * @throws Problem `bad-request` with everything that is wrong with it,
 *   `service-unavailable` when the operator refuses passwords that cannot be looked up
 */
export async function checkNewPassword(
  { passwordHasher, breachedPasswords }: PasswordChecks,
  tenant: Tenant,
  chooser: PasswordChooser,
  chosen: string,
  field = 'password',
): Promise<void> {
  // Normalise it as it will be stored.
  const password = chosen.normalize('NFC')
  const { passwordPolicy, currentHash, formerHashes } = await findPasswordConditions(tenant, chooser.id)
  const policy = passwordPolicyOf(passwordPolicy)
  const mistakes = mistakesOf(password, policy, {
    isCommon: await isCommonPassword(password),
    personalWords: [chooser.email, chooser.firstName, chooser.lastName],
  })
  if (mistakes.length > 0) throw unsuitablePassword(mistakes, field)
  if (policy.refuseBreached) await refuseBreached(breachedPasswords, password, field)

  // The first is the present one; where it has been taken away, the one that was the present one.
  const newestFirst = currentHash ? [currentHash, ...formerHashes] : formerHashes
  for (const passwordHash of newestFirst.slice(0, refusesPresent(policy) ? policy.preventReuse + 1 : 0)) {
    if (await passwordHasher.isFormer(passwordHash, chosen)) throw passwordUsedBefore(field)
  }
}

/** Runs after the rules, which need no other computer, and before the comparison with former passwords, which is slow. */
async function refuseBreached(breachedPasswords: BreachedPasswords | undefined, password: string, field: string): Promise<void> {
  if (!breachedPasswords) return
  const isBreached = await breachedPasswords.isBreached(password)
  if (isBreached) throw passwordBreached(field)
  if (isBreached === undefined && breachedPasswords.whenUnreachable === 'refuse') throw breachedPasswordsUnreachable()
}

const beforeFormerOnes: ReadonlySet<string> = new Set([unsuitablePassword.code, passwordBreached.code, breachedPasswordsUnreachable.code])

/**
 * Counts a choice of a password against a limit, and runs its check. Every completed check counts as a change, since it compares the
 * password with all former ones; a check that fails before that is released.
 *
 * @throws Problem `too-many-requests`, or as the check does
 */
export async function withinLimit(limit: RateLimit, key: string, check: () => Promise<void>): Promise<void> {
  await limit.count(key)
  try {
    await check()
  } catch (error) {
    if (error instanceof Problem && beforeFormerOnes.has(error.code)) await limit.release(key)
    throw error
  }
}
