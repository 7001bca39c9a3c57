import type { UserCaller } from '../access/caller.ts'
import type { RateLimits } from '../access/rate-limits.ts'
import { recordWrongPassword } from '../accounts/lock-account.ts'
import type { PasswordHasher } from '../platform/crypto/password-hasher.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { findPasswordConditions, lockPassword } from './queries.ts'

export interface PasswordMatching {
  database: Database
  limits: RateLimits
  passwordHasher: PasswordHasher
}

/**
 * Checks the password of a signed-in user. A wrong one counts as a failed sign-in.
 *
 * @param reason the reason in the audit entry of a wrong one
 * @param isDisabled whether the organisation accepts no passwords: then the right one is like a wrong one
 * @returns the hash that the password matched, undefined for a wrong one
 * @throws Problem `too-many-requests`
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
  const { isLast } = await limits.signInByAccount.count(email)
  const { currentHash } = await findPasswordConditions(database.tenant(organisationId), session.userId)
  const match = await passwordHasher.match(currentHash, password).catch(async (error: unknown) => {
    // No attempt was made.
    await limits.signInByAccount.release(email)
    throw error
  })
  if (!match || currentHash === null || isDisabled) {
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
 * @throws Problem `too-many-requests`
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
    return { result: await work(tenant, passwordHash) }
  })
  return done ? done.result : withOwnPassword(dependencies, caller, matchPassword, work)
}
