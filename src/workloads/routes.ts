/** /v1/auth/api-keys: the keys of workloads */
import { originOf } from '../access/caller.ts'
import { publicAccess } from '../access/declarations.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { presentTime } from '../platform/http/fields.ts'
import { noSuchAddress } from '../platform/http/refusals.ts'
import { type ExchangeDependencies, exchangeKey } from './exchange-key.ts'
import * as refusals from './refusals.ts'
import { ExchangedKey, KeyExchange } from './schemas.ts'

export const workloadRoutes = defineRoutes({ prefix: '/v1/auth/api-keys', refusals }, async (app, dependencies: ExchangeDependencies) => {
  app.post(
    '/exchange',
    {
      config: { access: publicAccess(), refuses: ['unauthorized', 'not-found', 'too-many-requests'] },
      schema: {
        operationId: 'exchangeApiKey',
        summary: 'Exchange a token of a platform for a short-lived API key',
        description:
          'For workloads that hold a signed identity: CI jobs, Kubernetes service accounts, SPIFFE. The token is one that `federatedCredentials` of the API key name, and for this service. The key works for 15 minutes with the permissions of the API key, and ends with it. Needs the extension `federated_credentials`: without it there is no such address.',
        body: KeyExchange,
        response: { 201: ExchangedKey },
      },
    },
    async (request, reply) => {
      if (!dependencies.oauthExtensions.has('federated_credentials')) throw noSuchAddress()
      const { apiKey, expiresAt } = await exchangeKey(dependencies, originOf(request), request.body)
      return reply.code(201).send({ apiKey, expiresAt: presentTime(expiresAt) })
    },
  )
})
