import { sql } from 'kysely'
import type { MfaMethod } from '../access/factors.ts'
import { signInSetting } from '../access/sign-in-setting.ts'
import { hasUsablePasskey, signsInByPasskey } from '../accounts/signs-in-by-passkey.ts'
import { requirementOfUser } from '../domains/queries.ts'
import type { Requirement } from '../domains/rules.ts'
import type { StoredPolicy } from '../organisations/rules.ts'
import type { StoredPasskey } from '../passkeys/queries.ts'
import type { OrganisationStatus } from '../platform/database/column-types.ts'
import type { Database, System, Tenant } from '../platform/database/database.ts'
import { type ProvenFactor, readFactors } from '../sessions/proven-factors.ts'

export interface Account {
  organisationId: string
  id: string
  email: string
  emailVerifiedAt: Date | null
  name: string
  passwordHash: string | null
  passwordChangedAt: Date | null
  passwordBreachedAt: Date | null
  mfaEnabled: boolean
  /** The enrolled second factors; a passkey only while one of the relying party is left. */
  mfaMethods: MfaMethod[]
  blockedAt: Date | null
  lockedUntil: Date | null
  organisationStatus: OrganisationStatus
  requireMfa: boolean
  passwordPolicy: StoredPolicy
  signInPolicy: StoredPolicy
  ownerId: string | null
  /** The requirement of the address's domain. */
  requirement: Requirement | null
  /** The relying party whose passkeys count; null where passkeys are impossible. */
  relyingPartyId: string | null
  /** Whether the organisation requires a passkey and the user has none that signs in. */
  lacksPasskey: boolean
  /** Whether the user has to enrol a second factor and has a passkey that signs in. */
  mustProvePasskey: boolean
}

const passkeys = sql.raw(signInSetting('organisations', 'passkeys'))

const allAccounts = (database: Database, rpId: string | null | undefined) => accountsIn(database.system(), rpId)

const accountsIn = (queries: System | Tenant, rpId: string | null | undefined) =>
  queries
    .selectFrom('users')
    .innerJoin('organisations', 'organisations.id', 'users.organisationId')
    .select([
      'users.organisationId',
      'users.id',
      'users.email',
      'users.emailVerifiedAt',
      'users.name',
      'users.passwordHash',
      'users.passwordChangedAt',
      'users.passwordBreachedAt',
      'users.mfaEnabled',
      'users.blockedAt',
      'users.lockedUntil',
      'organisations.status as organisationStatus',
      'organisations.requireMfa',
      'organisations.passwordPolicy',
      'organisations.signInPolicy',
      'organisations.ownerId',
      requirementOfUser,
      sql<MfaMethod[]>`array(
        select method from mfa_credentials
        where organisation_id = users.organisation_id and user_id = users.id and verified_at is not null
          and (method <> 'passkey' or ${hasUsablePasskey('users', rpId)}))`.as('mfaMethods'),
      sql<string | null>`${rpId ?? null}::text`.as('relyingPartyId'),
      sql<boolean>`${passkeys} = 'required' and not ${signsInByPasskey('users', rpId)}`.as('lacksPasskey'),
      sql<boolean>`organisations.require_mfa and not users.mfa_enabled and ${passkeys} <> 'off'
        and ${signsInByPasskey('users', rpId)}`.as('mustProvePasskey'),
    ])

const accounts = (database: Database, rpId: string | undefined) =>
  allAccounts(database, rpId).where('users.deletedAt', 'is', null).where('organisations.status', '!=', 'cancelled')

/**
 * The account of an e-mail address in any organisation, which is not known yet.
 *
 * @param rpId the relying party whose passkeys count
 */
export async function findAccount(database: Database, email: string, rpId: string | undefined): Promise<Account | undefined> {
  return accounts(database, rpId).where('users.email', '=', email).executeTakeFirst()
}

/** The account of a user of the organisation, as the transaction sees it. */
export async function findAccountOf(tenant: Tenant, userId: string, rpId: string | null | undefined): Promise<Account | undefined> {
  return accountsIn(tenant, rpId).where('users.id', '=', userId).where('users.deletedAt', 'is', null).executeTakeFirst()
}

/** An account with everything that decides how its user can sign in. */
export interface AccountToCheck extends Account {
  deletedAt: Date | null
  codesRefusedUntil: Date | null
  hasBackupCodes: boolean
  /** Whether a passkey of the user signs in. */
  hasPasskey: boolean
}

/** The account of an address in the organisation, deleted or not. */
export async function findAccountToCheck(tenant: Tenant, email: string, rpId: string | undefined): Promise<AccountToCheck | undefined> {
  return accountsIn(tenant, rpId)
    .select(['users.deletedAt', 'users.codesRefusedUntil'])
    .select([
      sql<boolean>`exists (
        select from mfa_backup_codes where organisation_id = users.organisation_id and user_id = users.id)`.as('hasBackupCodes'),
      signsInByPasskey('users', rpId).as('hasPasskey'),
    ])
    .where('users.email', '=', email)
    .where('users.erasedAt', 'is', null)
    .executeTakeFirst()
}

/** The account to whose audit log a failed sign-in is written. */
export type NamedAccount = Pick<Account, 'organisationId' | 'id' | 'email' | 'name'>

/** Any user; undefined without users. */
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

/** An account whose sign-in awaits a second factor. */
export interface ChallengedAccount extends Account {
  challengeId: string
  signInId: string | null
  proven: ProvenFactor[]
  codesRefusedUntil: Date | null
}

/** The account whose sign-in awaits a second factor, found by its MFA token; undefined for a token that is used or has expired. */
export async function findChallengedAccount(
  database: Database,
  tokenHash: string,
  rpId: string | undefined,
): Promise<ChallengedAccount | undefined> {
  const found = await accounts(database, rpId)
    .innerJoin('mfaChallenges', (join) =>
      join.onRef('mfaChallenges.organisationId', '=', 'users.organisationId').onRef('mfaChallenges.userId', '=', 'users.id'),
    )
    .select(['mfaChallenges.id as challengeId', 'mfaChallenges.provenFactors', 'mfaChallenges.createdAt', 'mfaChallenges.signInId'])
    .select('users.codesRefusedUntil')
    .where('mfaChallenges.tokenHash', '=', tokenHash)
    .where('mfaChallenges.usedAt', 'is', null)
    .where('mfaChallenges.expiresAt', '>', database.clock.now())
    .executeTakeFirst()
  if (!found) return undefined
  const { provenFactors, createdAt: provenAt, ...account } = found
  return { ...account, proven: readFactors(provenFactors, { authenticationMethods: ['pwd'], provenAt }) }
}

/** An account whose user has been mailed a code. */
export interface MailedAccount extends Account {
  codeId: string
  signInId: string | null
}

/** The account whose code completes a flow; undefined for an unknown or ended flow. */
export async function findMailedAccount(
  database: Database,
  flowTokenHash: string,
  rpId: string | undefined,
): Promise<MailedAccount | undefined> {
  return accounts(database, rpId)
    .innerJoin('emailCodes', (join) =>
      join.onRef('emailCodes.organisationId', '=', 'users.organisationId').onRef('emailCodes.userId', '=', 'users.id'),
    )
    .select(['emailCodes.id as codeId', 'emailCodes.signInId'])
    .where('emailCodes.flowTokenHash', '=', flowTokenHash)
    .executeTakeFirst()
}

/** A passkey and its account, which may be deleted, or belong to a cancelled organisation. */
export interface PasskeyAccount {
  account: Account
  passkey: StoredPasskey
  isActive: boolean
}

/** The account of a passkey in any organisation, which is not known yet, by the id of its credential. */
export async function findAccountByPasskey(
  database: Database,
  credentialId: string,
  rpId: string | undefined,
): Promise<PasskeyAccount | undefined> {
  const found = await allAccounts(database, rpId)
    .innerJoin('passkeys', (join) =>
      join.onRef('passkeys.organisationId', '=', 'users.organisationId').onRef('passkeys.userId', '=', 'users.id'),
    )
    .innerJoin('passkeyUsers', (join) =>
      join.onRef('passkeyUsers.organisationId', '=', 'users.organisationId').onRef('passkeyUsers.userId', '=', 'users.id'),
    )
    .select(['users.deletedAt', 'passkeyUsers.handle'])
    .select(['passkeys.id as passkeyId', 'passkeys.name as passkeyName', 'passkeys.rpId', 'passkeys.credentialId', 'passkeys.publicKey'])
    .select(['passkeys.counter', 'passkeys.canSignIn', 'passkeys.maySync', 'passkeys.isSynced', 'passkeys.transports'])
    .select(['passkeys.aaguid', 'passkeys.createdAt', 'passkeys.lastUsedAt'])
    .where('passkeys.credentialId', '=', credentialId)
    .executeTakeFirst()
  if (!found) return undefined
  const { deletedAt, passkeyId, passkeyName, ...both } = found
  const isActive = deletedAt === null && found.organisationStatus !== 'cancelled'
  return { account: both, passkey: { ...both, id: passkeyId, name: passkeyName, userId: both.id }, isActive }
}
