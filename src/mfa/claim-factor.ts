import type { FactorName, MfaMethod } from '../access/factors.ts'
import type { Keyring } from '../platform/crypto/keyring.ts'
import type { Tenant } from '../platform/database/database.ts'
import { hashBackupCode } from './backup-codes.ts'
import type { Proof } from './factors/second-factor.ts'
import { secondFactors } from './factors/second-factors.ts'
import { claimBackupCode, listCredentials } from './queries.ts'

/**
 * Uses up a proof of one of the user's second factors. Of two callers with the same proof at the same moment, one gets it.
 *
 * @returns the factor that was proven, undefined when it proves none or has been used
 */
export async function claimFactor(tenant: Tenant, keyring: Keyring, userId: string, proof: Proof): Promise<MfaMethod | undefined> {
  for (const credential of await listCredentials(tenant, userId)) {
    if (await secondFactors[credential.method].claim(tenant, keyring, credential, proof)) return credential.method
  }
  return undefined
}

/** Uses up what was typed in as second factor: a six-digit code or a backup code. */
export async function claimFactorOrBackupCode(
  tenant: Tenant,
  keyring: Keyring,
  userId: string,
  { code: typed }: Proof,
): Promise<FactorName | undefined> {
  const code = typed.replaceAll(/\s/g, '')
  if (/^\d{6}$/.test(code)) return claimFactor(tenant, keyring, userId, { code })
  return (await claimBackupCode(tenant, userId, hashBackupCode(userId, typed))) ? 'backup_code' : undefined
}

/** Whether a proof would be accepted now. It is not used up. */
export async function isAccepted(tenant: Tenant, keyring: Keyring, userId: string, proof: Proof): Promise<boolean> {
  for (const credential of await listCredentials(tenant, userId)) {
    if (await secondFactors[credential.method].accepts(tenant, keyring, credential, proof)) return true
  }
  return false
}
