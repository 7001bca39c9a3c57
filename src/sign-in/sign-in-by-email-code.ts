import { sendsCodes } from '../access/factors.ts'
import { lockUserWithReferences } from '../accounts/queries.ts'
import type { Origin } from '../activity/actor.ts'
import { findSsoRequirement } from '../domains/sso-requirement.ts'
import { claimCode, claimTry, isCode } from '../email-codes/codes.ts'
import { readFlow } from '../email-codes/flows.ts'
import { invalidEmailCode } from '../email-codes/refusals.ts'
import type { EmailCodeProof } from '../email-codes/schemas.ts'
import { markEmailVerified } from '../passwords/verify-email.ts'
import { hashSecret } from '../platform/crypto/secrets.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { AfterResponse } from '../platform/http/after-response.ts'
import { reportAttempt } from './attempts.ts'
import { beginSignIn, type SignInOrigin } from './begin.ts'
import { type AttemptKeys, countAttempt, queueAttempt, releaseAttempt, restoreLock } from './count-attempts.ts'
import type { SignInOutcome } from './outcome.ts'
import { type Account, findAccount, findAccountOf, findMailedAccount, type MailedAccount } from './queries.ts'
import { isClosedByDomain, whyClosed } from './rules.ts'
import { recordFailedAttempt, type SignInDependencies, trySendCode } from './sign-in.ts'
import { decideStep, type Proven, recordFailure, recordFailureIn, refusalOf, takeNextStep } from './start-session.ts'

/**
 * Signs a user in with the code that was mailed to them. It is only the first step: a second factor
 * follows as after a password. A wrong code, and one for an address without an account, cost the
 * same statements and get the same response; only the right one reveals a block or a suspension.
 *
 * @throws Problem `bad-request` for a code that is wrong, used or expired, and after five tries; `forbidden` for a blocked user or a
 *   suspended organisation, `too-many-requests`
 */
export async function signInByEmailCode(
  dependencies: SignInDependencies,
  origin: Origin,
  { flowToken, code }: EmailCodeProof,
  afterRandomDelay: AfterResponse,
): Promise<SignInOutcome> {
  const { database, keyring, limits } = dependencies
  const flow = readFlow(keyring, flowToken, database.clock.now())
  if (!flow) throw invalidEmailCode()
  const { email, expiresAt } = flow
  const keys: AttemptKeys = { account: email, address: origin.ipAddress ?? '' }
  return queueAttempt(limits, keys, async () => {
    // An attempt that cannot guess anything is not counted: of many uses of one code, the others are no attack.
    if (!(await claimTry(database, flowToken, expiresAt))) throw invalidEmailCode()
    return trySignIn(dependencies, origin, { email, flowToken, code }, { keys, afterRandomDelay })
  })
}

async function trySignIn(
  dependencies: SignInDependencies,
  from: Origin,
  { email, flowToken, code }: EmailCodeProof & { email: string },
  { keys, afterRandomDelay }: { keys: AttemptKeys; afterRandomDelay: AfterResponse },
): Promise<SignInOutcome> {
  const { database, keyring, limits, relyingParty } = dependencies
  const startedAt = database.clock.now()
  const counted = await countAttempt(limits, keys)

  const requirement = await findSsoRequirement(dependencies, email)
  const found = await findMailedAccount(database, hashSecret(flowToken), relyingParty.id)
  const origin = beginSignIn({ ...from, signInId: from.signInId ?? found?.signInId }, startedAt)
  const isRefused = isClosedByDomain(requirement, found)
  const account = isRefused ? undefined : found
  await restoreLock(limits, keys.address, counted, account, startedAt)
  const isRight = isCode(keyring, account?.codeId, code)
  if (!account || !isRight || whyClosed('email_code', account, true)) {
    reportAttempt(isRefused ? 'sso_required' : 'wrong_email_code')
    const reason = isRight ? 'e-mail codes not allowed' : 'wrong e-mail code'
    afterRandomDelay(async () => {
      // Find it by the address: the code may have been used or have expired.
      const named = await findAccount(database, email, relyingParty.id)
      await recordFailedAttempt(dependencies, { account: named, email, origin, isLast: counted.isLast, reason })
    }, 'a failed sign-in could not be recorded')
    throw requirement?.refusal() ?? invalidEmailCode()
  }
  await releaseAttempt(limits, keys)
  return startBy(dependencies, origin, account, email)
}

async function startBy(
  dependencies: SignInDependencies,
  origin: SignInOrigin,
  account: MailedAccount,
  email: string,
): Promise<SignInOutcome> {
  const { database, relyingParty } = dependencies
  const refusal = refusalOf(account)
  reportAttempt(account.blockedAt ? 'user_blocked' : refusal ? 'organisation_suspended' : 'right_email_code')
  if (refusal) {
    await recordFailure(dependencies, account, origin, refusal.detail)
    throw refusal
  }
  const notSignedIn = new Error('the account was taken over, and its user was not signed in')
  const signedIn = database.transaction(account.organisationId, async (tenant) => {
    // Return it: a thrown error would roll back the failure.
    if (!(await claimCode(tenant, { id: account.codeId, email }))) {
      await recordFailureIn(tenant, account, origin, 'e-mail code no longer valid')
      return 'refused'
    }
    const proven = { factors: [{ factor: 'email_code' as const, provenAt: tenant.now }], passwordHash: null }
    const isFirstProof = account.emailVerifiedAt === null
    const arrived = isFirstProof ? await takeAccountOver(tenant, dependencies, account, origin, proven) : account
    const next = arrived && (await takeNextStep(tenant, dependencies, arrived, origin, proven))
    // Rolls back: a user who is not signed in takes nothing over.
    if (!next && isFirstProof) throw notSignedIn
    // The holder of a second factor may be another person than the reader of the mailbox: its proof completes that of the address.
    if (next && isFirstProof && next.kind !== 'mfa_required') await markEmailVerified(tenant, origin, account.id)
    return next
  })
  const outcome = await signedIn.catch((error: unknown) => {
    if (error === notSignedIn) return undefined
    throw error
  })
  if (outcome === 'refused') throw invalidEmailCode()
  if (!outcome) {
    const now = await findAccount(database, email, relyingParty.id)
    throw (now && refusalOf(now)) ?? invalidEmailCode()
  }
  if (outcome.kind === 'mfa_required' && outcome.methods.every(sendsCodes)) await trySendCode(dependencies, account)
  return outcome
}

/**
 * Removes every way into an account whose address its user is the first to prove: another person may have made it with the address of its
 * owner, in the hope that they would use it. The reader of a mailbox alone takes nothing from a second factor, which is asked for, nor from
 * the owner of an organisation.
 *
 * @returns the account as it is now; undefined when it may not sign in any more
 */
async function takeAccountOver(
  tenant: Tenant,
  dependencies: SignInDependencies,
  { id }: Account,
  origin: SignInOrigin,
  proven: Proven,
): Promise<Account | undefined> {
  const { relyingParty, takeAwayAccess } = dependencies
  const user = await lockUserWithReferences(tenant, id)
  const account = await findAccountOf(tenant, id, relyingParty.id)
  if (!user || !account || refusalOf(account)) return undefined
  if (user.emailVerifiedAt !== null || account.ownerId === id) return account
  if (decideStep(dependencies, account, proven, tenant.now) === 'second_factor') return account
  // The actor is not the user: the sessions that end may be an attacker's.
  await takeAwayAccess(tenant, { actorType: 'system', actorId: null, ...origin }, user, 'address not proven before')
  return findAccountOf(tenant, id, relyingParty.id)
}
