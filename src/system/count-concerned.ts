import { sql } from 'kysely'
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

/** Counts what a user loses when all second factors are removed. */
export async function countFactors(tenant: Tenant, userId: string): Promise<{ factors: number; backupCodes: number; sessions: number }> {
  const [factors, backupCodes, sessions] = await Promise.all([
    tenant
      .selectFrom('mfaCredentials')
      .select(total)
      .where('userId', '=', userId)
      .where('verifiedAt', 'is not', null)
      .executeTakeFirstOrThrow(),
    tenant.selectFrom('mfaBackupCodes').select(total).where('userId', '=', userId).executeTakeFirstOrThrow(),
    liveSessions(tenant).where('userId', '=', userId).executeTakeFirstOrThrow(),
  ])
  return { factors: factors.count, backupCodes: backupCodes.count, sessions: sessions.count }
}

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

const liveSessions = (tenant: Tenant) =>
  tenant
    .selectFrom('sessions')
    .select(total)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', tenant.now)
    .where(sql<boolean>`last_activity_at + make_interval(secs => idle_timeout) > ${tenant.now}`)
