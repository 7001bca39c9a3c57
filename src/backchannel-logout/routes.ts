/** /v1/admin/clients/:id/logout-deliveries */
import { admin } from '../access/declarations.ts'
import type { OAuthExtensions } from '../clients/extensions.ts'
import { presentClient } from '../clients/present-client.ts'
import { getClient } from '../clients/queries.ts'
import type { Database } from '../platform/database/database.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter } from '../platform/http/fields.ts'
import { pageOf } from '../platform/http/lists.ts'
import { presentAttempt } from '../webhooks/delivery/attempts.ts'
import { logoutClaims } from './logout-token.ts'
import { findLogout, listLogouts, presentLogout } from './queries.ts'
import { deliveryNotFound } from './refusals.ts'
import { replayLogout, testLogout } from './replay.ts'
import { LogoutDeliveryDetails, LogoutDeliveryPage, LogoutDeliveryParameters, LogoutDeliveryQuery, QueuedLogout } from './schemas.ts'

interface LogoutSettings {
  database: Database
  /** The `iss` of tokens. */
  issuer: string
  oauthExtensions: OAuthExtensions
}

export const logoutDeliveryRoutes = defineRoutes('/v1/admin/clients', async (app, settings: LogoutSettings) => {
  const { database, issuer } = settings

  app.get(
    '/:id/logout-deliveries',
    {
      config: { access: admin('clients:read') },
      schema: {
        operationId: 'listLogoutDeliveries',
        summary: 'List the logout deliveries to an OAuth client, newest first',
        description: 'What the client was told of ended sessions (OpenID Connect Back-Channel Logout 1.0), in the last 30 days.',
        params: IdParameter,
        querystring: LogoutDeliveryQuery,
        response: { 200: LogoutDeliveryPage },
      },
    },
    async ({ caller, params, query: { limit, cursor, ...filters } }) => {
      const tenant = database.listReads(caller.organisationId)
      await getClient(tenant, params.id)
      return pageOf(await listLogouts(tenant, params.id, filters, limit + 1, cursor), limit, presentLogout)
    },
  )

  app.get(
    '/:id/logout-deliveries/:deliveryId',
    {
      config: { access: admin('clients:read') },
      schema: {
        operationId: 'getLogoutDelivery',
        summary: 'Get a logout delivery with its attempts',
        params: LogoutDeliveryParameters,
        response: { 200: LogoutDeliveryDetails },
      },
    },
    async ({ caller, params }) => {
      const tenant = database.tenant(caller.organisationId)
      const { clientId: audience } = presentClient(await getClient(tenant, params.id))
      const delivery = await findLogout(tenant, params.id, params.deliveryId)
      if (!delivery) throw deliveryNotFound()
      return {
        ...presentLogout(delivery),
        claims: logoutClaims(issuer, { ...delivery, audience }),
        attempts: delivery.attempts.map(presentAttempt),
      }
    },
  )

  app.post(
    '/:id/logout-deliveries/:deliveryId/replay',
    {
      config: { access: admin('clients:update'), refuses: ['conflict'] },
      schema: {
        operationId: 'replayLogoutDelivery',
        summary: 'Replay a logout delivery',
        description: 'A new delivery, with a `jti` of its own. Needs the extension `backchannel_logout`.',
        params: LogoutDeliveryParameters,
        response: { 202: QueuedLogout },
      },
    },
    async ({ caller, params }, reply) => {
      const deliveryId = await replayLogout(settings, caller, params.id, params.deliveryId)
      return reply.code(202).send({ message: 'Delivery queued', deliveryId })
    },
  )

  app.post(
    '/:id/logout-deliveries/test',
    {
      config: { access: admin('clients:update'), refuses: ['conflict'] },
      schema: {
        operationId: 'testLogoutDelivery',
        summary: 'Send a test logout token to an OAuth client',
        description: 'The token names a session that never was, so no user is signed out. Needs the extension `backchannel_logout`.',
        params: IdParameter,
        response: { 202: QueuedLogout },
      },
    },
    async ({ caller, params }, reply) => {
      const deliveryId = await testLogout(settings, caller, params.id)
      return reply.code(202).send({ message: 'Delivery queued', deliveryId })
    },
  )
})
