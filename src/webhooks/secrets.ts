import type { Keyring } from '../platform/crypto/keyring.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Secrets } from './variants.ts'

/** The secrets of an endpoint as they are stored: each encrypted for this endpoint alone. */
export interface EncryptedSecrets {
  secretEncrypted: string
  previousSecretEncrypted: string | null
  previousSecretExpiresAt: Date | null
}

/** The secrets that sign at a time: the former one only while its grace period lasts. */
export function decryptSecrets(keyring: Keyring, endpointId: string, stored: EncryptedSecrets, at: Date): Secrets {
  const { secretEncrypted, previousSecretEncrypted, previousSecretExpiresAt } = stored
  const inGrace = previousSecretEncrypted !== null && previousSecretExpiresAt !== null && previousSecretExpiresAt > at
  return {
    current: keyring.decrypt(secretEncrypted, endpointId),
    previous: inGrace ? keyring.decrypt(previousSecretEncrypted, endpointId) : undefined,
  }
}

export async function findSecrets(tenant: Tenant, endpointId: string): Promise<EncryptedSecrets | undefined> {
  return tenant
    .selectFrom('webhookEndpoints')
    .select(['secretEncrypted', 'previousSecretEncrypted', 'previousSecretExpiresAt'])
    .where('id', '=', endpointId)
    .executeTakeFirst()
}
