/** /v1/admin/users/:id/identities and /v1/me/identities */
import { z } from 'zod'
import { admin, self } from '../access/declarations.ts'
import { recentSignIn } from '../access/schemas.ts'
import { getUser } from '../accounts/queries.ts'
import { presentIdentity } from '../identities/present-identity.ts'
import { listIdentities } from '../identities/queries.ts'
import { IdentityRecord } from '../identities/schemas.ts'
import type { Tenant } from '../platform/database/database.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter, pathId, Reason } from '../platform/http/fields.ts'
import { ListQuery, listOf, sendList, sourceOfFew } from '../platform/http/lists.ts'
import { languageOf } from '../platform/language.ts'
import { type IdentityRemoval, unlinkIdentityOfUser, unlinkOwnIdentity } from './unlink-identity.ts'

const list = { querystring: ListQuery, response: { 200: listOf(IdentityRecord) } }
const identitiesOf = (tenant: Tenant, userId: string) => sourceOfFew(() => listIdentities(tenant, userId))

export const userIdentityRoutes = defineRoutes('/v1/admin/users', async (app, dependencies: IdentityRemoval) => {
  const { database } = dependencies

  app.get(
    '/:id/identities',
    {
      config: { access: admin('users:read') },
      schema: { operationId: 'listUserIdentities', summary: 'List the linked accounts of a user', params: IdParameter, ...list },
    },
    async ({ caller, params, query }, reply) => {
      const tenant = database.listReads(caller.organisationId)
      const { id } = await getUser(tenant, params.id)
      return sendList(reply, query, IdentityRecord, identitiesOf(tenant, id), presentIdentity)
    },
  )

  app.delete(
    '/:id/identities/:identityId',
    {
      config: { access: admin('users:update') },
      schema: {
        operationId: 'unlinkUserIdentity',
        summary: 'Unlink an account of a user',
        description: "Ends the sessions that began with it. Only the owner can unlink the owner's accounts.",
        params: IdParameter.extend({
          identityId: pathId().meta({ description: 'Id of the identity', example: 'idn_01kahm3z9n4v7f2t8q6w5r1y0x' }),
        }),
        body: Reason,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { caller, params, body } = request
      const asked = { userId: params.id, id: params.identityId, reason: body.reason, language: languageOf(request) }
      await unlinkIdentityOfUser(dependencies, caller, asked)
      return reply.code(204).send(null)
    },
  )
})

export const ownIdentityRoutes = defineRoutes('/v1/me/identities', async (app, dependencies: IdentityRemoval) => {
  const { database } = dependencies

  app.get(
    '/',
    {
      config: { access: self() },
      schema: {
        operationId: 'listOwnIdentities',
        summary: 'List your linked accounts',
        description: 'Accounts at identity providers with which you sign in here.',
        ...list,
      },
    },
    async ({ caller, query }, reply) => {
      const tenant = database.listReads(caller.organisationId)
      return sendList(reply, query, IdentityRecord, identitiesOf(tenant, caller.session.userId), presentIdentity)
    },
  )

  app.delete(
    '/:id',
    {
      config: { access: self(), refuses: ['not-found'] },
      schema: {
        operationId: 'unlinkOwnIdentity',
        summary: 'Unlink one of your accounts',
        description: 'Needs a sign-in within the last fifteen minutes. Ends your other sessions that began with it.',
        params: IdParameter,
        response: { 204: z.null(), ...recentSignIn },
      },
    },
    async (request, reply) => {
      const { caller, params } = request
      await unlinkOwnIdentity(dependencies, caller, params.id, languageOf(request))
      return reply.code(204).send(null)
    },
  )
})
