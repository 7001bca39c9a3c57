import { sql } from 'kysely'
import type { MfaMethod } from '../access/factors.ts'
import type { StoredPolicy } from '../organisations/rules.ts'
import type { Database } from '../platform/database/database.ts'
import type { OrganisationStatus } from '../platform/database/tables.ts'
import { type ProvenFactor, readFactors } from '../sessions/proven-factors.ts'

export interface Account {
  organisationId: string
  id: string
  email: string
  name: string
  passwordHash: string | null
  passwordChangedAt: Date | null
  mfaEnabled: boolean
  mfaMethods: MfaMethod[]
  blockedAt: Date | null
  lockedUntil: Date | null
  organisationStatus: OrganisationStatus
  requireMfa: boolean
  passwordPolicy: StoredPolicy
}

const accounts = (database: Database) =>
  database
    .system()
    .selectFrom('users')
    .innerJoin('organisations', 'organisations.id', 'users.organisationId')
    .select([
      'users.organisationId',
      'users.id',
      'users.email',
      'users.name',
      'users.passwordHash',
      'users.passwordChangedAt',
      'users.mfaEnabled',
      'users.blockedAt',
      'users.lockedUntil',
      'organisations.status as organisationStatus',
      'organisations.requireMfa',
      'organisations.passwordPolicy',
      sql<MfaMethod[]>`array(
        select method from mfa_credentials
        where organisation_id = users.organisation_id and user_id = users.id and verified_at is not null)`.as('mfaMethods'),
    ])
    .where('users.deletedAt', 'is', null)
    .where('organisations.status', '!=', 'cancelled')

/** The account of an e-mail address in any organisation: which one is not known yet. */
export async function findAccount(database: Database, email: string): Promise<Account | undefined> {
  return accounts(database).where('users.email', '=', email).executeTakeFirst()
}

/** The account to whose audit log a failed sign-in is written. */
export type NamedAccount = Pick<Account, 'organisationId' | 'id' | 'email' | 'name'>

/** Some user or other; undefined while there are none. */
export async function findAnyUser(database: Database): Promise<NamedAccount | undefined> {
  return database
    .system()
    .selectFrom('users')
    .select(['organisationId', 'id', 'email', 'name'])
    .orderBy('organisationId')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** An account whose sign-in waits for a second factor. */
export interface ChallengedAccount extends Account {
  challengeId: string
  proven: ProvenFactor[]
  codesRefusedUntil: Date | null
}

/** The account whose sign-in waits for a second factor, found by its MFA token. */
export async function findChallengedAccount(database: Database, tokenHash: string): Promise<ChallengedAccount | undefined> {
  const found = await accounts(database)
    .innerJoin('mfaChallenges', (join) =>
      join.onRef('mfaChallenges.organisationId', '=', 'users.organisationId').onRef('mfaChallenges.userId', '=', 'users.id'),
    )
    .select(['mfaChallenges.id as challengeId', 'mfaChallenges.provenFactors', 'mfaChallenges.createdAt', 'users.codesRefusedUntil'])
    .where('mfaChallenges.tokenHash', '=', tokenHash)
    .executeTakeFirst()
  if (!found) return undefined
  const { provenFactors, createdAt: provenAt, ...account } = found
  return { ...account, proven: readFactors(provenFactors, { authenticationMethods: ['pwd'], provenAt }) }
}
