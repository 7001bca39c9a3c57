import type { FactorName, MfaMethod } from '../access/factors.ts'
import type { Keyring } from '../platform/crypto/keyring.ts'
import type { Tenant } from '../platform/database/database.ts'
import { hashBackupCode } from './backup-codes.ts'
import { claimBackupCode, claimSentCode, claimStep, isSentCode, listCredentials, type MfaCredential } from './queries.ts'
import { hashSentCode } from './sent-codes.ts'
import { stepOfCode } from './totp.ts'

/**
 * Uses up a six-digit code of one of the user's second factors. Of two who bring the same code at the same moment, one
 * gets it.
 *
 * @returns the factor that it is of, undefined when it is of none or has been used
 */
export async function claimCode(tenant: Tenant, keyring: Keyring, userId: string, code: string): Promise<MfaMethod | undefined> {
  for (const credential of await listCredentials(tenant, userId)) {
    if (await claimCodeOf(tenant, keyring, credential, code)) return credential.method
  }
  return undefined
}

/** Uses up what was typed in as second factor: a six-digit code or a backup code. */
export async function claimCodeOrBackupCode(
  tenant: Tenant,
  keyring: Keyring,
  userId: string,
  typed: string,
): Promise<FactorName | undefined> {
  const digits = typed.replaceAll(/\s/g, '')
  if (/^\d{6}$/.test(digits)) return claimCode(tenant, keyring, userId, digits)
  return (await claimBackupCode(tenant, userId, hashBackupCode(userId, typed))) ? 'backup_code' : undefined
}

/** @returns whether this call was the one that used it up */
export async function claimCodeOf(tenant: Tenant, keyring: Keyring, credential: MfaCredential, code: string): Promise<boolean> {
  if (credential.method === 'sms') return claimSentCode(tenant, credential.id, hashSentCode(keyring, credential.id, code))
  const step = stepOf(tenant, keyring, credential, code)
  return step !== undefined && claimStep(tenant, credential.id, step)
}

/** Whether a code would be accepted now. It stays good. */
export async function isCode(tenant: Tenant, keyring: Keyring, userId: string, code: string): Promise<boolean> {
  for (const credential of await listCredentials(tenant, userId)) {
    const matches =
      credential.method === 'sms'
        ? await isSentCode(tenant, credential.id, hashSentCode(keyring, credential.id, code))
        : stepOf(tenant, keyring, credential, code) !== undefined
    if (matches) return true
  }
  return false
}

function stepOf(tenant: Tenant, keyring: Keyring, credential: MfaCredential, code: string): number | undefined {
  const secret = keyring.decrypt(credential.secretEncrypted ?? '', credential.id)
  return stepOfCode(secret, code, tenant.now, credential.lastUsedStep)
}
