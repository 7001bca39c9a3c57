import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { compareMethods, type MfaMethod } from '../access/factors.ts'
import { signInSetting } from '../access/sign-in-setting.ts'
import { signsInByPasskey } from '../accounts/signs-in-by-passkey.ts'
import { forgetWrongCodes } from '../accounts/wrong-codes.ts'
import type { Keyring } from '../platform/crypto/keyring.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { MfaCredentialsTable } from '../platform/database/tables.ts'
import { newId } from '../platform/ids.ts'

export type MfaCredential = Omit<Selectable<MfaCredentialsTable>, 'organisationId' | 'sessionId'>

const columns = ['id', 'userId', 'method', 'secretEncrypted', 'phone', 'lastUsedStep', 'createdAt', 'verifiedAt'] as const

export async function listCredentials(tenant: Tenant, userId: string): Promise<MfaCredential[]> {
  const credentials = await tenant
    .selectFrom('mfaCredentials')
    .select(columns)
    .where('userId', '=', userId)
    .where('verifiedAt', 'is not', null)
    .execute()
  return credentials.sort((left, right) => compareMethods(left.method, right.method))
}

/** Gives users without a second factor the authenticator app that they already use elsewhere, with one statement. */
export async function insertTotpSecrets(
  tenant: Tenant,
  factors: readonly { userId: string; secret: string }[],
  keyring: Keyring,
): Promise<void> {
  if (factors.length === 0) return
  const rows = factors.map(({ userId, secret }) => {
    const id = newId('mfa', tenant.now)
    const times = { createdAt: tenant.now, verifiedAt: tenant.now }
    return { id, userId, method: 'totp' as const, secretEncrypted: keyring.encrypt(secret, id), ...times }
  })
  await tenant.insertInto('mfaCredentials').values(rows).execute()
}

export interface EnrollingSession {
  id: string
  userId: string
}

/** The second factor that a user is enrolling in this session. */
export async function findPendingCredential(tenant: Tenant, session: EnrollingSession): Promise<MfaCredential | undefined> {
  return tenant
    .selectFrom('mfaCredentials')
    .select(columns)
    .where('userId', '=', session.userId)
    .where('sessionId', '=', session.id)
    .where('verifiedAt', 'is', null)
    .executeTakeFirst()
}

/** Starts an enrolment. It replaces the one that the same session started before. */
export async function replacePendingCredential(
  tenant: Tenant,
  { id: sessionId, userId }: EnrollingSession,
  credential: Pick<MfaCredential, 'id' | 'method' | 'secretEncrypted' | 'phone'>,
): Promise<void> {
  await tenant
    .deleteFrom('mfaCredentials')
    .where('userId', '=', userId)
    .where('sessionId', '=', sessionId)
    .where('verifiedAt', 'is', null)
    .execute()
  await tenant
    .insertInto('mfaCredentials')
    .values({ ...credential, userId, sessionId, createdAt: tenant.now })
    .execute()
}

/** Deletes the user's pending enrolments in every session. */
export async function deletePendingCredentials(tenant: Tenant, userId: string): Promise<void> {
  await tenant.deleteFrom('mfaCredentials').where('userId', '=', userId).where('verifiedAt', 'is', null).execute()
}

/** Deletes a user's second factor of a kind, which another replaces. @returns whether one existed */
export async function deleteVerifiedCredential(tenant: Tenant, userId: string, method: MfaMethod): Promise<boolean> {
  const { numDeletedRows } = await tenant
    .deleteFrom('mfaCredentials')
    .where('userId', '=', userId)
    .where('method', '=', method)
    .where('verifiedAt', 'is not', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Makes a pending credential a second factor of its user. @returns whether this call did */
export async function claimPendingCredential(tenant: Tenant, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tenant
    .updateTable('mfaCredentials')
    .set({ verifiedAt: tenant.now, sessionId: null })
    .where('id', '=', id)
    .where('verifiedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Uses up a TOTP step and all before it. @returns whether this call did */
export async function claimStep(tenant: Tenant, credentialId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tenant
    .updateTable('mfaCredentials')
    .set({ lastUsedStep: step })
    .where('id', '=', credentialId)
    .where((credential) => credential.or([credential('lastUsedStep', 'is', null), credential('lastUsedStep', '<', step)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Uses up a backup code. @returns whether this call did */
export async function claimBackupCode(tenant: Tenant, userId: string, codeHash: string): Promise<boolean> {
  const { numDeletedRows } = await tenant
    .deleteFrom('mfaBackupCodes')
    .where('userId', '=', userId)
    .where('codeHash', '=', codeHash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function replaceBackupCodes(tenant: Tenant, userId: string, codeHashes: readonly string[]): Promise<void> {
  await tenant.deleteFrom('mfaBackupCodes').where('userId', '=', userId).execute()
  await tenant
    .insertInto('mfaBackupCodes')
    .values(codeHashes.map((codeHash) => ({ userId, codeHash, createdAt: tenant.now })))
    .execute()
}

export async function countBackupCodes(tenant: Tenant, userId: string): Promise<number> {
  const { count } = await tenant
    .selectFrom('mfaBackupCodes')
    .select(sql<number>`count(*)`.as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

/** Deletes all second factors of a user, including pending ones, and the backup codes, and resets the count of wrong codes. */
export async function deleteCredentials(tenant: Tenant, userId: string): Promise<void> {
  await forgetWrongCodes(tenant, userId)
  await tenant.deleteFrom('mfaCredentials').where('userId', '=', userId).execute()
  await tenant.deleteFrom('mfaBackupCodes').where('userId', '=', userId).execute()
}

/**
 * The data for an enrolment, with the user's row locked: enrolling and disabling happen one at a time. What the organisation allows
 * stays as it is until the end of the transaction.
 *
 * @param rpId the relying party whose passkeys count if the organisation requires one
 */
export async function lockEnrollee(tenant: Tenant, userId: string, rpId?: string) {
  return tenant
    .selectFrom('users')
    .innerJoin('organisations', 'organisations.id', 'users.organisationId')
    .select(['users.id', 'users.email', 'users.mfaEnabled', 'users.wrongCodes', 'users.codesRefusedUntil'])
    .select(['organisations.name as organisationName', 'organisations.allowedMfaMethods'])
    .select(
      sql<boolean>`${sql.raw(signInSetting('organisations', 'passkeys'))} = 'required' and not ${signsInByPasskey('users', rpId)}`.as(
        'lacksPasskey',
      ),
    )
    .where('users.id', '=', userId)
    .where('users.deletedAt', 'is', null)
    .forNoKeyUpdate('users')
    .forShare('organisations')
    .executeTakeFirst()
}

/** Stores a code that is about to be sent. The previous code stops working. */
export async function replaceSentCode(tenant: Tenant, credentialId: string, codeHash: string, expiresAt: Date): Promise<void> {
  await tenant
    .insertInto('mfaSentCodes')
    .values({ credentialId, codeHash, expiresAt, createdAt: tenant.now })
    .onConflict((conflict) =>
      conflict.columns(['organisationId', 'credentialId']).doUpdateSet({ codeHash, expiresAt, createdAt: tenant.now }),
    )
    .execute()
}

/** Uses up the code that was sent last. @returns whether this call did */
export async function claimSentCode(tenant: Tenant, credentialId: string, codeHash: string): Promise<boolean> {
  const { rows } = await sql`
    delete from mfa_sent_codes
    where credential_id = ${credentialId} and code_hash = ${codeHash} and expires_at > ${tenant.now}
    returning credential_id`.execute(tenant)
  return rows.length > 0
}

/** Whether the code is the one that was sent last, and still valid. */
export async function isSentCode(tenant: Tenant, credentialId: string, codeHash: string): Promise<boolean> {
  const code = await tenant
    .selectFrom('mfaSentCodes')
    .select('credentialId')
    .where('credentialId', '=', credentialId)
    .where('codeHash', '=', codeHash)
    .where('expiresAt', '>', tenant.now)
    .executeTakeFirst()
  return code !== undefined
}
