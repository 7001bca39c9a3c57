import { type Selectable, sql } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'
import type { LogoutDeliveriesTable } from '../platform/database/tables.ts'
import { presentTime } from '../platform/http/fields.ts'
import { idsFrom, newId } from '../platform/ids.ts'
import { type AttemptTables, attemptsOf, lastErrorOf, type StoredAttempt } from '../webhooks/delivery/attempts.ts'
import type { LogoutDelivery, LogoutFilters } from './schemas.ts'

type Stored = Selectable<LogoutDeliveriesTable>
type Listed = Omit<Stored, 'organisationId' | 'claimedUntil'> & { lastError: string | null }

const tables: AttemptTables = { deliveries: 'logout_deliveries', attempts: 'logout_attempts' }

const shown = [
  'id',
  'clientId',
  'userId',
  'sessionId',
  'isTest',
  'status',
  'attemptCount',
  'nextAttemptAt',
  'lastStatusCode',
  'createdAt',
  'deliveredAt',
] as const

export function presentLogout(delivery: Listed): LogoutDelivery {
  const { id, clientId, userId, sessionId, isTest, status, attemptCount, lastStatusCode, lastError } = delivery
  return {
    ...{ id, clientId, userId, sessionId, isTest, status, attemptCount, lastStatusCode, lastError },
    nextAttemptAt: presentTime(delivery.nextAttemptAt),
    createdAt: presentTime(delivery.createdAt),
    deliveredAt: presentTime(delivery.deliveredAt),
  }
}

/** Returns at most `limit` deliveries to a client that match the filters, newest first, older than the delivery `before`. */
export async function listLogouts(
  tenant: Tenant,
  clientId: string,
  { status, from, to }: LogoutFilters,
  limit: number,
  before: string | undefined,
): Promise<Listed[]> {
  let query = tenant.selectFrom('logoutDeliveries').select(shown).select(lastErrorOf(tables)).where('clientId', '=', clientId)
  // In the text of the statement: a plan for any status could not use the index of those that failed.
  if (status === 'failing') query = query.where('status', '=', sql.lit('pending')).where('attemptCount', '>', sql.lit(0))
  else if (status) query = query.where('status', '=', sql.lit(status))
  if (from) query = query.where('id', '>=', idsFrom('lgd', from))
  if (to) query = query.where('id', '<', idsFrom('lgd', to))
  if (before) query = query.where('id', '<', before)
  return query.orderBy('id', 'desc').limit(limit).execute()
}

/** A delivery with its attempts, read in one statement: an attempt that is recorded meanwhile is in all of the result or in none of it. */
export async function findLogout(
  tenant: Tenant,
  clientId: string,
  id: string,
): Promise<(Listed & { attempts: StoredAttempt[] }) | undefined> {
  return tenant
    .selectFrom('logoutDeliveries')
    .select(shown)
    .select([lastErrorOf(tables), attemptsOf(tables)])
    .where('clientId', '=', clientId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** @returns the id of the new delivery, which is due at once */
export async function insertLogout(tenant: Tenant, logout: Pick<Stored, 'clientId' | 'userId' | 'sessionId' | 'isTest'>): Promise<string> {
  const id = newId('lgd', tenant.now)
  await tenant
    .insertInto('logoutDeliveries')
    .values({ ...logout, id, nextAttemptAt: tenant.now, createdAt: tenant.now })
    .execute()
  return id
}
