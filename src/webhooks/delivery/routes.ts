/** /v1/admin/deliveries, /v1/admin/webhooks/:id/deliveries and /v1/admin/webhooks/:id/replay */
import { admin } from '../../access/declarations.ts'
import type { Tenant } from '../../platform/database/database.ts'
import { BucketQuery } from '../../platform/http/bucket-query.ts'
import { defineRoutes } from '../../platform/http/define-routes.ts'
import { IdParameter } from '../../platform/http/fields.ts'
import { pageOf } from '../../platform/http/lists.ts'
import type { WebhookSettings } from '../endpoints/create-endpoint.ts'
import { getEndpoint } from '../endpoints/queries.ts'
import {
  AllDeliveriesQuery,
  DeliveryDetails,
  DeliveryPage,
  DeliveryParameters,
  DeliveryQuery,
  QueuedDelivery,
  ReplayedRange,
  ReplayRange,
} from '../endpoints/schemas.ts'
import { listDeliveries, presentDelivery } from './queries.ts'
import { replayDelivery, replayRange } from './replay.ts'
import { showDelivery } from './show-delivery.ts'
import { DeliveryStatistics, deliveryStatistics } from './statistics.ts'

export const allDeliveriesRoutes = defineRoutes('/v1/admin/deliveries', async (app, { database }: WebhookSettings) => {
  app.get(
    '/',
    {
      config: { access: admin('webhooks:read') },
      schema: {
        operationId: 'listDeliveries',
        summary: 'List the deliveries to all webhooks, newest first',
        querystring: AllDeliveriesQuery,
        response: { 200: DeliveryPage },
      },
    },
    async ({ caller, query: { limit, cursor, ...filters } }) =>
      deliveryPage(database.listReads(caller.organisationId), filters, limit, cursor),
  )
})

export const deliveryRoutes = defineRoutes('/v1/admin/webhooks', async (app, settings: WebhookSettings) => {
  const { database } = settings

  app.get(
    '/:id/statistics',
    {
      config: { access: admin('webhooks:read') },
      schema: {
        operationId: 'getWebhookStatistics',
        summary: 'Count the deliveries to a webhook by hour or day',
        description: [
          'Whole hours of up to 31 days, or whole days of up to 90; those of the last 90 days are stored.',
          'A delivery counts when it ended, and the percentiles are exact to a tenth.',
          'Deliveries are counted by hours of UTC: in a time zone that is half an hour off, a delivery counts with the hour in which its UTC hour begins.',
        ].join(' '),
        params: IdParameter,
        querystring: BucketQuery,
        response: { 200: DeliveryStatistics },
      },
    },
    async ({ caller, params, query }) => deliveryStatistics(database.tenant(caller.organisationId), params.id, query),
  )

  app.get(
    '/:id/deliveries',
    {
      config: { access: admin('webhooks:read') },
      schema: {
        operationId: 'listWebhookDeliveries',
        summary: 'List the deliveries to a webhook, newest first',
        params: IdParameter,
        querystring: DeliveryQuery,
        response: { 200: DeliveryPage },
      },
    },
    async ({ caller, params, query: { limit, cursor, ...filters } }) => {
      const tenant = database.listReads(caller.organisationId)
      await getEndpoint(tenant, params.id)
      return deliveryPage(tenant, { ...filters, webhookId: params.id }, limit, cursor)
    },
  )

  app.get(
    '/:id/deliveries/:deliveryId',
    {
      config: { access: admin('webhooks:read') },
      schema: {
        operationId: 'getWebhookDelivery',
        summary: 'Get a delivery with its attempts',
        params: DeliveryParameters,
        response: { 200: DeliveryDetails },
      },
    },
    async ({ caller, params }) => showDelivery(settings, caller, params.id, params.deliveryId),
  )

  app.post(
    '/:id/deliveries/:deliveryId/replay',
    {
      config: { access: admin('webhooks:update'), refuses: ['conflict'] },
      schema: {
        operationId: 'replayDelivery',
        summary: 'Replay a delivery',
        params: DeliveryParameters,
        response: { 202: QueuedDelivery },
      },
    },
    async ({ caller, params }, reply) => {
      const deliveryId = await replayDelivery(database, caller, params.id, params.deliveryId)
      return reply.code(202).send({ message: 'Delivery queued', deliveryId })
    },
  )

  app.post(
    '/:id/replay',
    {
      config: { access: admin('webhooks:update'), refuses: ['conflict'] },
      schema: {
        operationId: 'replayDeliveries',
        summary: 'Replay the deliveries of a time range',
        params: IdParameter,
        body: ReplayRange,
        response: { 202: ReplayedRange },
      },
    },
    async ({ caller, params, body }, reply) => {
      const outcome = await replayRange(database, caller, params.id, body)
      return reply.code(202).send({ message: 'Deliveries queued', ...outcome })
    },
  )
})

const deliveryPage = async (tenant: Tenant, filters: Parameters<typeof listDeliveries>[1], limit: number, cursor: string | undefined) =>
  pageOf(await listDeliveries(tenant, filters, limit + 1, cursor), limit, presentDelivery)
