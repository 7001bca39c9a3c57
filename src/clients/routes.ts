import { z } from 'zod'
import { admin } from '../access/declarations.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter, Message, Reason } from '../platform/http/fields.ts'
import { type ClientDependencies, createClient } from './create-client.ts'
import { countImpact } from './impact.ts'
import { clientList } from './list-clients.ts'
import { clientVersion, presentClientRecord } from './present-client.ts'
import { compareWithProfile } from './profile.ts'
import { getClient } from './queries.ts'
import * as refusals from './refusals.ts'
import { activateClient, revokeClient } from './revoke-client.ts'
import { rotateSecret } from './rotate-secret.ts'
import { ClientImpact, ClientProfile, clientSchemas, SecretRotation } from './schemas.ts'
import { changeClient, deleteClient } from './update-client.ts'

export const clientRoutes = defineRoutes({ prefix: '/v1/admin/clients', refusals }, async (app, dependencies: ClientDependencies) => {
  const { database, grants } = dependencies
  const schemas = clientSchemas(grants)
  const { ClientChanges, ClientRecord, ClientWithSecret, NewClient } = schemas
  const list = clientList(schemas)

  app.get(
    '/',
    {
      config: { access: admin('clients:read') },
      schema: { operationId: 'listClients', summary: 'List OAuth clients', ...list.schema },
    },
    async ({ caller: { organisationId }, query }, reply) => list.send(reply, database, organisationId, query),
  )

  app.get(
    '/:id',
    {
      config: { access: admin('clients:read'), version: clientVersion },
      schema: { operationId: 'getClient', summary: 'Get an OAuth client', params: IdParameter, response: { 200: ClientRecord } },
    },
    async ({ caller, params }) => presentClientRecord(await getClient(database.pointReads(caller.organisationId), params.id)),
  )

  app.get(
    '/:id/impact',
    {
      config: { access: admin('clients:read') },
      schema: {
        operationId: 'getClientImpact',
        summary: 'Count what would end with an OAuth client',
        description: 'How many users and refresh tokens would be affected if it were revoked or deleted now. Nothing is changed.',
        params: IdParameter,
        response: { 200: ClientImpact },
      },
    },
    async ({ caller, params }) => countImpact(database.tenant(caller.organisationId), params.id),
  )

  app.get(
    '/:id/profile',
    {
      config: { access: admin('clients:read') },
      schema: {
        operationId: 'getClientProfile',
        summary: 'Compare an OAuth client with the FAPI 2.0 profile',
        description:
          'Which clauses the settings meet, whether the client has the profile or not. What its requests are like is not stored, so the clauses that are not met say what its application has to change. Nothing is changed.',
        params: IdParameter,
        response: { 200: ClientProfile },
      },
    },
    async ({ caller, params }) =>
      compareWithProfile(await getClient(database.pointReads(caller.organisationId), params.id), database.clock.now()),
  )

  app.post(
    '/',
    {
      config: { access: admin('clients:create'), refuses: ['conflict'] },
      schema: { operationId: 'createClient', summary: 'Register an OAuth client', body: NewClient, response: { 201: ClientWithSecret } },
    },
    async ({ caller, body }, reply) => {
      const { client, secret } = await createClient(dependencies, caller, body)
      return reply.code(201).send({ ...presentClientRecord(client), clientSecret: secret })
    },
  )

  app.patch(
    '/:id',
    {
      config: { access: admin('clients:update'), version: clientVersion, refuses: ['conflict'] },
      schema: {
        operationId: 'updateClient',
        summary: 'Update an OAuth client',
        params: IdParameter,
        body: ClientChanges,
        response: { 200: ClientRecord },
      },
    },
    async ({ caller, params, body, headers }) =>
      presentClientRecord(await changeClient(dependencies, caller, params.id, body, headers['if-match'])),
  )

  app.post(
    '/:id/rotate-secret',
    {
      config: { access: admin('clients:update') },
      schema: {
        operationId: 'rotateClientSecret',
        summary: 'Rotate the secret of an OAuth client',
        params: IdParameter,
        body: SecretRotation,
        response: { 200: ClientWithSecret },
      },
    },
    async ({ caller, params, body }) => {
      const { client, secret } = await rotateSecret(database, caller, params.id, body.gracePeriodSeconds)
      return { ...presentClientRecord(client), clientSecret: secret }
    },
  )

  app.post(
    '/:id/revoke',
    {
      config: { access: admin('clients:delete') },
      schema: {
        operationId: 'revokeClient',
        summary: 'Revoke an OAuth client and all its tokens',
        params: IdParameter,
        body: Reason,
        response: { 200: Message },
      },
    },
    async ({ caller, params, body }) => {
      await revokeClient(database, caller, params.id, body.reason)
      return { message: 'Client revoked' }
    },
  )

  app.post(
    '/:id/activate',
    {
      config: { access: admin('clients:update') },
      schema: {
        operationId: 'activateClient',
        summary: 'Reactivate a revoked OAuth client',
        params: IdParameter,
        response: { 200: Message },
      },
    },
    async ({ caller, params }) => {
      await activateClient(dependencies, caller, params.id)
      return { message: 'Client activated' }
    },
  )

  app.delete(
    '/:id',
    {
      config: { access: admin('clients:delete'), version: clientVersion },
      schema: {
        operationId: 'deleteClient',
        summary: 'Delete an OAuth client',
        params: IdParameter,
        body: Reason,
        response: { 204: z.null() },
      },
    },
    async ({ caller, params, body, headers }, reply) => {
      await deleteClient(database, caller, params.id, headers['if-match'], body.reason)
      return reply.code(204).send(null)
    },
  )
})
