import { sql } from 'kysely'
import { isSessionActiveAt } from '../access/session-expiry.ts'
import type { Database, Tenant } from '../platform/database/database.ts'

const total = sql<number>`count(*)`.as('count')

/** Counts the users, sessions and clients that are affected when an organisation is suspended or cancelled. */
export async function countInOrganisation(tenant: Tenant): Promise<{ users: number; sessions: number; clients: number }> {
  const [users, sessions, clients] = await Promise.all([
    tenant.selectFrom('users').select(total).where('deletedAt', 'is', null).executeTakeFirstOrThrow(),
    liveSessions(tenant).executeTakeFirstOrThrow(),
    tenant.selectFrom('clients').select(total).where('deletedAt', 'is', null).executeTakeFirstOrThrow(),
  ])
  return { users: users.count, sessions: sessions.count, clients: clients.count }
}

/** Counts what a recovery takes away from a user: everything by which anyone could act as them. */
export async function countAccess(tenant: Tenant, userId: string): Promise<Access> {
  const ofUser = (table: 'passkeys' | 'mfaBackupCodes' | 'identities') =>
    tenant.selectFrom(table).select(total).where('userId', '=', userId).executeTakeFirstOrThrow()
  const [passwords, factors, backupCodes, passkeys, identities, apiKeys, setupLinks, sessions] = await Promise.all([
    tenant.selectFrom('users').select(total).where('id', '=', userId).where('passwordHash', 'is not', null).executeTakeFirstOrThrow(),
    tenant
      .selectFrom('mfaCredentials')
      .select(total)
      .where('userId', '=', userId)
      .where('verifiedAt', 'is not', null)
      .executeTakeFirstOrThrow(),
    ofUser('mfaBackupCodes'),
    ofUser('passkeys'),
    ofUser('identities'),
    tenant.selectFrom('apiKeys').select(total).where('createdById', '=', userId).where('deletedAt', 'is', null).executeTakeFirstOrThrow(),
    tenant
      .selectFrom('setupLinks')
      .select(total)
      .where('createdById', '=', userId)
      .where('finishedAt', 'is', null)
      .where('endedAt', 'is', null)
      .executeTakeFirstOrThrow(),
    liveSessions(tenant).where('userId', '=', userId).executeTakeFirstOrThrow(),
  ])
  return {
    passwords: passwords.count,
    factors: factors.count,
    backupCodes: backupCodes.count,
    passkeys: passkeys.count,
    identities: identities.count,
    apiKeys: apiKeys.count,
    setupLinks: setupLinks.count,
    sessions: sessions.count,
  }
}
export type Access = Record<
  'passwords' | 'factors' | 'backupCodes' | 'passkeys' | 'identities' | 'apiKeys' | 'setupLinks' | 'sessions',
  number
>

/** Counts what withdrawn keys have signed, in all organisations: valid tokens have no rows, so it counts their families. */
export async function countSigned(database: Database): Promise<{ keys: number; families: number }> {
  const system = database.system()
  const [keys, families] = await Promise.all([
    system
      .selectFrom('signingKeys')
      .select(total)
      .where((key) => key.or([key('retiresAt', 'is', null), key('retiresAt', '>', system.now)]))
      .executeTakeFirstOrThrow(),
    system
      .selectFrom('tokenFamilies')
      .select(total)
      .where('revokedAt', 'is', null)
      .where('keptUntil', '>', system.now)
      .executeTakeFirstOrThrow(),
  ])
  return { keys: keys.count, families: families.count }
}

const liveSessions = (tenant: Tenant) => tenant.selectFrom('sessions').select(total).where(isSessionActiveAt('sessions', tenant.now))
