import { z } from 'zod'
import { admin } from '../../access/declarations.ts'
import { defineRoutes } from '../../platform/http/define-routes.ts'
import { IdParameter, Reason } from '../../platform/http/fields.ts'
import { ListQuery, listOf, sendList } from '../../platform/http/lists.ts'
import { changeEndpoint, removeEndpoint, rotateSecret } from './change-endpoint.ts'
import { createEndpoint, type WebhookSettings } from './create-endpoint.ts'
import { countEndpoints, endpointVersion, getWatchedEndpoint, listEndpoints, presentEndpoint, presentWatchedEndpoint } from './queries.ts'
import {
  CreatedWebhook,
  NewWebhook,
  QueuedDelivery,
  SecretRotation,
  TestCall,
  WebhookChanges,
  WebhookRecord,
  WebhookWithSecret,
} from './schemas.ts'
import { testEndpoint } from './test-endpoint.ts'

export const webhookRoutes = defineRoutes('/v1/admin/webhooks', async (app, settings: WebhookSettings) => {
  const { database } = settings

  app.get(
    '/',
    {
      config: { access: admin('webhooks:read') },
      schema: { operationId: 'listWebhooks', summary: 'List webhooks', querystring: ListQuery, response: { 200: listOf(WebhookRecord) } },
    },
    async ({ caller, query }, reply) => {
      const tenant = database.listReads(caller.organisationId)
      const source = {
        page: (limit: number, after: string | undefined) => listEndpoints(tenant, limit, after),
        count: () => countEndpoints(tenant),
        key: ({ id }: { id: string }) => id,
      }
      return sendList(reply, query, WebhookRecord, source, presentWatchedEndpoint)
    },
  )

  app.get(
    '/:id',
    {
      config: { access: admin('webhooks:read'), version: endpointVersion },
      schema: { operationId: 'getWebhook', summary: 'Get a webhook', params: IdParameter, response: { 200: WebhookRecord } },
    },
    async ({ caller, params }) => presentWatchedEndpoint(await getWatchedEndpoint(database.pointReads(caller.organisationId), params.id)),
  )

  app.post(
    '/',
    {
      config: { access: admin('webhooks:create') },
      schema: { operationId: 'createWebhook', summary: 'Create a webhook', body: NewWebhook, response: { 201: CreatedWebhook } },
    },
    async ({ caller, body }, reply) => {
      const { endpoint, secret } = await createEndpoint(settings, caller, body)
      const webhook = presentEndpoint(endpoint)
      return reply.code(201).send(body.variant === 'A' ? { webhook, secret } : { ...webhook, secret })
    },
  )

  app.patch(
    '/:id',
    {
      config: { access: admin('webhooks:update'), version: endpointVersion, refuses: ['conflict'] },
      schema: {
        operationId: 'updateWebhook',
        summary: 'Update a webhook',
        params: IdParameter,
        body: WebhookChanges,
        response: { 200: WebhookRecord },
      },
    },
    async ({ caller, params, body, headers }) =>
      presentWatchedEndpoint(await changeEndpoint(settings, caller, params.id, body, headers['if-match'])),
  )

  app.delete(
    '/:id',
    {
      config: { access: admin('webhooks:delete'), version: endpointVersion },
      schema: {
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook and its deliveries',
        params: IdParameter,
        body: Reason,
        response: { 204: z.null() },
      },
    },
    async ({ caller, params, body, headers }, reply) => {
      await removeEndpoint(settings, caller, params.id, headers['if-match'], body.reason)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/:id/rotate-secret',
    {
      config: { access: admin('webhooks:update') },
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Rotate the secret of a webhook',
        params: IdParameter,
        body: SecretRotation,
        response: { 200: WebhookWithSecret },
      },
    },
    async ({ caller, params, body }) => {
      const { endpoint, secret } = await rotateSecret(settings, caller, params.id, body.gracePeriodSeconds)
      return { ...presentEndpoint(endpoint), secret }
    },
  )

  app.post(
    '/:id/test',
    {
      config: { access: admin('webhooks:update') },
      schema: {
        operationId: 'testWebhook',
        summary: 'Send a test event to a webhook',
        params: IdParameter,
        response: { 200: QueuedDelivery },
      },
    },
    async ({ caller, params }) => {
      const deliveryId = await testEndpoint(database, caller, params.id)
      return { message: 'Test event queued', deliveryId }
    },
  )

  app.post(
    '/test',
    {
      config: { access: admin('webhooks:update') },
      schema: {
        operationId: 'sendTestEvent',
        summary: 'Send a test event with a chosen name to a webhook',
        body: TestCall,
        response: { 200: QueuedDelivery },
      },
    },
    async ({ caller, body }) => {
      const deliveryId = await testEndpoint(database, caller, body.webhookId, body.event)
      return { message: 'Test event queued', deliveryId }
    },
  )
})
