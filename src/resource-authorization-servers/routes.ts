import { z } from 'zod'
import { admin } from '../access/declarations.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter, Reason } from '../platform/http/fields.ts'
import { ListQuery, listOf, sendList, sourceOfFew } from '../platform/http/lists.ts'
import {
  changeResourceAuthorizationServer,
  createResourceAuthorizationServer,
  deleteResourceAuthorizationServer,
  type ResourceAuthorizationServerAdministration,
} from './change-resource-authorization-server.ts'
import { presentResourceAuthorizationServer, resourceAuthorizationServerVersion } from './present-resource-authorization-server.ts'
import { getResourceAuthorizationServer, listResourceAuthorizationServers } from './queries.ts'
import * as refusals from './refusals.ts'
import { NewResourceAuthorizationServer, ResourceAuthorizationServerChanges, ResourceAuthorizationServerRecord } from './schemas.ts'

export const resourceAuthorizationServerRoutes = defineRoutes(
  { prefix: '/v1/admin/resource-authorization-servers', refusals },
  async (app, dependencies: ResourceAuthorizationServerAdministration) => {
    const { database } = dependencies

    app.get(
      '/',
      {
        config: { access: admin('resource_servers:read') },
        schema: {
          operationId: 'listResourceAuthorizationServers',
          summary: 'List resource authorization servers',
          querystring: ListQuery,
          response: { 200: listOf(ResourceAuthorizationServerRecord) },
        },
      },
      async ({ caller, query }, reply) => {
        const servers = sourceOfFew(() => listResourceAuthorizationServers(database.listReads(caller.organisationId)))
        return sendList(reply, query, ResourceAuthorizationServerRecord, servers, presentResourceAuthorizationServer)
      },
    )

    app.get(
      '/:id',
      {
        config: { access: admin('resource_servers:read'), version: resourceAuthorizationServerVersion },
        schema: {
          operationId: 'getResourceAuthorizationServer',
          summary: 'Get a resource authorization server',
          params: IdParameter,
          response: { 200: ResourceAuthorizationServerRecord },
        },
      },
      async ({ caller, params }) =>
        presentResourceAuthorizationServer(await getResourceAuthorizationServer(database.pointReads(caller.organisationId), params.id)),
    )

    app.post(
      '/',
      {
        config: { access: admin('resource_servers:create'), refuses: ['conflict'] },
        schema: {
          operationId: 'createResourceAuthorizationServer',
          summary: 'Register a resource authorization server',
          description:
            'An authorization server of another company, which takes identity assertions of this organisation. Its grants say which client may do what there, and for whom.',
          body: NewResourceAuthorizationServer,
          response: { 201: ResourceAuthorizationServerRecord },
        },
      },
      async ({ caller, body }, reply) =>
        reply.code(201).send(presentResourceAuthorizationServer(await createResourceAuthorizationServer(dependencies, caller, body))),
    )

    app.patch(
      '/:id',
      {
        config: { access: admin('resource_servers:update'), version: resourceAuthorizationServerVersion },
        schema: {
          operationId: 'updateResourceAuthorizationServer',
          summary: 'Update a resource authorization server',
          description: 'Lists that are sent replace those before. Assertions that were issued before stay valid for their few minutes.',
          params: IdParameter,
          body: ResourceAuthorizationServerChanges,
          response: { 200: ResourceAuthorizationServerRecord },
        },
      },
      async ({ caller, params, body, headers }) =>
        presentResourceAuthorizationServer(
          await changeResourceAuthorizationServer(dependencies, caller, params.id, body, headers['if-match']),
        ),
    )

    app.delete(
      '/:id',
      {
        config: { access: admin('resource_servers:delete'), version: resourceAuthorizationServerVersion },
        schema: {
          operationId: 'deleteResourceAuthorizationServer',
          summary: 'Delete a resource authorization server',
          params: IdParameter,
          body: Reason,
          response: { 204: z.null() },
        },
      },
      async ({ caller, params, body, headers }, reply) => {
        await deleteResourceAuthorizationServer(database, caller, params.id, headers['if-match'], body.reason)
        return reply.code(204).send(null)
      },
    )
  },
)
