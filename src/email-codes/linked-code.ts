import type { Keyring } from '../platform/crypto/keyring.ts'
import { hashSecret } from '../platform/crypto/secrets.ts'
import type { Database } from '../platform/database/database.ts'
import { codeOf } from './codes.ts'

export interface LinkedCode {
  organisationId: string
  email: string
  code: string
  flowTokenHash: string
}

/** The code that a link shows; undefined for a link that is unknown, used, replaced by another, or expired. */
export async function findLinkedCode(database: Database, keyring: Keyring, linkToken: string): Promise<LinkedCode | undefined> {
  const system = database.system()
  const found = await system
    .selectFrom('emailCodes')
    .innerJoin('users', (join) =>
      join.onRef('users.organisationId', '=', 'emailCodes.organisationId').onRef('users.id', '=', 'emailCodes.userId'),
    )
    .innerJoin('organisations', 'organisations.id', 'emailCodes.organisationId')
    .select(['emailCodes.organisationId', 'emailCodes.id', 'emailCodes.flowTokenHash', 'users.email'])
    .where('emailCodes.linkTokenHash', '=', hashSecret(linkToken))
    .where('emailCodes.expiresAt', '>', system.now)
    .where('users.deletedAt', 'is', null)
    .where('organisations.status', '!=', 'cancelled')
    .executeTakeFirst()
  if (!found) return undefined
  const { id, ...linked } = found
  return { ...linked, code: codeOf(keyring, id) }
}
