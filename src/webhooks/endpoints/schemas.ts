import { z } from 'zod'
import { type EventName, events } from '../../activity/events.ts'
import { dateTime, id, pathId, plainText, text, timestamp } from '../../platform/http/fields.ts'
import { decideUrl } from './rules.ts'

const eventNames = Object.keys(events) as [EventName, ...EventName[]]
const gracePeriodMaxSeconds = 604_800

const receiverUrl = () =>
  plainText()
    .max(2_048)
    .superRefine((value, context) => {
      const mistake = decideUrl(value)
      if (mistake) context.addIssue({ code: 'invalid_format', format: 'url', message: mistake })
    })
    .meta({ example: 'https://example.com/hooks', description: 'HTTPS only; redirects are not followed' })

const subscription = () =>
  z
    .array(z.enum(['*', ...eventNames]))
    .min(1)
    .max(1_000)
    .transform((names) => [...new Set(names)])
    .meta({ example: ['user.created', 'user.deleted'], description: 'Names from GET /v1/admin/events, or * for all' })

const variant = () => z.enum(['A', 'B']).meta({ description: 'Decides envelope, headers, user agent, timeout and retries', example: 'B' })

export const NewWebhook = z.object({
  url: receiverUrl(),
  events: subscription(),
  clientId: id().nullable().optional().meta({ description: 'Only events of this OAuth client' }),
  variant: variant().optional(),
})
export type NewWebhook = z.infer<typeof NewWebhook>

export const WebhookChanges = z.object({
  url: receiverUrl().optional(),
  events: subscription().optional(),
  isActive: z.boolean().optional().meta({ description: 'true also sets failureCount to 0' }),
  variant: variant().optional(),
})
export type WebhookChanges = z.infer<typeof WebhookChanges>

export const SecretRotation = z.object({
  gracePeriodSeconds: z
    .number()
    .int()
    .min(0)
    .max(gracePeriodMaxSeconds)
    .default(0)
    .meta({ description: 'How long the former secret signs too, in a second header' }),
})

export const WebhookRecord = z.object({
  id: z.string().meta({ example: 'wh_01kahm3z9n4v7f2t8q6w5r1y0x' }),
  organisationId: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  clientId: z.string().nullable(),
  variant: z.enum(['A', 'B']),
  isActive: z.boolean(),
  failureCount: z.number().int().meta({ description: 'Deliveries in a row that failed for good; at 10 the endpoint turns inactive' }),
  lastTriggeredAt: timestamp().nullable().meta({ description: 'When the last attempt was made' }),
  lastFailureAt: timestamp().nullable().meta({ description: 'When the last attempt that failed was made' }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type WebhookRecord = z.infer<typeof WebhookRecord>

const secret = z.string().meta({ description: 'Signs every request; shown only now', example: 'whsec_…' })

export const WebhookWithSecret = WebhookRecord.extend({ secret })

/** Flat, unless the request named variant A. */
export const CreatedWebhook = z.union([WebhookWithSecret, z.object({ webhook: WebhookRecord, secret })])

export const TestCall = z.object({
  webhookId: id(),
  event: z
    .enum(['webhook.test', ...eventNames])
    .default('webhook.test')
    .meta({ description: 'Carries the example data of the catalogue' }),
})

export const DeliveryParameters = z.object({ id: pathId(), deliveryId: pathId() })

const deliveryStatus = z.enum(['pending', 'delivered', 'failed'])

export const DeliveryFilters = z.object({
  status: z
    .enum([...deliveryStatus.options, 'failing'])
    .optional()
    .meta({ description: '`failing` is `pending` after at least one attempt that failed' }),
  event: text().optional().meta({ example: 'user.created' }),
})
export type DeliveryFilters = z.infer<typeof DeliveryFilters>

export const DeliveryQuery = DeliveryFilters.extend({
  limit: z.coerce.number().int().min(1).max(1_000).default(50),
  cursor: plainText().max(1_000).optional(),
})

export const DeliveryRecord = z.object({
  id: z.string().meta({ example: 'dlv_01kahm3z9n4v7f2t8q6w5r1y0x' }),
  eventId: z.string(),
  event: z.string(),
  status: deliveryStatus.meta({ description: 'Whether it waits for an attempt, has arrived, or was given up' }),
  attemptCount: z.number().int(),
  nextAttemptAt: timestamp().nullable().meta({ description: 'Null when it is done, and while the endpoint is inactive' }),
  lastStatusCode: z.number().int().nullable(),
  lastError: z.string().nullable().meta({ description: 'Why the last attempt failed; null when it did not', example: 'Answered 503' }),
  createdAt: timestamp(),
  deliveredAt: timestamp().nullable(),
})
export type DeliveryRecord = z.infer<typeof DeliveryRecord>

export const DeliveryPage = z.object({ data: z.array(DeliveryRecord), nextCursor: z.string().nullable() })

export const DeliveryDetails = DeliveryRecord.extend({
  request: z.object({
    headers: z.record(z.string(), z.string()).meta({ description: 'As an attempt made now would carry them' }),
    body: z.string().meta({ description: 'The bytes that every attempt sends' }),
  }),
  attempts: z.array(
    z.object({
      at: timestamp(),
      status: z.number().int().nullable().meta({ description: 'HTTP status of the response; null when there was none', example: 503 }),
      durationMs: z.number().int(),
      error: z.string().nullable().meta({ description: 'Why the attempt failed; null when it did not', example: 'Answered 503' }),
      response: z.string().nullable().meta({ description: 'The first 2 KiB' }),
    }),
  ),
})
export type DeliveryDetails = z.infer<typeof DeliveryDetails>

export const ReplayedDelivery = z.object({ message: z.string(), deliveryId: z.string() })

export const ReplayRange = z.object({
  from: dateTime().meta({ description: 'Deliveries made at or after this time' }),
  to: dateTime().optional().meta({ description: 'and before this time; now when left out' }),
  status: z.enum(['failed', 'delivered']).default('failed').meta({ description: 'Which deliveries are made once more' }),
  cursor: plainText().max(1_000).optional().meta({ description: 'The `nextCursor` of the answer before' }),
})
export type ReplayRange = z.infer<typeof ReplayRange>

export const ReplayedRange = z.object({
  message: z.string(),
  replayed: z.number().int().meta({ description: 'How many deliveries were made, at most 10,000' }),
  nextCursor: z.string().nullable().meta({ description: 'Send it with the same range to replay the rest' }),
})

export const EventRecord = z.object({
  name: z.string().meta({ description: 'Name of the event, as endpoints subscribe to it', example: 'user.created' }),
  variants: z.array(z.enum(['A', 'B'])),
  description: z.string().meta({ description: 'When it is sent', example: 'A user was created' }),
  data: z.record(z.string(), z.unknown()).meta({ description: 'An example' }),
})
