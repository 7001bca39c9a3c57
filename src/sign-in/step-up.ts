import type { UserCaller } from '../access/caller.ts'
import { type AssuranceLevel, assuranceLevelOf, type MfaMethod } from '../access/factors.ts'
import { invalidSession } from '../access/refusals.ts'
import { record } from '../activity/record.ts'
import { claimFactorOrBackupCode } from '../mfa/claim-factor.ts'
import { invalidVerificationCode } from '../mfa/refusals.ts'
import { tryOwnCode } from '../mfa/try-code.ts'
import { startProof } from '../passkeys/options.ts'
import type { PasskeyProof, StartedRequest } from '../passkeys/schemas.ts'
import { hashSecret, newSecret } from '../platform/crypto/secrets.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import { findMissingProof, type MissingProof } from '../sessions/assurance.ts'
import { describeFactors, type ProvenFactor } from '../sessions/proven-factors.ts'
import { isCookieOf, stepUpSession } from '../sessions/queries.ts'
import { presentSession } from '../sessions/session-list.ts'
import { claimForStepUp } from './prove-passkey.ts'
import { wrongPasskey } from './refusals.ts'
import type { SignInDependencies } from './sign-in.ts'

/** A signed-in user who proves another factor. */
export interface SteppingUp {
  caller: UserCaller
  /** The cookie of the session. */
  token: string
  level: AssuranceLevel
}

/** The proofs that raise a session. */
export interface StartedStepUp {
  /** The second factors, one code of which suffices. */
  methods: readonly MfaMethod[]
  /** The options for the passkeys that suffice; undefined without such a passkey. */
  byPasskey: StartedRequest | undefined
}

/** The proofs that raise the session of a user; undefined when nothing is missing, or no proof can help. */
export async function startStepUp(dependencies: SignInDependencies, steppingUp: SteppingUp): Promise<StartedStepUp | undefined> {
  const missing = await findMissing(dependencies, steppingUp)
  if (!missing) return undefined
  const { methods, credentialIds, mayBeSecond } = missing
  const { organisationId, session } = steppingUp.caller
  if (credentialIds.length === 0) return { methods, byPasskey: undefined }
  const userVerification = mayBeSecond && methods.length > 0 ? 'preferred' : 'required'
  const asked = { purpose: 'step-up', userVerification, credentialIds } as const
  return { methods, byPasskey: await startProof(dependencies, { organisationId, userId: session.userId }, asked) }
}

/**
 * Adds the proof of a code, a backup code or a passkey to the caller's session. The session continues under a new cookie, which only the
 * first of several calls gets.
 *
 * @throws Problem `bad-request` for a wrong code or passkey, `unauthorized` when the session has ended or another call was first,
 *   `too-many-requests`
 */
export async function stepUp(
  dependencies: SignInDependencies,
  steppingUp: SteppingUp,
  proof: { code: string } | PasskeyProof,
  language: Language | undefined,
): Promise<{ token: string; expiresAt: Date }> {
  const { caller, token } = steppingUp
  const mayBeSecond = 'credential' in proof && ((await findMissing(dependencies, steppingUp))?.mayBeSecond ?? false)
  const upgraded = await tryOwnCode(dependencies, caller, { proof, language }, async (tenant) => {
    // Check before the proof: of several concurrent calls, the late ones have not guessed wrong.
    if (!(await isCookieOf(tenant, caller.session.id, hashSecret(token)))) throw invalidSession()
    if ('credential' in proof) {
      const proven = await claimForStepUp(tenant, dependencies, caller, proof, { language, mayBeSecond })
      return proven && raise(tenant, steppingUp, proven)
    }
    const claimed = await claimFactorOrBackupCode(tenant, dependencies, caller.session.userId, proof)
    return claimed && raise(tenant, steppingUp, [{ ...claimed, provenAt: tenant.now }])
  })
  if (!upgraded) throw 'credential' in proof ? wrongPasskey() : invalidVerificationCode()
  return upgraded
}

const findMissing = (
  { database, relyingParty }: SignInDependencies,
  { caller: { organisationId, session }, level }: SteppingUp,
): Promise<MissingProof | undefined> => findMissingProof(database, { organisationId, sessionId: session.id, rpId: relyingParty.id }, level)

async function raise(tenant: Tenant, { caller, token }: SteppingUp, proven: readonly [ProvenFactor, ...ProvenFactor[]]) {
  const newToken = newSecret()
  const { id } = caller.session
  const changed = await stepUpSession(tenant, { id, tokenHash: hashSecret(token), newTokenHash: hashSecret(newToken), proven })
  if (!changed) throw invalidSession()
  const [{ factor, passkeyId }] = proven
  const level = assuranceLevelOf(describeFactors(changed.provenFactors))
  const metadata = { factor, ...(passkeyId !== undefined && { passkeyId }), level }
  await record(tenant, caller.actor, { action: 'session.stepped_up', session: presentSession(changed.session, id), metadata })
  return { token: newToken, expiresAt: changed.session.expiresAt }
}
