import { sendsCodes } from '../access/factors.ts'
import type { Quotas } from '../access/rate-limits.ts'
import { recordWrongPassword } from '../accounts/lock-account.ts'
import { renewHash, type UserWithReferences } from '../accounts/queries.ts'
import { type Actor, type Origin, userActor } from '../activity/actor.ts'
import { findSsoRequirement, type SsoDependencies } from '../domains/sso-requirement.ts'
import { type MfaDependencies, sendCode } from '../mfa/send-code.ts'
import type { PasswordHasher, PasswordMatch } from '../platform/crypto/password-hasher.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { AfterResponse } from '../platform/http/after-response.ts'
import { Problem } from '../platform/http/problem.ts'
import type { Language } from '../platform/language.ts'
import { reportAttempt, type SignInResult } from './attempts.ts'
import { beginSignIn, type SignInOrigin } from './begin.ts'
import { type BreachedPasswordDependencies, isToBeReplaced, isToBeTold, recordBreach, warnIfBreached } from './breached-password.ts'
import { type AttemptKeys, countAttempt, queueAttempt, releaseAttempt, restoreLock } from './count-attempts.ts'
import type { SignInOutcome } from './outcome.ts'
import { type Account, findAccount, findAnyUser } from './queries.ts'
import { invalidCredentials } from './refusals.ts'
import { type ClosedWay, isAllowed, isClosedByDomain, whyClosed } from './rules.ts'
import type { Credentials } from './schemas.ts'
import { recordFailure, refusalOf, takeNextStep } from './start-session.ts'

export interface SignInDependencies extends MfaDependencies, BreachedPasswordDependencies, SsoDependencies {
  passwordHasher: PasswordHasher
  quotas: Quotas
  /**
   * Removes everything by which another person could act as a user, whose row is locked. It is handed in, since the folders whose
   * credentials it removes stand above this one.
   */
  takeAwayAccess(tenant: Tenant, actor: Actor, user: UserWithReferences, because: string): Promise<void>
}

/**
 * Signs a user in with a password. Unknown accounts, wrong passwords and accounts without one take the same time and get the
 * same response; only the right password reveals a block or a suspension. A wrong password is recorded some time after the
 * response, because the write itself would reveal that the account exists.
 *
 * @throws Problem `unauthorized`, `forbidden` for a blocked user, a suspended organisation and a domain that requires single sign-on,
 *   `too-many-requests`
 */
export async function signIn(
  dependencies: SignInDependencies,
  from: Origin,
  credentials: Credentials,
  language: Language | undefined,
  afterRandomDelay: AfterResponse,
): Promise<SignInOutcome> {
  const origin = beginSignIn(from, dependencies.database.clock.now())
  const keys: AttemptKeys = { account: credentials.email, address: origin.ipAddress ?? '' }
  return queueAttempt(dependencies.limits, keys, () => trySignIn(dependencies, origin, credentials, { keys, language, afterRandomDelay }))
}

async function trySignIn(
  dependencies: SignInDependencies,
  origin: SignInOrigin,
  { email, password }: Credentials,
  { keys, language, afterRandomDelay }: { keys: AttemptKeys; language: Language | undefined; afterRandomDelay: AfterResponse },
): Promise<SignInOutcome> {
  const { database, limits, passwordHasher, relyingParty } = dependencies
  const startedAt = database.clock.now()
  const counted = await countAttempt(limits, keys)

  const requirement = await findSsoRequirement(dependencies, email)
  const found = await findAccount(database, email, relyingParty.id)
  const isBound = isClosedByDomain(requirement, found)
  // From here on it is like an address without an account: no password is compared, and nothing reveals whether there is one.
  const account = isBound ? undefined : found
  await restoreLock(limits, keys.address, counted, account, startedAt)
  const match = await passwordHasher.match(account?.passwordHash, password).catch(async (error: unknown) => {
    // No attempt was made.
    await releaseAttempt(limits, keys)
    throw error
  })
  // The right password of a user who may not sign in with it must not be distinguishable from a wrong one.
  const closed = account && whyClosed('password', account, account.passwordHash !== null)
  if (!account || !match || closed) {
    const [result, reason] = whyRefused(closed, { isKnown: account !== undefined, isRight: Boolean(match) })
    reportAttempt(isBound ? 'sso_required' : result)
    const failure = { account, email, origin, isLast: counted.isLast, reason }
    afterRandomDelay(() => recordFailedAttempt(dependencies, failure), 'a failed sign-in could not be recorded')
    // Use the same refusal for exempt users: a wrong password would otherwise reveal that they are exempt.
    throw requirement?.refusal() ?? invalidCredentials()
  }
  await releaseAttempt(limits, keys)
  const refusal = refusalOf(account)
  reportAttempt(account.blockedAt ? 'user_blocked' : refusal ? 'organisation_suspended' : 'right_password')
  if (refusal) {
    await recordFailure(dependencies, account, origin, refusal.detail)
    throw refusal
  }
  const { signedIn, outcome } = await takeStepAs(dependencies, origin, password, { account, match })
  if (isToBeTold(dependencies, signedIn)) {
    afterRandomDelay(
      () => warnIfBreached(dependencies, signedIn, origin, { password, language }),
      'a user could not be told of a breached password',
    )
  }
  if (outcome.kind === 'mfa_required' && outcome.methods.every(sendsCodes)) await trySendCode(dependencies, account)
  return outcome
}

/** An account, and how the password matches its hash. */
interface Matched {
  account: Account
  match: PasswordMatch
}

/** The most times that an account may get another hash of the same password while one sign-in compares it. */
const comparisonsMax = 8

/**
 * Takes the next step for an account whose password matches, and renews its hash when necessary. When the account has changed meanwhile,
 * everything is checked again: a concurrent sign-in may have renewed the hash.
 *
 * @throws Problem of {@link refusalOf}, or `unauthorized` when the password has been changed
 */
async function takeStepAs(
  dependencies: SignInDependencies,
  origin: SignInOrigin,
  password: string,
  { account, match }: Matched,
  comparisonsLeft = comparisonsMax - 1,
): Promise<{ signedIn: Account; outcome: SignInOutcome }> {
  const { database, passwordHasher, relyingParty } = dependencies
  const renewedHash = match === 'to_renew' ? await passwordHasher.hash(password) : account.passwordHash
  const passwordIsBreached = await isToBeReplaced(dependencies, account, password)
  const signedIn = { ...account, passwordHash: renewedHash }
  const outcome = await database.transaction(account.organisationId, async (tenant) => {
    if (match === 'to_renew' && !(await renewHash(tenant, account, renewedHash))) return undefined
    if (passwordIsBreached && account.passwordBreachedAt === null) await recordBreach(tenant, signedIn, origin)
    return takeNextStep(tenant, dependencies, signedIn, origin, {
      factors: [{ factor: 'password', provenAt: tenant.now }],
      passwordHash: renewedHash,
      passwordIsBreached,
    })
  })
  if (outcome) return { signedIn, outcome }

  const now = await findAccount(database, account.email, relyingParty.id)
  const refusal = now && refusalOf(now)
  if (refusal) throw refusal
  if (!now || !isAllowed('password', now) || comparisonsLeft === 0) throw invalidCredentials()
  const matchNow = await passwordHasher.match(now.passwordHash, password)
  if (!matchNow) throw invalidCredentials()
  return takeStepAs(dependencies, origin, password, { account: now, match: matchNow }, comparisonsLeft - 1)
}

function whyRefused(
  closed: ClosedWay | undefined,
  { isKnown, isRight }: { isKnown: boolean; isRight: boolean },
): [result: SignInResult, reason: string] {
  if (!isKnown) return ['unknown_address', 'wrong password']
  if (closed === 'no_password_set') return [closed, 'no password set']
  return isRight ? ['password_disabled', 'password disabled'] : ['wrong_password', 'wrong password']
}

interface FailedAttempt {
  account: Account | undefined
  email: string
  origin: Origin
  isLast: boolean
  reason: string
}

/** Records a failed attempt in the account's audit log. For an unknown account it does the same work and rolls it back. */
export async function recordFailedAttempt(
  dependencies: SignInDependencies,
  { account, email, origin, isLast, reason }: FailedAttempt,
): Promise<void> {
  const anyUser = await findAnyUser(dependencies.database)
  const named = account ?? (anyUser && { ...anyUser, email })
  if (!named) return
  // The caller has not proven to be the user.
  const actor = { ...userActor(named, origin), actorId: null }
  await recordWrongPassword(dependencies, named.organisationId, actor, named, { reason, isLast, isRehearsal: !account })
}

/** Sends a code at once when the phone is the only factor. A failure does not end the sign-in: the user may have backup codes. */
export async function trySendCode(dependencies: SignInDependencies, { organisationId, id }: Account): Promise<void> {
  try {
    await sendCode(dependencies, organisationId, id)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
}
