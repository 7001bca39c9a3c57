import type { UserCaller } from '../access/caller.ts'
import { secondFactorOf } from '../access/factors.ts'
import { holdCaller } from '../access/hold-caller.ts'
import { requireFresh } from '../access/require-fresh.ts'
import { userNotFound } from '../accounts/refusals.ts'
import { record } from '../activity/record.ts'
import type { MailSender } from '../mails/mail-sender.ts'
import { hashSecret, newSecret } from '../platform/crypto/secrets.ts'
import type { Tenant } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import type { Language } from '../platform/language.ts'
import { endAccess } from '../sessions/end-access.ts'
import { upgradeSession } from '../sessions/queries.ts'
import { challengeLifetimeMilliseconds, challengeOfFlow, newFlow, spendChallenge } from './challenges.ts'
import { descriptorsOf, type PasskeyDependencies, rpIdOf } from './options.ts'
import { presentPasskey } from './present-passkey.ts'
import { providerOf } from './providers.ts'
import { findHolder, handleOf, insertPasskey, listPasskeys, lockHolder, type Passkey, type PasskeyHolder } from './queries.ts'
import { passkeyMismatch, passkeysNotAllowed, tooManyPasskeys } from './refusals.ts'
import { isEnrolled, mustBeProvenFromNowOn, passkeysMax } from './rules.ts'
import type { NewPasskey, StartedRegistration } from './schemas.ts'
import { tellOfPasskey } from './tell-user.ts'
import { acceptedAlgorithms, verifyRegistration } from './verify.ts'

export type Registration = PasskeyDependencies & MailSender

/**
 * Checks whether the caller may register a passkey now, without beginning it.
 *
 * @throws Problem as {@link startRegistration}
 */
export async function checkRegistration(
  { database, relyingParty }: PasskeyDependencies,
  caller: UserCaller,
): Promise<{ rpId: string; holder: PasskeyHolder; passkeys: readonly Passkey[] }> {
  const rpId = rpIdOf(relyingParty)
  const { userId, awaitsMfaEnrolment } = caller.session
  if (!awaitsMfaEnrolment) await requireFresh({ database, relyingParty }, caller)
  const tenant = database.tenant(caller.organisationId)
  const holder = await findHolder(tenant, userId)
  if (!holder) throw userNotFound()
  const passkeys = await listPasskeys(tenant, userId)
  refuseAnother(holder, passkeys)
  return { rpId, holder, passkeys }
}

/**
 * Begins the registration of a passkey for the caller.
 *
 * @throws Problem `forbidden` without a recent sign-in, unless the session has to enrol; `bad-request` when the organisation
 *   allows none, there can be none, or the user has too many
 */
export async function startRegistration(dependencies: PasskeyDependencies, caller: UserCaller): Promise<StartedRegistration> {
  const { database, keyring } = dependencies
  const { rpId, holder, passkeys } = await checkRegistration(dependencies, caller)
  const { userId } = caller.session
  const tenant = database.tenant(caller.organisationId)
  const { flowToken, challenge } = newFlow(keyring, { purpose: 'register', userId }, tenant.now)
  return {
    flowToken,
    options: {
      challenge,
      rp: { id: rpId, name: holder.organisationName },
      user: { id: await handleOf(tenant, userId), name: holder.email, displayName: holder.name },
      pubKeyCredParams: acceptedAlgorithms.map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: descriptorsOf(passkeys, rpId),
      authenticatorSelection: { residentKey: 'preferred', requireResidentKey: false, userVerification: 'preferred' },
      attestation: 'none',
      extensions: { credProps: true },
      timeout: challengeLifetimeMilliseconds,
    },
  }
}

export interface Registered {
  passkey: Passkey
  /** The cookie of the session, when it awaited this enrolment and has become a full one. */
  session: { token: string; expiresAt: Date } | undefined
}

/**
 * Registers a passkey of the caller, and tells them by mail. Where every sign-in has to prove it from now on, the other sessions end, as
 * those of a second factor that has been enrolled.
 *
 * @throws Problem `bad-request` naming what does not match, or as {@link startRegistration}; `conflict` when it is registered
 */
export async function registerPasskey(
  { database, keyring, relyingParty, ...mailing }: Registration,
  caller: UserCaller,
  { flowToken, credential: response, name }: NewPasskey,
  language: Language | undefined,
): Promise<Registered> {
  const rpId = rpIdOf(relyingParty)
  const { userId } = caller.session
  const challenge = challengeOfFlow(keyring, { purpose: 'register', userId }, flowToken, database.clock.now())
  if (!challenge) throw passkeyMismatch('the challenge')
  const verified = await verifyRegistration(relyingParty, response, challenge.value)
  if ('mismatch' in verified) throw passkeyMismatch(verified.mismatch)
  const { verifiedUser, isDiscoverable, ...credential } = verified.credential

  return database.transaction(caller.organisationId, async (tenant) => {
    const holder = await lockHolder(tenant, userId)
    await holdCaller(tenant, caller)
    if (!holder) throw userNotFound()
    const former = await listPasskeys(tenant, userId)
    refuseAnother(holder, former)
    const passkey = await insertPasskey(tenant, {
      id: newId('pk', tenant.now),
      userId,
      name: name ?? providerOf(credential.aaguid) ?? 'Passkey',
      rpId,
      canSignIn: isDiscoverable && verifiedUser,
      ...credential,
    })
    // This follows the credential: of two registrations of the same one, the second is told that it is registered.
    if (!(await spendChallenge(tenant, challenge))) throw passkeyMismatch('the challenge')
    const session = await completeEnrolment(tenant, caller, holder, passkey)
    // A session that awaits enrolment has proven the password alone: it could enrol a factor of another person, or become a full one.
    if (mustBeProvenFromNowOn(passkey, former, holder))
      await endAccess(tenant, caller.actor, userId, { exceptSessionId: caller.session.id, tokens: 'of-other-sessions' })
    await record(tenant, caller.actor, {
      action: 'passkey.registered',
      passkey: presentPasskey(passkey),
      user: { id: userId, email: holder.email, name: holder.name },
      metadata: { userId },
    })
    await tellOfPasskey(tenant, mailing, 'passkeyRegistered', { user: holder, passkey, language })
    return { passkey, session }
  })
}

function refuseAnother({ policy }: PasskeyHolder, passkeys: readonly Passkey[]): void {
  if (policy.passkeys === 'off') throw passkeysNotAllowed()
  if (passkeys.length >= passkeysMax) throw tooManyPasskeys()
}

/** Turns a session that had to enrol into a full one when nothing is missing. A passkey that counts as both factors is the second. */
async function completeEnrolment(
  tenant: Tenant,
  caller: UserCaller,
  holder: PasskeyHolder,
  passkey: Passkey,
): Promise<Registered['session']> {
  const { id, awaitsMfaEnrolment } = caller.session
  if (!awaitsMfaEnrolment) return undefined
  if (!isEnrolled({ ...holder, hasPasskey: passkey.canSignIn })) return undefined
  const standsForBoth = passkey.canSignIn && holder.policy.passkeySatisfiesMfa
  const token = newSecret()
  const proven = { factor: secondFactorOf(passkey), provenAt: tenant.now, passkeyId: passkey.id }
  const upgraded = await upgradeSession(tenant, id, hashSecret(token), standsForBoth ? [proven] : [])
  return upgraded && { token, expiresAt: upgraded.expiresAt }
}
