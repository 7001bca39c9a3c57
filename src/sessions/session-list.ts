import { type SelectQueryBuilder, sql } from 'kysely'
import { z } from 'zod'
import { isSessionActiveAt } from '../access/session-expiry.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Tables } from '../platform/database/tables.ts'
import { Device, deviceOf } from '../platform/http/devices.ts'
import { presentTime, recordId, timestamp } from '../platform/http/fields.ts'
import type { ListSource } from '../platform/http/lists.ts'

export const SessionRecord = z
  .object({
    id: recordId('ses'),
    ipAddress: z.string().meta({ description: 'IP address at sign-in', example: '203.0.113.7' }),
    userAgent: z.string().meta({ description: 'User agent at sign-in, as it names itself', example: 'Mozilla/5.0' }),
    lastActivityAt: timestamp('When it was last used, to the minute'),
    expiresAt: timestamp('When it ends'),
    createdAt: timestamp('When the user signed in'),
    current: z.boolean().meta({ description: 'Whether it is the session of this request' }),
    device: Device,
  })
  .meta({ component: 'Session' })
export type SessionRecord = z.infer<typeof SessionRecord>

export const UserSessionRecord = SessionRecord.extend({
  signInId: z.string().nullable().meta({
    description: 'The sign-in that it began with, for GET /v1/admin/sign-ins/{id}; null if it is from an earlier release',
    example: 'sgn_01kahm3z9n4v7f2t8q6w5r1y0x',
  }),
}).meta({ component: 'UserSession' })

export interface Session {
  id: string
  ipAddress: string
  userAgent: string
  lastActivityAt: Date
  expiresAt: Date
  createdAt: Date
}

export interface ListedSession extends Session {
  signInId: string | null
}

const columns = ['id', 'ipAddress', 'userAgent', 'lastActivityAt', 'expiresAt', 'createdAt', 'signInId'] as const

/** The active sessions of a user, most recently used first. */
export function activeSessions(tenant: Tenant, userId: string): ListSource<ListedSession> {
  return {
    page: async (limit, after) => {
      const position = after === undefined ? undefined : positionOf(after)
      return active(tenant, userId)
        .$if(position !== undefined, (query) => query.where(sql<boolean>`(last_activity_at, id) < (${position?.at}, ${position?.id})`))
        .select(columns)
        .orderBy('lastActivityAt', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
    },
    count: async () => {
      const { count } = await active(tenant, userId).select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
      return count
    },
    key: ({ lastActivityAt, id }) => `${lastActivityAt.toISOString()} ${id}`,
  }
}

function active(tenant: Tenant, userId: string): SelectQueryBuilder<Tables, 'sessions', object> {
  return tenant.selectFrom('sessions').where('userId', '=', userId).where(isSessionActiveAt('sessions', tenant.now))
}

function positionOf(key: string): { at: Date; id: string } {
  const [time = '', id = ''] = key.split(' ')
  return { at: new Date(time), id }
}

export function presentSession(session: Session, currentId: string | undefined): SessionRecord {
  return {
    id: session.id,
    ipAddress: session.ipAddress,
    userAgent: session.userAgent,
    lastActivityAt: presentTime(session.lastActivityAt),
    expiresAt: presentTime(session.expiresAt),
    createdAt: presentTime(session.createdAt),
    current: session.id === currentId,
    device: deviceOf(session.userAgent),
  }
}
