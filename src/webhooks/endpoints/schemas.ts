import { z } from 'zod'
import { type EventName, events } from '../../activity/events.ts'
import { dateTime, id, isSecret, issueOf, limit, pathId, plainText, recordId, text, timestamp } from '../../platform/http/fields.ts'
import { cursorField, nextCursorField, recordPageOf } from '../../platform/http/lists.ts'
import type { FieldError } from '../../platform/http/problem.ts'
import { invalidUrl, urlNotHttps } from '../../platform/http/refusals.ts'
import { urlWithCredentials } from '../refusals.ts'
import { findUrlMistake, type ReceiverMistake } from './rules.ts'

const eventNames = Object.keys(events) as [EventName, ...EventName[]]
const gracePeriodMaxSeconds = 604_800

const receiverMistakes: Record<ReceiverMistake, FieldError> = {
  'invalid-url': invalidUrl([]),
  'url-not-https': urlNotHttps([]),
  'url-with-credentials': urlWithCredentials([]),
}

const receiverUrl = () =>
  plainText()
    .max(2_048)
    .superRefine((value, context) => {
      const mistake = findUrlMistake(value)
      if (mistake) context.addIssue({ ...issueOf(receiverMistakes[mistake]), code: 'invalid_format', format: 'url', input: value })
    })
    .meta({ description: 'HTTPS only; redirects are not followed', example: 'https://example.com/hooks' })

const subscription = () =>
  z
    .array(z.enum(['*', ...eventNames]))
    .min(1)
    .max(1_000)
    .transform((names) => [...new Set(names)])
    .meta({ description: 'Names from GET /v1/admin/events, or * for all', example: ['user.created', 'user.deleted'] })

const variant = () =>
  z.enum(['A', 'B']).meta({ description: 'Determines envelope, headers, user agent, timeout and retries', example: 'B' })

const standardSignature = () =>
  z.boolean().meta({
    description:
      'Whether requests also have the headers of Standard Webhooks, which its libraries verify: `webhook-id`, `webhook-timestamp`, `webhook-signature`',
    example: true,
  })

export const NewWebhook = z
  .object({
    url: receiverUrl(),
    events: subscription(),
    clientId: id().nullable().optional().meta({ description: 'Deliver only events of this OAuth client' }),
    variant: variant().optional(),
    standardSignature: standardSignature().default(false),
  })
  .meta({ component: 'NewWebhook' })
export type NewWebhook = z.infer<typeof NewWebhook>

export const WebhookChanges = z
  .object({
    url: receiverUrl().optional(),
    events: subscription().optional(),
    isActive: z.boolean().optional().meta({ description: 'true also sets failureCount to 0' }),
    variant: variant().optional(),
    standardSignature: standardSignature().optional(),
  })
  .meta({ component: 'WebhookChanges' })
export type WebhookChanges = z.infer<typeof WebhookChanges>

export const SecretRotation = z.object({
  gracePeriodSeconds: z
    .number()
    .int()
    .min(0)
    .max(gracePeriodMaxSeconds)
    .default(0)
    .meta({ description: 'How long the previous secret also signs, in a second header', example: 3600 }),
})

/** The response to a change of a webhook. */
export const ChangedWebhook = z
  .object({
    id: recordId('wh'),
    organisationId: z.string().meta({ description: 'The organisation that it belongs to', example: 'org_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    url: z.string().meta({ description: 'Where events are sent, by https', example: 'https://hooks.acme.test/gatehouse' }),
    events: z.array(z.string()).meta({ description: 'Names of the events; `*` means all', example: ['user.created'] }),
    clientId: z
      .string()
      .nullable()
      .meta({ description: 'Id of an OAuth client of the organisation', example: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    variant: z.enum(['A', 'B']).meta({ description: 'Which of the two documented payload formats the endpoint receives' }),
    standardSignature: standardSignature(),
    isActive: z.boolean().meta({ description: 'Whether events are delivered to it' }),
    failureCount: z
      .number()
      .int()
      .meta({ description: 'Deliveries in a row that failed for good; at 10 the endpoint is deactivated', example: 0 }),
    lastTriggeredAt: timestamp().nullable().meta({ description: 'When the last attempt was made' }),
    lastFailureAt: timestamp().nullable().meta({ description: 'When the last failed attempt was made' }),
    createdAt: timestamp('When it was created'),
    updatedAt: timestamp('When it was last changed'),
  })
  .meta({ component: 'ChangedWebhook' })
export type ChangedWebhook = z.infer<typeof ChangedWebhook>

export const WebhookRecord = ChangedWebhook.extend({
  failing: z.boolean().meta({ description: 'Whether it is active and its last attempt failed' }),
  lastError: z.string().nullable().meta({
    description: 'Why the last failed attempt failed; null if none has',
    example: 'Response status 503',
  }),
  last24Hours: z
    .object({
      delivered: z.number().int().meta({ description: 'Deliveries that succeeded', example: 1_240 }),
      failed: z.number().int().meta({ description: 'Deliveries that failed for good', example: 3 }),
    })
    .meta({ description: 'Its deliveries in this hour and the previous 23' }),
}).meta({ component: 'Webhook' })
export type WebhookRecord = z.infer<typeof WebhookRecord>

const secret = z.string().meta({ ...isSecret, description: 'Signs every request; shown only in this response', example: 'whsec_…' })

export const WebhookWithSecret = ChangedWebhook.extend({ secret }).meta({ component: 'WebhookWithSecret' })

/** Flat, unless the request named variant A. */
export const CreatedWebhook = z.union([
  WebhookWithSecret,
  z.object({ webhook: ChangedWebhook.meta({ description: 'The webhook' }), secret }),
])

export const TestCall = z.object({
  webhookId: id().meta({ description: 'Id of a webhook of the organisation', example: 'wh_01kahm3z9n4v7f2t8q6w5r1y0x' }),
  event: z
    .enum(['webhook.test', ...eventNames])
    .default('webhook.test')
    .meta({ description: 'The request carries the example data of the catalogue' }),
})

export const DeliveryParameters = z.object({
  id: pathId().meta({ description: 'Identifier of the webhook', example: 'wh_01kahm3z9n4v7f2t8q6w5r1y0x' }),
  deliveryId: pathId().meta({ description: 'Id of a delivery to the webhook', example: 'dlv_01kahm3z9n4v7f2t8q6w5r1y0x' }),
})

const deliveryStatus = z.enum(['pending', 'delivered', 'failed'])

export const DeliveryFilters = z.object({
  status: z
    .enum([...deliveryStatus.options, 'failing'])
    .optional()
    .meta({ description: '`failing` is `pending` after at least one attempt that failed' }),
  event: text().optional().meta({ description: 'Name of the event', example: 'user.created' }),
  from: dateTime().optional().meta({ description: 'Deliveries created at or after this time', example: '2026-01-01T00:00:00.000Z' }),
  to: dateTime().optional().meta({ description: 'Deliveries created before this time', example: '2026-02-01T00:00:00.000Z' }),
})
export type DeliveryFilters = z.infer<typeof DeliveryFilters>

export const DeliveryQuery = DeliveryFilters.extend({
  limit: limit(1_000).default(50).meta({ description: 'Maximum number of records', example: 50 }),
  cursor: cursorField(),
})

export const AllDeliveriesQuery = DeliveryQuery.extend({
  webhookId: text().optional().meta({ description: 'Only deliveries to this webhook', example: 'wh_01kahm3z9n4v7f2t8q6w5r1y0x' }),
})

export const DeliveryRecord = z
  .object({
    id: recordId('dlv'),
    webhookId: recordId('wh', 'The webhook that it goes to'),
    eventId: z.string().meta({
      description: 'Id of the event, the same for every endpoint',
      example: 'evt_01kahm3z9n4v7f2t8q6w5r1y0x',
    }),
    event: z.string().meta({ description: 'Name of the event', example: 'user.created' }),
    status: deliveryStatus.meta({ description: '`pending` while attempts follow, then `delivered` or `failed`' }),
    attemptCount: z.number().int().meta({ description: 'How many attempts were made', example: 1 }),
    nextAttemptAt: timestamp()
      .nullable()
      .meta({ description: 'When the next attempt is due; null after the last one, and while the endpoint is inactive' }),
    lastStatusCode: z.number().int().nullable().meta({ description: 'HTTP status of the last response; null when there was none' }),
    lastError: z
      .string()
      .nullable()
      .meta({ description: 'Why the last attempt failed; null if it succeeded', example: 'Response status 503' }),
    createdAt: timestamp('When it was created'),
    deliveredAt: timestamp().nullable().meta({ description: 'When it was delivered; null until then' }),
  })
  .meta({ component: 'Delivery' })
export type DeliveryRecord = z.infer<typeof DeliveryRecord>

export const DeliveryPage = recordPageOf(DeliveryRecord)

export const DeliveryDetails = DeliveryRecord.extend({
  request: z
    .object({
      headers: z.record(z.string(), z.string()).meta({
        example: { 'content-type': 'application/json' },
        description:
          'The headers that an attempt made now would send. Without `webhooks:update`, signatures are masked after their first characters',
      }),
      body: z.string().meta({ description: 'The bytes that every attempt sends', example: '{}' }),
    })
    .meta({ description: 'The request that an attempt sends' }),
  attempts: z
    .array(
      z.object({
        at: timestamp('When the attempt was made'),
        status: z.number().int().nullable().meta({ description: 'HTTP status of the response; null when there was none', example: 503 }),
        durationMs: z.number().int().meta({ description: 'Milliseconds until the response', example: 42 }),
        error: z.string().nullable().meta({ description: 'Why the attempt failed; null if it succeeded', example: 'Response status 503' }),
        response: z.string().nullable().meta({ description: 'The first 2 KiB of the response body', example: 'Service Unavailable' }),
      }),
    )
    .meta({ description: 'Every attempt, oldest first' }),
}).meta({ component: 'DeliveryDetails' })
export type DeliveryDetails = z.infer<typeof DeliveryDetails>

export const QueuedDelivery = z.object({
  message: z.string().meta({ description: 'What was done', example: 'Done' }),
  deliveryId: z.string().meta({ description: 'Id of a delivery to the webhook', example: 'dlv_01kahm3z9n4v7f2t8q6w5r1y0x' }),
})

export const ReplayRange = z.object({
  from: dateTime().meta({ description: 'Only deliveries created at or after this time', example: '2026-01-01T00:00:00.000Z' }),
  to: dateTime().optional().meta({
    description: 'Only deliveries created before this time, and before the first request came',
    example: '2026-02-01T00:00:00.000Z',
  }),
  status: z.enum(['failed', 'delivered']).default('failed').meta({ description: 'Which deliveries to replay' }),
  cursor: cursorField().meta({ description: 'The `nextCursor` of the previous response, with the same range' }),
})
export type ReplayRange = z.infer<typeof ReplayRange>

export const ReplayedRange = z.object({
  message: z.string().meta({ description: 'What was done', example: 'Done' }),
  replayed: z.number().int().meta({ description: 'How many deliveries were created, at most 10,000', example: 1 }),
  nextCursor: nextCursorField().meta({ description: 'Send it with the same range to replay the rest; null when there is no more' }),
})

export const EventRecord = z
  .object({
    name: z.string().meta({ description: 'Name of the event, as endpoints subscribe to it', example: 'user.created' }),
    variants: z
      .array(z.enum(['A', 'B']))
      .meta({ description: 'Which of the two documented payload formats list the event', example: ['A', 'B'] }),
    description: z.string().meta({ description: 'When the event is sent', example: 'A user was created' }),
    data: z.record(z.string(), z.unknown()).meta({ description: 'An example' }),
  })
  .meta({ component: 'Event' })
