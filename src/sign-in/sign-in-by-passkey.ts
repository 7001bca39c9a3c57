import { firstFactorOf, sendsCodes } from '../access/factors.ts'
import { type Origin, userActor } from '../activity/actor.ts'
import { findSsoRequirement } from '../domains/sso-requirement.ts'
import { signInPolicyOf } from '../organisations/rules.ts'
import { type Challenge, challengeOfFlow, hasExpired, spendChallenge } from '../passkeys/challenges.ts'
import { rpIdOf } from '../passkeys/options.ts'
import { passkeyNotRecognised } from '../passkeys/refusals.ts'
import type { PasskeyProof } from '../passkeys/schemas.ts'
import { usePasskey } from '../passkeys/use-passkey.ts'
import { type Assertion, type VerifiablePasskey, verifyAssertion } from '../passkeys/verify.ts'
import type { AfterResponse } from '../platform/http/after-response.ts'
import type { Language } from '../platform/language.ts'
import { reportAttempt } from './attempts.ts'
import { beginSignIn, type SignInOrigin } from './begin.ts'
import { countAttempt, queueAttempt, releaseAttempt, restoreLock } from './count-attempts.ts'
import type { SignInOutcome } from './outcome.ts'
import { findAccountByPasskey, type PasskeyAccount } from './queries.ts'
import { isClosedByDomain, whyClosed } from './rules.ts'
import { recordFailedAttempt, type SignInDependencies, trySendCode } from './sign-in.ts'
import { recordFailure, recordFailureIn, refusalOf, takeNextStep } from './start-session.ts'

/** A public key without a known private key. A response that names no passkey of ours is verified against it, so that it takes as long. */
const keyOfNobody = 'pQECAyYgASFYIGVFHSkMlsTBHDITUBHMyfCe-btowzXPvj3WAc2H9Tl3IlggKDOvRDOzIADad_5GFrdzK9IItZoVKT4C1ck2hdU2YIc'

/**
 * Signs a user in with a passkey, which identifies the user. An unknown passkey, one of another relying party and a wrong signature take
 * the same time and get the same response; only a right one reveals a block or a suspension.
 *
 * @throws Problem `unauthorized`, `forbidden` for a blocked user or a suspended
 *   organisation, `too-many-requests`, `bad-request` where passkeys are impossible
 */
export async function signInByPasskey(
  dependencies: SignInDependencies,
  from: Origin,
  proof: PasskeyProof,
  language: Language | undefined,
  afterRandomDelay: AfterResponse,
): Promise<SignInOutcome> {
  const origin = beginSignIn(from, dependencies.database.clock.now())
  const keys = { account: proof.credential.id, address: origin.ipAddress ?? '' }
  return queueAttempt(dependencies.limits, keys, () => trySignIn(dependencies, origin, proof, { language, afterRandomDelay }))
}

async function trySignIn(
  dependencies: SignInDependencies,
  origin: SignInOrigin,
  { flowToken, credential }: PasskeyProof,
  { language, afterRandomDelay }: { language: Language | undefined; afterRandomDelay: AfterResponse },
): Promise<SignInOutcome> {
  const { database, keyring, limits, relyingParty } = dependencies
  const rpId = rpIdOf(relyingParty)
  const startedAt = database.clock.now()
  // A page that was open for too long is no failure of its user. Nothing is looked up, so nothing can be guessed either.
  if (hasExpired(flowToken, startedAt)) throw passkeyNotRecognised()
  const found = await findAccountByPasskey(database, credential.id, rpId)
  // An unknown passkey is counted, too, so that counting takes as long.
  const countedAs = { account: found?.account.email ?? credential.id, address: origin.ipAddress ?? '' }
  const counted = await countAttempt(limits, countedAs)
  await restoreLock(limits, countedAs.address, counted, found?.account, startedAt)

  const challenge = challengeOfFlow(keyring, { purpose: 'sign-in' }, flowToken, startedAt)
  const isOurs = found?.passkey.rpId === rpId
  const stored: VerifiablePasskey = isOurs ? found.passkey : passkeyOfNobody(credential.id, rpId, credential.response.userHandle)
  const expected = { challenge: challenge?.value ?? '', userVerification: 'required' } as const
  const assertion = await verifyAssertion(relyingParty, stored, credential, expected)
  const reason = isOurs ? whyRefused(found, assertion, credential.response.userHandle) : 'unknown passkey'
  if (!found || !challenge || !assertion || reason !== undefined) {
    reportAttempt('wrong_passkey')
    const failure = { account: found?.account, email: countedAs.account, origin, isLast: counted.isLast, reason: reason ?? 'wrong passkey' }
    afterRandomDelay(() => recordFailedAttempt(dependencies, failure), 'a failed sign-in could not be recorded')
    throw passkeyNotRecognised(!found)
  }
  await releaseAttempt(limits, countedAs)
  return startBy(dependencies, origin, { ...found, assertion, challenge }, language)
}

/** The reason why a passkey of ours does not sign in; undefined when it does. */
function whyRefused(
  { account, passkey, isActive }: PasskeyAccount,
  assertion: Assertion | undefined,
  userHandle: string | null | undefined,
): string | undefined {
  // The device identifies the user, who has typed nothing (WebAuthn L3 §7.2 step 6).
  if (!assertion || userHandle == null) return 'wrong passkey'
  if (!isActive) return 'account deleted'
  const closed = whyClosed('passkey', account, passkey.canSignIn)
  if (closed === 'passkeys_off') return 'passkeys not allowed'
  return closed && 'passkey is a second factor only'
}

const passkeyOfNobody = (credentialId: string, rpId: string, userHandle: string | null | undefined): VerifiablePasskey => ({
  credentialId,
  publicKey: keyOfNobody,
  rpId,
  maySync: true,
  handle: userHandle ?? '',
})

async function startBy(
  dependencies: SignInDependencies,
  origin: SignInOrigin,
  { account, passkey, assertion, challenge }: PasskeyAccount & { assertion: Assertion; challenge: Challenge },
  language: Language | undefined,
): Promise<SignInOutcome> {
  const { database } = dependencies
  const requirement = await findSsoRequirement(dependencies, account.email)
  const isBound = isClosedByDomain(requirement, account)
  const refusal = refusalOf(account) ?? (isBound ? requirement?.refusal() : undefined)
  reportAttempt(account.blockedAt ? 'user_blocked' : isBound ? 'sso_required' : refusal ? 'organisation_suspended' : 'right_passkey')
  if (refusal) {
    await recordFailure(dependencies, account, origin, refusal.detail)
    throw refusal
  }
  const by = {
    user: { id: account.id, email: account.email, name: account.name },
    // The caller has not proven to be the user.
    actor: { ...userActor(account, origin), actorId: null },
    language,
  }
  const outcome = await database.transaction(account.organisationId, async (tenant) => {
    // Return it: a thrown error would roll back the failure and the state of the passkey.
    if (!(await spendChallenge(tenant, challenge))) {
      await recordFailureIn(tenant, account, origin, 'challenge already used')
      return 'refused'
    }
    if (!(await usePasskey(tenant, dependencies, passkey, assertion, by))) {
      await recordFailureIn(tenant, account, origin, 'counter of the passkey has not grown')
      return 'refused'
    }
    const factor = firstFactorOf(passkey, signInPolicyOf(account.signInPolicy))
    const factors = [{ factor, provenAt: tenant.now, passkeyId: passkey.id }]
    return takeNextStep(tenant, dependencies, account, origin, { factors, passwordHash: null })
  })
  if (outcome === 'refused') throw passkeyNotRecognised()
  if (!outcome) throw await refusalByNow(dependencies, passkey.credentialId)
  if (outcome.kind === 'mfa_required' && outcome.methods.every(sendsCodes)) await trySendCode(dependencies, account)
  return outcome
}

/** The refusal of an account that has changed while its passkey was being verified. */
async function refusalByNow({ database, relyingParty }: SignInDependencies, credentialId: string): Promise<Error> {
  const found = await findAccountByPasskey(database, credentialId, relyingParty.id)
  return (found?.isActive && refusalOf(found.account)) || passkeyNotRecognised()
}
