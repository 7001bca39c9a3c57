import { hashSecret } from '../platform/crypto/secrets.ts'
import type { Tenant } from '../platform/database/database.ts'

export interface AssertionUse {
  /** Who has signed it: the id of a client, or of the connection of an identity provider. */
  issuer: string
  /** What the issuer calls it (`jti`), unique among its assertions. */
  assertionId: string
  /** When it would be refused anyway. */
  expiresAt: Date
}

/** Claims a signed assertion, once for all processes and organisations. @returns whether this is its first use */
export async function claimAssertion(tenant: Tenant, { issuer, assertionId, expiresAt }: AssertionUse): Promise<boolean> {
  const inserted = await tenant
    .insertInto('usedAssertions')
    .values({ issuer, assertionHash: hashSecret(assertionId), expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('assertionHash')
    .executeTakeFirst()
  return inserted !== undefined
}
