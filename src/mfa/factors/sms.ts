import { newId } from '../../platform/ids.ts'
import { claimSentCode, isSentCode, replacePendingCredential } from '../queries.ts'
import { phoneRequired, smsNotConfigured } from '../refusals.ts'
import { deliver, writeCode } from '../send-code.ts'
import { hashSentCode } from '../sent-codes.ts'
import { countMessage } from '../sms-limits.ts'
import type { SecondFactor } from './second-factor.ts'

/** A phone that codes are sent to. */
export const sms: SecondFactor = {
  isPossible: ({ smsSender }) => smsSender !== undefined,
  async prepare(dependencies, { organisationId, session }, { phone }) {
    const { keyring, smsSender } = dependencies
    if (!smsSender) throw smsNotConfigured()
    if (phone === undefined) throw phoneRequired()
    const release = await countMessage(dependencies, { organisationId, userId: session.userId, phone, isConfirmed: false })
    return {
      async begin(tenant) {
        const id = newId('mfa', tenant.now)
        await replacePendingCredential(tenant, session, { id, method: 'sms', secretEncrypted: null, phone })
        const message = await writeCode(tenant, keyring, { id, phone })
        return {
          started: { phone, message: 'A code has been sent to the phone; verify it' },
          afterCommit: () => deliver(smsSender, message),
        }
      },
      release,
    }
  },
  presentBegun: (_, { phone }) => ({ phone: phone ?? '' }),
  async claim(tenant, { keyring }, { id }, proof) {
    if (!('code' in proof)) return undefined
    return (await claimSentCode(tenant, id, hashSentCode(keyring, id, proof.code))) ? { factor: 'sms' } : undefined
  },
  accepts: (tenant, keyring, { id }, { code }) => isSentCode(tenant, id, hashSentCode(keyring, id, code)),
}
