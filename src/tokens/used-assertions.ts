import { hashSecret } from '../platform/crypto/secrets.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { type KeyedValues, statement } from '../platform/database/statement.ts'

export interface AssertionUse {
  /** Who has signed it: the id of a client, an identity provider as the organisation knows it, or the thumbprint of a key. */
  issuer: string
  /** What the issuer calls it (`jti`), unique among its assertions. */
  assertionId: string
  /** When it would be refused anyway. */
  expiresAt: Date
}

const insertUse = statement<KeyedValues & { issuer: string; expiresAt: Date }, object>(`
  insert into used_assertions (organisation_id, issuer, assertion_hash, expires_at)
  values (:organisationId, :issuer, :key, :expiresAt)
  on conflict (issuer, assertion_hash) do nothing returning assertion_hash`)

const valuesOf = (organisationId: string, { issuer, assertionId, expiresAt }: AssertionUse) => ({
  organisationId,
  key: hashSecret(assertionId),
  issuer,
  expiresAt,
})

/** Claims a signed assertion, once for all processes and organisations. @returns whether this is its first use */
export async function claimAssertion(database: Database, organisationId: string, use: AssertionUse): Promise<boolean> {
  return (await database.keyedWrite(insertUse, valuesOf(organisationId, use))) !== undefined
}

/** Has an assertion that was claimed be as if it never was. */
export async function releaseAssertion(
  database: Database,
  organisationId: string,
  { issuer, assertionId }: Pick<AssertionUse, 'issuer' | 'assertionId'>,
): Promise<void> {
  await database
    .tenant(organisationId)
    .deleteFrom('usedAssertions')
    .where('issuer', '=', issuer)
    .where('assertionHash', '=', hashSecret(assertionId))
    .execute()
}

/** Claims one in a transaction: when that is rolled back, the assertion has not been used. */
export async function claimAssertionWithin(tenant: Tenant, use: AssertionUse): Promise<boolean> {
  return (await tenant.run(insertUse, valuesOf(tenant.organisationId, use))).length > 0
}
