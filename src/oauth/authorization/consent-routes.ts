/** /v1/me/consents: what the caller has allowed applications */
import { z } from 'zod'
import { self } from '../../access/declarations.ts'
import type { Database } from '../../platform/database/database.ts'
import { defineRoutes } from '../../platform/http/define-routes.ts'
import { pathId, presentTime, timestamp } from '../../platform/http/fields.ts'
import { ListQuery, listOf, sendList } from '../../platform/http/lists.ts'
import { type Consent, countConsents, listConsents, revokeConsent } from './consents.ts'

const ConsentRecord = z
  .object({
    clientId: z.string().meta({ description: 'Id of the application', example: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    clientName: z.string().meta({ description: 'Name of the application', example: 'Acme Portal' }),
    scopes: z.array(z.string()).meta({ description: 'What the application may ask for', example: ['openid', 'profile'] }),
    grantedAt: timestamp().meta({ description: 'When the user consented' }),
  })
  .meta({ component: 'Consent' })

const presentConsent = (consent: Consent) => ({ ...consent, grantedAt: presentTime(consent.grantedAt) })

export const consentRoutes = defineRoutes('/v1/me/consents', async (app, { database }: { database: Database }) => {
  app.get(
    '/',
    {
      config: { access: self() },
      schema: {
        operationId: 'listOwnConsents',
        summary: 'List the applications that have access to your account',
        description:
          'What you have allowed applications, and those that can refresh their tokens without having asked you, with what they were granted',
        querystring: ListQuery,
        response: { 200: listOf(ConsentRecord) },
      },
    },
    async ({ caller, query }, reply) => {
      const tenant = database.tenant(caller.organisationId)
      const { userId } = caller.session
      const source = {
        page: (limit: number, after: string | undefined) => listConsents(tenant, userId, { limit, after }),
        count: () => countConsents(tenant, userId),
        key: ({ clientId }: Consent) => clientId,
      }
      return sendList(reply, query, ConsentRecord, source, presentConsent)
    },
  )

  app.delete(
    '/:clientId',
    {
      config: { access: self() },
      schema: {
        operationId: 'revokeOwnConsent',
        summary: 'Remove the access of an application',
        description: 'Ends its tokens',
        params: z.object({
          clientId: pathId().meta({ description: 'Id of the application', example: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x' }),
        }),
        response: { 204: z.null() },
      },
    },
    async ({ caller, params }, reply) => {
      await revokeConsent(database, caller, params.clientId)
      return reply.code(204).send(null)
    },
  )
})
