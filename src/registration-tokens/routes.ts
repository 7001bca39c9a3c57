import { z } from 'zod'
import { admin } from '../access/declarations.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter, Reason } from '../platform/http/fields.ts'
import { ListQuery, listOf, sendList, sourceOfFew } from '../platform/http/lists.ts'
import {
  createRegistrationToken,
  endRegistrationToken,
  presentRegistrationToken,
  type RegistrationTokenAdministration,
} from './create-registration-token.ts'
import { listRegistrationTokens } from './queries.ts'
import * as refusals from './refusals.ts'
import { registrationTokenSchemas } from './schemas.ts'

export const registrationTokenRoutes = defineRoutes(
  { prefix: '/v1/admin/registration-tokens', refusals },
  async (app, dependencies: RegistrationTokenAdministration) => {
    const { database, grants } = dependencies
    const { NewRegistrationToken, RegistrationTokenRecord, RegistrationTokenWithSecret } = registrationTokenSchemas(grants)

    app.get(
      '/',
      {
        config: { access: admin('clients:read') },
        schema: {
          operationId: 'listRegistrationTokens',
          summary: 'List registration tokens',
          description: 'Those that no administrator has ended, also when they have expired or are used up.',
          querystring: ListQuery,
          response: { 200: listOf(RegistrationTokenRecord) },
        },
      },
      async ({ caller, query }, reply) => {
        const tokens = sourceOfFew(() => listRegistrationTokens(database.listReads(caller.organisationId)))
        return sendList(reply, query, RegistrationTokenRecord, tokens, presentRegistrationToken)
      },
    )

    app.post(
      '/',
      {
        config: { access: admin('clients:create') },
        schema: {
          operationId: 'createRegistrationToken',
          summary: 'Create a registration token',
          description:
            'With the token, a program registers OAuth clients in the organisation by itself, at /oauth2/register (RFC 7591). Needs the extension `dynamic_registration`.',
          body: NewRegistrationToken,
          response: { 201: RegistrationTokenWithSecret },
        },
      },
      async ({ caller, body }, reply) => {
        const { record, token } = await createRegistrationToken(dependencies, caller, body)
        return reply.code(201).send({ ...presentRegistrationToken(record), token })
      },
    )

    app.delete(
      '/:id',
      {
        config: { access: admin('clients:delete') },
        schema: {
          operationId: 'endRegistrationToken',
          summary: 'End a registration token',
          description: 'It registers no client any more. Clients that were registered by it stay.',
          params: IdParameter,
          body: Reason,
          response: { 204: z.null() },
        },
      },
      async ({ caller, params, body }, reply) => {
        await endRegistrationToken(database, caller, params.id, body.reason)
        return reply.code(204).send(null)
      },
    )
  },
)
