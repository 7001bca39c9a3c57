import { randomBytes } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { type StoredPolicy, signInPolicyOf } from '../organisations/rules.ts'
import { connectionSignsIn } from '../organisations/signs-in-by-connection.ts'
import { refuseViolation } from '../platform/database/constraints.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { PasskeysTable } from '../platform/database/tables.ts'
import { passkeyAlreadyRegistered } from './refusals.ts'
import type { Assertion, VerifiablePasskey } from './verify.ts'

export type Passkey = Omit<Selectable<PasskeysTable>, 'organisationId'>

/** A passkey with everything that verifies an assertion of it. */
export type StoredPasskey = Passkey & VerifiablePasskey

const columns = [
  'passkeys.id',
  'passkeys.userId',
  'passkeys.name',
  'passkeys.rpId',
  'passkeys.credentialId',
  'passkeys.publicKey',
  'passkeys.counter',
  'passkeys.canSignIn',
  'passkeys.maySync',
  'passkeys.isSynced',
  'passkeys.transports',
  'passkeys.aaguid',
  'passkeys.createdAt',
  'passkeys.lastUsedAt',
] as const

/** The passkeys of a user, the oldest first. A user has few. */
export async function listPasskeys(tenant: Tenant, userId: string): Promise<Passkey[]> {
  return tenant.selectFrom('passkeys').select(columns).where('userId', '=', userId).orderBy('id').execute()
}

export async function findPasskeyOf(tenant: Tenant, userId: string, credentialId: string): Promise<StoredPasskey | undefined> {
  return tenant
    .selectFrom('passkeys')
    .innerJoin('passkeyUsers', (join) =>
      join.onRef('passkeyUsers.organisationId', '=', 'passkeys.organisationId').onRef('passkeyUsers.userId', '=', 'passkeys.userId'),
    )
    .select([...columns, 'passkeyUsers.handle'])
    .where('passkeys.userId', '=', userId)
    .where('passkeys.credentialId', '=', credentialId)
    .executeTakeFirst()
}

/** A user with the data that passkeys need. The row stays locked, so that passkeys are registered and deleted one at a time. */
export interface PasskeyHolder {
  email: string
  name: string
  hasPassword: boolean
  mfaEnabled: boolean
  isOwner: boolean
  requireMfa: boolean
  organisationName: string
  policy: ReturnType<typeof signInPolicyOf>
}

const holders = (tenant: Tenant, userId: string) =>
  tenant
    .selectFrom('users')
    .innerJoin('organisations', 'organisations.id', 'users.organisationId')
    .select(['users.id', 'users.email', 'users.name', 'users.passwordHash', 'users.mfaEnabled'])
    .select(['organisations.ownerId', 'organisations.requireMfa', 'organisations.name as organisationName', 'organisations.signInPolicy'])
    .where('users.id', '=', userId)
    .where('users.deletedAt', 'is', null)

export async function findHolder(tenant: Tenant, userId: string): Promise<PasskeyHolder | undefined> {
  const found = await holders(tenant, userId).executeTakeFirst()
  return found && holderOf(found)
}

/** What the organisation allows stays as it is until the end of the transaction. */
export async function lockHolder(tenant: Tenant, userId: string): Promise<PasskeyHolder | undefined> {
  const found = await holders(tenant, userId).forNoKeyUpdate('users').forShare('organisations').executeTakeFirst()
  return found && holderOf(found)
}

function holderOf({
  id,
  passwordHash,
  ownerId,
  signInPolicy,
  ...holder
}: {
  id: string
  email: string
  name: string
  passwordHash: string | null
  mfaEnabled: boolean
  ownerId: string | null
  requireMfa: boolean
  organisationName: string
  signInPolicy: StoredPolicy
}): PasskeyHolder {
  return { ...holder, hasPassword: passwordHash !== null, isOwner: ownerId === id, policy: signInPolicyOf(signInPolicy) }
}

/** The accounts of a user at identity providers that sign them in by their connections. */
export async function listUsableIdentities(tenant: Tenant, userId: string): Promise<{ id: string; connectionId: string }[]> {
  return tenant
    .selectFrom('identities')
    .innerJoin('connections', (join) =>
      join.onRef('connections.organisationId', '=', 'identities.organisationId').onRef('connections.id', '=', 'identities.connectionId'),
    )
    .select(['identities.id', 'identities.connectionId'])
    .where('identities.userId', '=', userId)
    .where(connectionSignsIn())
    .execute()
}

const handleBytes = 64

/** The handle by which authenticators identify a user. It is random and created once: it must not reveal the user (WebAuthn L3 §14.6.1). */
export async function handleOf(tenant: Tenant, userId: string): Promise<string> {
  await tenant
    .insertInto('passkeyUsers')
    .values({ userId, handle: randomBytes(handleBytes).toString('base64url'), createdAt: tenant.now })
    .onConflict((conflict) => conflict.columns(['organisationId', 'userId']).doNothing())
    .execute()
  const { handle } = await handles(tenant, userId).executeTakeFirstOrThrow()
  return handle
}

/** The handle of a user who has one already. */
export async function findHandle(tenant: Tenant, userId: string): Promise<string | undefined> {
  return (await handles(tenant, userId).executeTakeFirst())?.handle
}

const handles = (tenant: Tenant, userId: string) => tenant.selectFrom('passkeyUsers').select('handle').where('userId', '=', userId)

/** @throws Problem `conflict` when the credential is registered already, for any user */
export async function insertPasskey(tenant: Tenant, passkey: Omit<Passkey, 'createdAt' | 'lastUsedAt'>): Promise<Passkey> {
  return tenant
    .insertInto('passkeys')
    .values({ ...passkey, createdAt: tenant.now })
    .returning(columns)
    .executeTakeFirstOrThrow()
    .catch(refuseViolation({ passkeys_credential_id_key: passkeyAlreadyRegistered }))
}

/**
 * Stores the use of a passkey. Its counter must have grown, unless the authenticator counts nothing at all (WebAuthn L3 §6.1.1).
 *
 * @returns false when it has not: there is a copy of the passkey, or another use came first
 */
export async function updateUse(tenant: Tenant, id: string, { counter, isSynced }: Assertion): Promise<boolean> {
  const { rows } = await sql`
    update passkeys set counter = ${counter}, is_synced = ${isSynced}, last_used_at = ${tenant.now}
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))
    returning id`.execute(tenant)
  return rows.length > 0
}

export async function renameStored(tenant: Tenant, id: string, name: string): Promise<void> {
  await tenant.updateTable('passkeys').set({ name }).where('id', '=', id).execute()
}

/** @returns the passkeys that this call deleted */
export async function deleteAllStored(tenant: Tenant, userId: string, since: Date | undefined): Promise<Passkey[]> {
  return tenant
    .deleteFrom('passkeys')
    .where('userId', '=', userId)
    .$if(since !== undefined, (passkeys) => passkeys.where('createdAt', '>', since as Date))
    .returning(columns)
    .execute()
}

/** @returns the passkey that this call deleted */
export async function deleteStored(tenant: Tenant, userId: string, id: string): Promise<Passkey | undefined> {
  return tenant.deleteFrom('passkeys').where('id', '=', id).where('userId', '=', userId).returning(columns).executeTakeFirst()
}
