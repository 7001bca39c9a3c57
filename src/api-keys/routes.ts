import { z } from 'zod'
import { admin } from '../access/declarations.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter, Reason } from '../platform/http/fields.ts'
import { languageOf } from '../platform/language.ts'
import { changeApiKey } from './change-api-key.ts'
import { type ApiKeyCreation, createApiKey, deleteApiKey } from './create-api-key.ts'
import { apiKeyList } from './list-api-keys.ts'
import { apiKeyVersion, getApiKey, presentApiKey, presentNamedKey } from './queries.ts'
import * as refusals from './refusals.ts'
import { ApiKeyChanges, ApiKeyRecord, ApiKeyWithSecret, NewApiKey } from './schemas.ts'

export const apiKeyRoutes = defineRoutes({ prefix: '/v1/admin/api-keys', refusals }, async (app, creation: ApiKeyCreation) => {
  const { database } = creation

  app.get(
    '/',
    {
      config: { access: admin('api_keys:read') },
      schema: { operationId: 'listApiKeys', summary: 'List API keys', ...apiKeyList.schema },
    },
    async ({ caller: { organisationId }, query }, reply) => apiKeyList.send(reply, database, organisationId, query),
  )

  app.get(
    '/:id',
    {
      config: { access: admin('api_keys:read'), version: apiKeyVersion },
      schema: { operationId: 'getApiKey', summary: 'Get an API key', params: IdParameter, response: { 200: ApiKeyRecord } },
    },
    async ({ caller, params }) => presentNamedKey(await getApiKey(database.pointReads(caller.organisationId), params.id)),
  )

  app.post(
    '/',
    {
      config: { access: admin('api_keys:create'), mails: true, refuses: ['conflict'] },
      schema: { operationId: 'createApiKey', summary: 'Create an API key', body: NewApiKey, response: { 201: ApiKeyWithSecret } },
    },
    async (request, reply) => {
      const { record, key } = await createApiKey(creation, request.caller, request.body, languageOf(request))
      return reply.code(201).send({ ...presentApiKey(record), ...(key !== undefined && { key }) })
    },
  )

  app.patch(
    '/:id',
    {
      config: { access: admin('api_keys:create'), version: apiKeyVersion, mails: true, refuses: ['conflict'] },
      schema: {
        operationId: 'updateApiKey',
        summary: "Change an API key's credentials of platforms",
        description:
          'Replaces the list. Who adds one needs every permission of the key. Where one is taken away, the short-lived keys of the key end.',
        params: IdParameter,
        body: ApiKeyChanges,
        response: { 200: ApiKeyRecord },
      },
    },
    async (request) => {
      const { caller, params, body, headers } = request
      const { id } = await changeApiKey(creation, caller, params.id, body, headers['if-match'], languageOf(request))
      return presentNamedKey(await getApiKey(database.pointReads(caller.organisationId), id))
    },
  )

  app.delete(
    '/:id',
    {
      config: { access: admin('api_keys:delete'), version: apiKeyVersion },
      schema: { operationId: 'deleteApiKey', summary: 'Delete an API key', params: IdParameter, body: Reason, response: { 204: z.null() } },
    },
    async ({ caller, params, body, headers }, reply) => {
      await deleteApiKey(database, caller, params.id, body.reason, headers['if-match'])
      return reply.code(204).send(null)
    },
  )
})
