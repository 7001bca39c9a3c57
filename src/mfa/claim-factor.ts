import type { Keyring } from '../platform/crypto/keyring.ts'
import type { Tenant } from '../platform/database/database.ts'
import { hashBackupCode } from './backup-codes.ts'
import type { Claimed, CodeProof, Proof } from './factors/second-factor.ts'
import { secondFactors } from './factors/second-factors.ts'
import { claimBackupCode, listCredentials } from './queries.ts'
import type { MfaDependencies } from './send-code.ts'

/**
 * Uses up a proof of one of the user's second factors. Of two concurrent callers with the same proof, one succeeds.
 *
 * @returns the proven factor; undefined when the proof is wrong or has been used
 */
export async function claimFactor(
  tenant: Tenant,
  dependencies: MfaDependencies,
  userId: string,
  proof: Proof,
): Promise<Claimed | undefined> {
  for (const credential of await listCredentials(tenant, userId)) {
    const claimed = await secondFactors[credential.method].claim(tenant, dependencies, credential, proof)
    if (claimed) return claimed
  }
  return undefined
}

/** Uses up a proof of a second factor: a six-digit code, a backup code or the response of a passkey. */
export async function claimFactorOrBackupCode(
  tenant: Tenant,
  dependencies: MfaDependencies,
  userId: string,
  proof: Proof,
): Promise<Claimed | undefined> {
  if (!('code' in proof)) return claimFactor(tenant, dependencies, userId, proof)
  const code = proof.code.replaceAll(/\s/g, '')
  if (/^\d{6}$/.test(code)) return claimFactor(tenant, dependencies, userId, { code })
  return (await claimBackupCode(tenant, userId, hashBackupCode(userId, proof.code))) ? { factor: 'backup_code' } : undefined
}

/** Whether a proof would be accepted now. It is not used up. */
export async function isAccepted(tenant: Tenant, keyring: Keyring, userId: string, proof: CodeProof): Promise<boolean> {
  for (const credential of await listCredentials(tenant, userId)) {
    if (await secondFactors[credential.method].accepts(tenant, keyring, credential, proof)) return true
  }
  return false
}
