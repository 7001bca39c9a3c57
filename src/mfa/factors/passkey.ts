import { spendChallenge } from '../../passkeys/challenges.ts'
import { rpIdOf, startProof } from '../../passkeys/options.ts'
import { findHolder, findPasskeyOf, listPasskeys } from '../../passkeys/queries.ts'
import { noPasskey, passkeysNotAllowed } from '../../passkeys/refusals.ts'
import { secondFactorOf } from '../../passkeys/rules.ts'
import { usePasskey } from '../../passkeys/use-passkey.ts'
import { verifyAssertion } from '../../passkeys/verify.ts'
import { newId } from '../../platform/ids.ts'
import { replacePendingCredential } from '../queries.ts'
import type { SecondFactor } from './second-factor.ts'

/** Any passkey of the user: one enrolment stands for all of them. Whether the device verifies its user does not matter here. */
export const passkey: SecondFactor = {
  isPossible: ({ relyingParty }) => relyingParty.id !== undefined,
  async prepare(dependencies, { organisationId, session }) {
    const rpId = rpIdOf(dependencies.relyingParty)
    const { userId } = session
    const own = dependencies.database.tenant(organisationId)
    if ((await findHolder(own, userId))?.policy.passkeys === 'off') throw passkeysNotAllowed()
    if (!(await listPasskeys(own, userId)).some((one) => one.rpId === rpId)) throw noPasskey()
    const started = await startProof(dependencies, { organisationId, userId }, 'enrol-second-factor')
    return async (tenant) => {
      const id = newId('mfa', tenant.now)
      await replacePendingCredential(tenant, session, { id, method: 'passkey', secretEncrypted: null, phone: null })
      return { started }
    }
  },
  presentBegun: () => undefined,
  async claim(tenant, dependencies, { userId }, proof) {
    if (!('credential' in proof)) return undefined
    const { credential, challenge } = proof
    const value = typeof challenge === 'string' ? challenge : challenge.value
    if ((await findHolder(tenant, userId))?.policy.passkeys === 'off') return undefined
    const held = await findPasskeyOf(tenant, userId, credential.id)
    const expected = { challenge: value, userVerification: 'discouraged' } as const
    const assertion = held && (await verifyAssertion(dependencies.relyingParty, held, credential, expected))
    if (!assertion) return undefined
    if (typeof challenge !== 'string' && !(await spendChallenge(tenant, challenge))) return undefined
    if (!(await usePasskey(tenant, dependencies, held, assertion, proof))) return undefined
    return { factor: secondFactorOf(held), passkeyId: held.id }
  },
  accepts: async () => false,
}
