/** /v1/me/consents, /v1/admin/users/:id/consents and /v1/admin/clients/:id/consents: what users have allowed applications */
import { z } from 'zod'
import { admin, self } from '../../access/declarations.ts'
import { UserSummary } from '../../access/schemas.ts'
import { getUser } from '../../accounts/queries.ts'
import { getClient } from '../../clients/queries.ts'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { defineRoutes } from '../../platform/http/define-routes.ts'
import { IdParameter, pathId, presentTime, recordId, timestamp } from '../../platform/http/fields.ts'
import { ListQuery, type ListSource, listOf, sendList } from '../../platform/http/lists.ts'
import { type Consent, countConsents, listConsents, presentConsent, revokeConsentOfUser, revokeOwnConsent } from './consents.ts'

const allowed = {
  scopes: z.array(z.string()).meta({ description: 'What the application may ask for', example: ['openid', 'profile'] }),
  claims: z.array(z.string()).meta({
    description: 'Claims that the application may have by their names, besides those of `scopes` (extension `claims_parameter`)',
    example: [],
  }),
  resources: z
    .array(
      z.object({
        id: recordId('rsv'),
        name: z.string().meta({ description: 'Name of the resource server', example: 'Orders API' }),
        identifier: z.string().meta({ description: 'What tokens name it by', example: 'https://api.acme.test/orders' }),
        scopes: z.array(z.string()).meta({ description: 'What was allowed there, also among `scopes`', example: ['orders:read'] }),
        expiresAt: timestamp().nullable().meta({ description: 'The end that the user has chosen for it; null for none' }),
      }),
    )
    .meta({ description: 'Resource servers that the application may use for the user' }),
  grantedAt: timestamp().meta({ description: 'When the user consented' }),
  expiresAt: timestamp().nullable().meta({
    description: 'The end that the user has chosen: then the tokens end, and the user is asked anew. Null for none',
  }),
  lastUsedAt: timestamp().nullable().meta({ description: 'When the application last got tokens for the user; null when it holds none' }),
  managedBy: z
    .object({ id: recordId('con'), name: z.string().meta({ description: 'Name of the connection', example: 'Acme' }) })
    .nullable()
    .meta({ description: 'The connection whose provider lets the application act for the user without asking them; null if none does' }),
}

const ConsentRecord = z
  .object({
    clientId: z.string().meta({ description: 'Id of the application', example: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    clientName: z.string().meta({ description: 'Name of the application', example: 'Acme Portal' }),
    ...allowed,
  })
  .meta({ component: 'Consent' })

const ConsentOfUser = z
  .object({ user: UserSummary.meta({ description: 'Who has let the application in' }), ...allowed })
  .meta({ component: 'ConsentOfUser' })

const ClientId = pathId().meta({ description: 'Id of the application', example: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x' })

const consentsOfUser = (tenant: Tenant, userId: string): ListSource<Consent> => ({
  page: (limit, after) => listConsents(tenant, { userId, limit, after }),
  count: () => countConsents(tenant, { userId }),
  key: ({ clientId }) => clientId,
})

const consentsForClient = (tenant: Tenant, clientId: string): ListSource<Consent> => ({
  page: (limit, after) => listConsents(tenant, { clientId, limit, after }),
  count: () => countConsents(tenant, { clientId }),
  key: ({ userId }) => userId,
})

const presentWithUse = (consent: Consent) => ({ ...presentConsent(consent), lastUsedAt: presentTime(consent.lastUsedAt) })

function presentOfUser(consent: Consent) {
  const { clientId: _, clientName: __, ...shown } = presentWithUse(consent)
  return { user: { id: consent.userId, email: consent.userEmail, name: consent.userName }, ...shown }
}

export const consentRoutes = defineRoutes('/v1/me/consents', async (app, { database }: { database: Database }) => {
  app.get(
    '/',
    {
      config: { access: self() },
      schema: {
        operationId: 'listOwnConsents',
        summary: 'List the applications that have access to your account',
        description:
          'What you have consented to, and applications that can refresh tokens without your consent, with what they were granted.',
        querystring: ListQuery,
        response: { 200: listOf(ConsentRecord) },
      },
    },
    async ({ caller, query }, reply) => {
      const consents = consentsOfUser(database.listReads(caller.organisationId), caller.session.userId)
      return sendList(reply, query, ConsentRecord, consents, presentWithUse)
    },
  )

  app.delete(
    '/:clientId',
    {
      config: { access: self() },
      schema: {
        operationId: 'revokeOwnConsent',
        summary: 'Remove the access of an application',
        description: 'Ends its tokens.',
        params: z.object({ clientId: ClientId }),
        response: { 204: z.null() },
      },
    },
    async ({ caller, params }, reply) => {
      await revokeOwnConsent(database, caller, params.clientId)
      return reply.code(204).send(null)
    },
  )
})

export const userConsentRoutes = defineRoutes('/v1/admin/users', async (app, { database }: { database: Database }) => {
  app.get(
    '/:id/consents',
    {
      config: { access: admin('users:read') },
      schema: {
        operationId: 'listUserConsents',
        summary: 'List the applications that have access to the account of a user',
        description:
          'What the user has consented to, and applications that can refresh tokens without consent, with what they were granted.',
        params: IdParameter,
        querystring: ListQuery,
        response: { 200: listOf(ConsentRecord) },
      },
    },
    async ({ caller, params, query }, reply) => {
      const tenant = database.listReads(caller.organisationId)
      const { id } = await getUser(tenant, params.id)
      return sendList(reply, query, ConsentRecord, consentsOfUser(tenant, id), presentWithUse)
    },
  )

  app.delete(
    '/:id/consents/:clientId',
    {
      config: { access: admin('users:update') },
      schema: {
        operationId: 'revokeUserConsent',
        summary: 'Remove the access of an application to the account of a user',
        description: 'Ends the tokens that the application has for the user.',
        params: IdParameter.extend({ clientId: ClientId }),
        response: { 204: z.null() },
      },
    },
    async ({ caller, params }, reply) => {
      await revokeConsentOfUser(database, caller, params.id, params.clientId)
      return reply.code(204).send(null)
    },
  )
})

export const clientConsentRoutes = defineRoutes('/v1/admin/clients', async (app, { database }: { database: Database }) => {
  app.get(
    '/:id/consents',
    {
      config: { access: admin('clients:read') },
      schema: {
        operationId: 'listClientConsents',
        summary: 'List the users who have let an application in',
        description:
          'Who has consented to what, until when, and users whose tokens the application can refresh without their consent. `DELETE /v1/admin/users/{id}/consents/{clientId}` ends one of them.',
        params: IdParameter,
        querystring: ListQuery,
        response: { 200: listOf(ConsentOfUser) },
      },
    },
    async ({ caller, params, query }, reply) => {
      const tenant = database.listReads(caller.organisationId)
      const { id } = await getClient(tenant, params.id)
      return sendList(reply, query, ConsentOfUser, consentsForClient(tenant, id), presentOfUser)
    },
  )
})
