import { isDeepStrictEqual } from 'node:util'
import { authenticationMethodsOf, compareMethods, type MfaMethod } from '../access/factors.ts'
import type { Quotas } from '../access/rate-limits.ts'
import { updateLastLogin } from '../accounts/queries.ts'
import { type Origin, userActor } from '../activity/actor.ts'
import { record, recordCounted } from '../activity/record.ts'
import { countFailure, countSuccess } from '../activity/sign-in-counts.ts'
import { requiredConnectionOf } from '../domains/rules.ts'
import { refuseForSso } from '../domains/sso-requirement.ts'
import { deletePendingEnrolments } from '../mfa/delete-pending-enrolments.ts'
import { type StoredPolicy, signInPolicyOf } from '../organisations/rules.ts'
import { issueActionLink } from '../passwords/action-links.ts'
import { lockPassword } from '../passwords/queries.ts'
import { secondsAfter } from '../platform/clock.ts'
import type { Keyring } from '../platform/crypto/keyring.ts'
import { hashSecret, newSecret } from '../platform/crypto/secrets.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { insertChallenge } from '../sessions/challenges.ts'
import { describeFactors, type ProvenFactor } from '../sessions/proven-factors.ts'
import { holdWhoMayBegin, insertSession } from '../sessions/queries.ts'
import { idTokenForSession } from '../sessions/upstream-id-token.ts'
import type { SignInOrigin } from './begin.ts'
import type { SignInOutcome, StartedSession } from './outcome.ts'
import { type Account, findAccountOf, type NamedAccount } from './queries.ts'
import { organisationSuspended, userBlocked } from './refusals.ts'
import { decideNextStep, isAllowed, type NextStep, signInStateOf, whyForbidden } from './rules.ts'

const challengeLifetimeSeconds = 5 * 60
const passwordChangeLifetimeSeconds = 10 * 60

/** The factors that have been proven so far. */
export interface Proven {
  factors: readonly ProvenFactor[]
  /** The hash that the password was checked against; null when none was checked in this step. */
  passwordHash: string | null
  /** Whether the password has to be replaced, since it is known from a data breach. */
  passwordIsBreached?: boolean
}

/** The dependencies of every way to sign in. */
export interface StartingSession {
  keyring: Keyring
  publicUrl: string
}

/** The most times that the state which decides the next step may change while the step is taken. */
const decisionsMax = 3

/**
 * Takes the next step of a sign-in, in the caller's transaction. Every way to sign in ends here, so this is
 * where a domain that requires single sign-on is checked; a way that can refuse earlier, before a credential
 * is compared, does so, too. The statement that takes the step checks the state that decided it; when that
 * has changed, it decides again: for example, a second factor that has just been enabled is required.
 *
 * @returns undefined when a change of the account meanwhile forbids the step
 * @throws Problem `forbidden` when the domain of the account requires another connection: the transaction is rolled back then
 */
export async function takeNextStep(
  tenant: Tenant,
  dependencies: StartingSession,
  account: Account,
  origin: SignInOrigin,
  proven: Proven,
): Promise<SignInOutcome | undefined> {
  for (let current = account, made = 1; ; made++) {
    const isAllowedNow = proven.factors.every(({ factor }) => isAllowed(factor, current))
    const outcome = isAllowedNow ? await tryNextStep(tenant, dependencies, current, origin, proven) : undefined
    if (outcome || made === decisionsMax) return outcome
    const changed = await findChanged(tenant, current, proven)
    if (!changed) return undefined
    current = changed
  }
}

/** The current account, if only that can lead to another step. With another policy a passkey may prove something else. */
async function findChanged(tenant: Tenant, before: Account, { passwordHash }: Proven): Promise<Account | undefined> {
  const now = await findAccountOf(tenant, before.id, before.relyingPartyId)
  if (!now || refusalOf(now) || now.organisationStatus === 'cancelled') return undefined
  if (passwordHash !== null && now.passwordHash !== passwordHash) return undefined
  const rulesOf = ({ mfaEnabled, requireMfa, mustProvePasskey, requirement }: Account) => ({
    mfaEnabled,
    requireMfa,
    mustProvePasskey,
    requirement,
  })
  if (isDeepStrictEqual(rulesOf(now), rulesOf(before))) return undefined
  return isDeepStrictEqual(now.signInPolicy, before.signInPolicy) ? now : undefined
}

async function tryNextStep(
  tenant: Tenant,
  dependencies: StartingSession,
  account: Account,
  origin: SignInOrigin,
  proven: Proven,
): Promise<SignInOutcome | undefined> {
  switch (decideStep(dependencies, account, proven, tenant.now)) {
    case 'second_factor':
      return challenge(tenant, account, origin, proven)
    case 'new_password':
      return askForNewPassword(tenant, account, origin)
    case 'enrolment': {
      if (await hasToProvePasskeyByNow(tenant, account)) return undefined
      const session = await startSession(tenant, dependencies, account, origin, { ...proven, awaitsMfaEnrolment: true })
      if (session) await deletePendingEnrolments(tenant, account.id)
      return session && { kind: 'mfa_enrollment_required', session }
    }
    case 'session': {
      const session = await startSession(tenant, dependencies, account, origin, { ...proven, awaitsMfaEnrolment: false })
      return session && { kind: 'authenticated', session }
    }
  }
}

/**
 * Whether a passkey has been registered that has to be proven before anything is enrolled. It does not change the user's row, but locks it:
 * only a statement that begins after the lock sees it.
 */
async function hasToProvePasskeyByNow(tenant: Tenant, { id, relyingPartyId, mustProvePasskey }: Account): Promise<boolean> {
  if (mustProvePasskey) return false
  await lockPassword(tenant, id)
  return (await findAccountOf(tenant, id, relyingPartyId))?.mustProvePasskey ?? false
}

/**
 * What comes after these proofs. Whatever acts as a user asks it: nothing begins but by the connection that their domain requires.
 *
 * @throws Problem `forbidden` when the domain of the account requires another connection
 */
export function decideStep(
  { publicUrl }: Pick<StartingSession, 'publicUrl'>,
  account: Account,
  { factors, passwordIsBreached = false }: Proven,
  now: Date,
): NextStep {
  const required = requiredConnectionOf(account.requirement, account)
  if (required !== undefined && required !== connectionOf(factors)) throw refuseForSso(publicUrl, required)
  return decideNextStep(signInStateOf(account, passwordIsBreached), describeFactors(factors), now)
}

/** Holds the user of a decided step without beginning a session. @returns false when a change of the account meanwhile forbids it */
export const holdWhoseStepItIs = (tenant: Tenant, account: Account, connectionId: string): Promise<boolean> =>
  holdWhoMayBegin(tenant, { userId: account.id, passwordHash: null, decidedBy: account, connectionId })

const connectionOf = (factors: readonly ProvenFactor[]): string | undefined =>
  factors.find(({ upstream }) => upstream !== undefined)?.upstream?.connectionId

/** The reason why an account may not sign in although the password is right. */
export function refusalOf(account: Account) {
  const reason = whyForbidden(account)
  return reason && { user_blocked: userBlocked, organisation_suspended: organisationSuspended }[reason]()
}

async function challenge(
  tenant: Tenant,
  account: Account,
  { signInId }: SignInOrigin,
  { factors, passwordHash }: Proven,
): Promise<SignInOutcome | undefined> {
  const mfaToken = newSecret()
  const inserted = await insertChallenge(tenant, {
    id: newId('chal', tenant.now),
    userId: account.id,
    tokenHash: hashSecret(mfaToken),
    expiresAt: secondsAfter(tenant.now, challengeLifetimeSeconds),
    provenFactors: factors,
    passwordHash,
    signInId,
  })
  return inserted ? { kind: 'mfa_required', mfaToken, methods: methodsFor(account, factors) } : undefined
}

/** The second factors that may follow. */
export function methodsFor(
  { mfaMethods, mustProvePasskey, signInPolicy }: Pick<Account, 'mfaMethods' | 'mustProvePasskey' | 'signInPolicy'>,
  factors: readonly ProvenFactor[],
): MfaMethod[] {
  const methods: MfaMethod[] = mustProvePasskey ? ['passkey'] : mfaMethods
  return methods.filter((method) => method !== 'passkey' || mayFollow(signInPolicy, factors)).toSorted(compareMethods)
}

/** A passkey is no second factor after a passkey: the organisation has decided that one does not count as both. */
const mayFollow = (signInPolicy: StoredPolicy, factors: readonly ProvenFactor[]) =>
  signInPolicyOf(signInPolicy).passkeys !== 'off' && factors.every(({ passkeyId }) => passkeyId === undefined)

async function askForNewPassword(tenant: Tenant, account: Account, origin: Origin): Promise<SignInOutcome | undefined> {
  const { id, email, name } = account
  // It is a way in like a session. Whatever ends sessions ends it as well, and what has come first is seen here.
  const decided = { userId: id, passwordHash: account.passwordHash, decidedBy: account, connectionId: null }
  if (!(await holdWhoMayBegin(tenant, decided))) return undefined
  const resetToken = await issueActionLink(tenant, id, 'password_change', passwordChangeLifetimeSeconds)
  await record(tenant, userActor(account, origin), { action: 'auth.password_expired', user: { id, email, name } })
  const expiresAt = secondsAfter(tenant.now, passwordChangeLifetimeSeconds)
  return { kind: 'password_change_required', resetToken, expiresAt }
}

async function startSession(
  tenant: Tenant,
  { keyring }: StartingSession,
  account: Account,
  origin: SignInOrigin,
  { factors, passwordHash, awaitsMfaEnrolment }: Proven & { awaitsMfaEnrolment: boolean },
): Promise<StartedSession | undefined> {
  const { id: userId, email, name } = account
  const session = { id: newId('ses', tenant.now), ipAddress: origin.ipAddress ?? '', userAgent: origin.userAgent ?? '' }
  const token = newSecret()
  const started = await insertSession(tenant, {
    ...session,
    userId,
    tokenHash: hashSecret(token),
    provenFactors: factors,
    awaitsMfaEnrolment,
    passwordHash,
    decidedBy: account,
    idTokenEncrypted: idTokenForSession(keyring, factors, session.id),
    signInId: origin.signInId,
  })
  if (!started) return undefined
  const previousAt = await updateLastLogin(tenant, userId)

  const shown = {
    lastActivityAt: tenant.now.toISOString(),
    expiresAt: started.expiresAt.toISOString(),
    createdAt: tenant.now.toISOString(),
  }
  const connectionId = connectionOf(factors)
  const passkeyId = factors.findLast((factor) => factor.passkeyId !== undefined)?.passkeyId
  const occurrence = {
    action: 'login.success' as const,
    session: { ...session, ...shown },
    user: { id: userId, email, name },
    metadata: {
      authenticationMethods: authenticationMethodsOf(describeFactors(factors)),
      ...(connectionId !== undefined && { connectionId }),
      ...(passkeyId !== undefined && { passkeyId }),
      ...(factors.some(({ factor }) => factor === 'email_code') && { emailCode: true }),
      ...(awaitsMfaEnrolment && { awaitsMfaEnrolment }),
    },
  }
  await recordCounted(tenant, userActor(account, origin), occurrence, countSuccess(tenant, previousAt))
  return { id: session.id, token, expiresAt: started.expiresAt, organisationId: account.organisationId, user: { id: userId, email, name } }
}

/**
 * Writes a failed sign-in that no limit of attempts counts into the history, in a transaction of its own: one whose proof is right, of a
 * blocked user for example. Only so many of a user are written, since each is delivered to webhooks, too.
 */
export async function recordFailure(
  { database, quotas }: { database: Database; quotas: Quotas },
  account: NamedAccount,
  origin: Origin,
  reason: string,
): Promise<void> {
  if (!(await quotas.refusedSignIns.claim(account.id))) return
  await database.transaction(account.organisationId, (tenant) => recordFailureIn(tenant, account, origin, reason))
}

export async function recordFailureIn(
  tenant: Tenant,
  account: NamedAccount,
  origin: Origin,
  reason: string,
  more: { connectionId?: string } = {},
): Promise<void> {
  const { id, email, name } = account
  await recordCounted(
    tenant,
    // The caller has not proven to be the user.
    { actorType: 'user', actorId: null, ...origin },
    { action: 'login.failed', user: { id, email, name }, metadata: { reason, ...more } },
    countFailure(tenant),
  )
}
