import { secondFactorOf } from '../../access/factors.ts'
import { claimPasskey } from '../../passkeys/claim-passkey.ts'
import { proofOfNewFactor, rpIdOf, startProof } from '../../passkeys/options.ts'
import { findHolder, listPasskeys } from '../../passkeys/queries.ts'
import { noPasskey, passkeysNotAllowed } from '../../passkeys/refusals.ts'
import { newId } from '../../platform/ids.ts'
import { replacePendingCredential } from '../queries.ts'
import type { SecondFactor } from './second-factor.ts'

/** Any passkey of the user: enrolling one enables all of them. Whether the device verifies its user does not matter here. */
export const passkey: SecondFactor = {
  isPossible: ({ relyingParty }) => relyingParty.id !== undefined,
  async prepare(dependencies, { organisationId, session }) {
    const rpId = rpIdOf(dependencies.relyingParty)
    const { userId } = session
    const own = dependencies.database.tenant(organisationId)
    if ((await findHolder(own, userId))?.policy.passkeys === 'off') throw passkeysNotAllowed()
    if (!(await listPasskeys(own, userId)).some((one) => one.rpId === rpId)) throw noPasskey()
    const started = await startProof(dependencies, { organisationId, userId }, proofOfNewFactor)
    return {
      async begin(tenant) {
        const id = newId('mfa', tenant.now)
        await replacePendingCredential(tenant, session, { id, method: 'passkey', secretEncrypted: null, phone: null })
        return { started }
      },
    }
  },
  presentBegun: () => ({ isPasskey: true }),
  async claim(tenant, dependencies, _, proof) {
    if (!('credential' in proof)) return undefined
    const claimed = await claimPasskey(tenant, dependencies, proof, 'discouraged')
    return claimed && { factor: secondFactorOf(claimed.passkey), passkeyId: claimed.passkey.id }
  },
  accepts: async () => false,
}
