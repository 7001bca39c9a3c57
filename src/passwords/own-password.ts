import type { UserCaller } from '../access/caller.ts'
import { holdCaller } from '../access/hold-caller.ts'
import type { RateLimits } from '../access/rate-limits.ts'
import { recordWrongPassword } from '../accounts/lock-account.ts'
import type { PasswordHasher } from '../platform/crypto/password-hasher.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { findPasswordConditions, lockPassword } from './queries.ts'
import { noPassword } from './refusals.ts'

export interface PasswordMatching {
  database: Database
  limits: RateLimits
  passwordHasher: PasswordHasher
}

/**
 * Checks the password of a signed-in user. A wrong one counts as a failed sign-in; where there is none, nothing is counted.
 *
 * @param reason the reason in the audit entry of a wrong one
 * @param isDisabled whether the organisation accepts no passwords: then the right one is like a wrong one
 * @returns the hash that the password matched, undefined for a wrong one
 * @throws Problem `bad-request` for a user without a password, `too-many-requests`
 */
export async function matchOwnPassword(
  dependencies: PasswordMatching,
  caller: UserCaller,
  password: string,
  reason: string,
  { isDisabled = false } = {},
): Promise<string | undefined> {
  const { database, limits, passwordHasher } = dependencies
  const { email, actor, organisationId, session } = caller
  const { currentHash } = await findPasswordConditions(database.tenant(organisationId), session.userId)
  // There is nothing to guess: a count would lock out a user who is told to enter what they have never chosen.
  if (currentHash === null) throw noPassword()
  const { isLast } = await limits.signInByAccount.count(email)
  const match = await passwordHasher.match(currentHash, password).catch(async (error: unknown) => {
    // No attempt was made.
    await limits.signInByAccount.release(email)
    throw error
  })
  if (!match || isDisabled) {
    const account = { id: session.userId, email, name: actor.name ?? '' }
    await recordWrongPassword(dependencies, organisationId, actor, account, { reason, isLast })
    return undefined
  }
  await limits.signInByAccount.release(email)
  return currentHash
}

/**
 * Runs an operation that the right password of a signed-in user allows, in a transaction. When the stored hash has changed since the
 * check, the password is checked again: a concurrent sign-in may have renewed the hash of the same password.
 *
 * @returns undefined for a wrong password
 * @throws Problem `too-many-requests`; `unauthorized` when the caller's session has ended meanwhile
 */
export async function withOwnPassword<Result>(
  dependencies: Pick<PasswordMatching, 'database'>,
  caller: UserCaller,
  matchPassword: () => Promise<string | undefined>,
  work: (tenant: Tenant, passwordHash: string) => Promise<Result>,
  matched?: string,
): Promise<Result | undefined> {
  const passwordHash = matched ?? (await matchPassword())
  if (passwordHash === undefined) return undefined
  const done = await dependencies.database.transaction(caller.organisationId, async (tenant) => {
    // Of two concurrent changes, the second would otherwise replace a password that its caller did not give.
    if ((await lockPassword(tenant, caller.session.userId))?.passwordHash !== passwordHash) return undefined
    await holdCaller(tenant, caller)
    return { result: await work(tenant, passwordHash) }
  })
  return done ? done.result : withOwnPassword(dependencies, caller, matchPassword, work)
}
