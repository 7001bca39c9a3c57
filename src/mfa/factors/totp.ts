import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { Tenant } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { claimStep, type MfaCredential, replacePendingCredential } from '../queries.ts'
import { newTotpSecret, stepOfCode, totpUri } from '../totp.ts'
import type { SecondFactor } from './second-factor.ts'

/** An authenticator app (RFC 6238). */
export const totp: SecondFactor = {
  isPossible: () => true,
  async prepare({ keyring }, { session }) {
    return {
      async begin(tenant, { email, organisationName }) {
        const id = newId('mfa', tenant.now)
        const secret = newTotpSecret()
        await replacePendingCredential(tenant, session, { id, method: 'totp', secretEncrypted: keyring.encrypt(secret, id), phone: null })
        const qrCodeUri = totpUri(secret, { issuer: organisationName, account: email })
        return { started: { secret, qrCodeUri, message: 'Scan the QR code with an authenticator app, then verify a code of it' } }
      },
    }
  },
  presentBegun(keyring, pending, { account, organisationName }) {
    const secret = secretOf(keyring, pending)
    return { secret, qrCodeUri: totpUri(secret, { issuer: organisationName, account }) }
  },
  async claim(tenant, { keyring }, credential, proof) {
    const step = 'code' in proof ? stepOf(tenant, keyring, credential, proof.code) : undefined
    return step !== undefined && (await claimStep(tenant, credential.id, step)) ? { factor: 'totp' } : undefined
  },
  async accepts(tenant, keyring, credential, { code }) {
    return stepOf(tenant, keyring, credential, code) !== undefined
  },
}

const secretOf = (keyring: Keyring, { id, secretEncrypted }: MfaCredential) => keyring.decrypt(secretEncrypted ?? '', id)

const stepOf = (tenant: Tenant, keyring: Keyring, credential: MfaCredential, code: string) =>
  stepOfCode(secretOf(keyring, credential), code, tenant.now, credential.lastUsedStep)
