import type { RateLimits } from '../access/rate-limits.ts'
import { type MfaDependencies, sendCode } from '../mfa/send-code.ts'
import { verifyPassword } from '../platform/crypto/password-hash.ts'
import type { Database } from '../platform/database/database.ts'
import type { AfterAnswer } from '../platform/http/after-answer.ts'
import { Problem } from '../platform/http/problem.ts'
import type { SignInOutcome } from './outcome.ts'
import { type Account, findAccount } from './queries.ts'
import { invalidCredentials } from './refusals.ts'
import type { Credentials } from './schemas.ts'
import { type Origin, recordFailure, refusalOf, takeNextStep } from './start-session.ts'

export type SignInDependencies = MfaDependencies

/**
 * Signs a user in with a password. Unknown accounts, wrong passwords and accounts without one take the same time and
 * get the same answer; only the right password learns of a block or a suspension. A wrong one is recorded after the
 * answer: only an account that exists has a history to write to.
 *
 * @throws Problem `unauthorized`, `forbidden` for a blocked user or a suspended organisation, `too-many-requests`
 */
export async function signIn(
  dependencies: SignInDependencies,
  origin: Origin,
  credentials: Credentials,
  afterAnswer: AfterAnswer,
): Promise<SignInOutcome> {
  const { signInByAccount, signInByAddress } = dependencies.limits
  return signInByAccount.inTurn(credentials.email, () =>
    signInByAddress.inTurn(origin.ipAddress ?? '', () => trySignIn(dependencies, origin, credentials, afterAnswer)),
  )
}

async function trySignIn(
  dependencies: SignInDependencies,
  origin: Origin,
  { email, password }: Credentials,
  afterAnswer: AfterAnswer,
): Promise<SignInOutcome> {
  const { database, limits } = dependencies
  const address = origin.ipAddress ?? ''
  await countAttempt(limits, address, email)

  const account = await findAccount(database, email)
  const matches = await verifyPassword(account?.passwordHash, password)
  if (!account || !matches) {
    if (account) afterAnswer(() => recordFailure(database, account, origin, 'wrong password'), 'a failed sign-in could not be recorded')
    throw invalidCredentials()
  }
  await Promise.all([limits.signInByAddress.giveBack(address), limits.signInByAccount.giveBack(email)])
  const refusal = refusalOf(account)
  if (refusal) {
    await recordFailure(database, account, origin, refusal.detail)
    throw refusal
  }
  const outcome = await database.transaction(account.organisationId, (tenant) =>
    takeNextStep(tenant, account, origin, {
      authenticationMethods: ['pwd'],
      secondFactor: false,
      passwordHash: account.passwordHash,
    }),
  )
  if (!outcome) throw await refusalByNow(database, email)
  if (outcome.kind === 'mfa_required' && !outcome.methods.includes('totp')) await trySendCode(dependencies, account)
  return outcome
}

/** An account that was blocked, suspended or given a new password while its password was being checked. */
async function refusalByNow(database: Database, email: string): Promise<Error> {
  const account = await findAccount(database, email)
  return (account && refusalOf(account)) ?? invalidCredentials()
}

/** Whoever has a phone alone waits for a code at once. That it cannot be sent does not end the sign-in: there are backup codes. */
async function trySendCode(dependencies: SignInDependencies, { organisationId, id }: Account): Promise<void> {
  try {
    await sendCode(dependencies, organisationId, id)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
}

/** Until its password has been checked an attempt counts as failed: many at once would otherwise all be tried. */
async function countAttempt(limits: RateLimits, address: string, email: string): Promise<void> {
  await limits.signInByAddress.count(address)
  try {
    await limits.signInByAccount.count(email)
  } catch (error) {
    await limits.signInByAddress.giveBack(address)
    throw error
  }
}
