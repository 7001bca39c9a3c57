import { z } from 'zod'
import { limit, pathId, recordId, timestamp } from '../platform/http/fields.ts'
import { cursorField, recordPageOf } from '../platform/http/lists.ts'
import { DeliveryDetails, DeliveryFilters, DeliveryRecord } from '../webhooks/endpoints/schemas.ts'

export const LogoutDeliveryParameters = z.object({
  id: pathId().meta({ description: 'Identifier of the client', example: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x' }),
  deliveryId: pathId().meta({ description: 'Id of a delivery to the client', example: 'lgd_01kahm3z9n4v7f2t8q6w5r1y0x' }),
})

export const LogoutFilters = DeliveryFilters.omit({ event: true })
export type LogoutFilters = z.infer<typeof LogoutFilters>

export const LogoutDeliveryQuery = LogoutFilters.extend({
  limit: limit(1_000).default(50).meta({ description: 'Maximum number of records', example: 50 }),
  cursor: cursorField(),
})

const { status, attemptCount, lastStatusCode, lastError, createdAt, deliveredAt } = DeliveryRecord.shape

export const LogoutDelivery = z
  .object({
    id: recordId('lgd', 'Identifier, which is the `jti` of its logout tokens'),
    clientId: recordId('cli', 'The client that it goes to'),
    userId: z
      .string()
      .nullable()
      .meta({ description: 'Whose session has ended; null for a test', example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    sessionId: z.string().meta({ description: 'The session that has ended: `sid`', example: 'ses_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    isTest: z.boolean().meta({ description: 'Whether it is a test, which names a session that never was' }),
    status,
    attemptCount,
    nextAttemptAt: timestamp().nullable().meta({ description: 'When the next attempt is due; null after the last one' }),
    lastStatusCode,
    lastError,
    createdAt,
    deliveredAt,
  })
  .meta({ component: 'LogoutDelivery' })
export type LogoutDelivery = z.infer<typeof LogoutDelivery>

export const LogoutDeliveryPage = recordPageOf(LogoutDelivery)

export const LogoutDeliveryDetails = LogoutDelivery.extend({
  claims: z.record(z.string(), z.unknown()).meta({
    description: 'The claims of every token of it. Each attempt adds `iat` and `exp`, and signs anew',
    example: { iss: 'https://id.example.com', jti: 'lgd_01kahm3z9n4v7f2t8q6w5r1y0x' },
  }),
  attempts: DeliveryDetails.shape.attempts,
}).meta({ component: 'LogoutDeliveryDetails' })
export type LogoutDeliveryDetails = z.infer<typeof LogoutDeliveryDetails>

export const QueuedLogout = z.object({
  message: z.string().meta({ description: 'What was done', example: 'Done' }),
  deliveryId: z.string().meta({ description: 'Id of the new delivery', example: 'lgd_01kahm3z9n4v7f2t8q6w5r1y0x' }),
})
