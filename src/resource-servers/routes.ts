import { z } from 'zod'
import { admin } from '../access/declarations.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter, Reason } from '../platform/http/fields.ts'
import { ListQuery, listOf, sendList, sourceOfFew } from '../platform/http/lists.ts'
import { changeResourceServer, deleteResourceServer } from './change-resource-server.ts'
import { checkMcpServer, type McpServerChecking } from './check-mcp-server.ts'
import { createResourceServer, type ResourceServerAdministration } from './create-resource-server.ts'
import { presentMetadata, presentResourceServer, resourceServerVersion } from './present-resource-server.ts'
import { getResourceServer, listResourceServers } from './queries.ts'
import * as refusals from './refusals.ts'
import {
  McpServerAddress,
  McpServerCheck,
  NewResourceServer,
  ResourceMetadata,
  ResourceServerChanges,
  ResourceServerRecord,
} from './schemas.ts'

export const resourceServerRoutes = defineRoutes(
  { prefix: '/v1/admin/resource-servers', refusals },
  async (app, dependencies: ResourceServerAdministration & McpServerChecking) => {
    const { database, issuer } = dependencies

    app.get(
      '/',
      {
        config: { access: admin('resource_servers:read') },
        schema: {
          operationId: 'listResourceServers',
          summary: 'List resource servers',
          querystring: ListQuery,
          response: { 200: listOf(ResourceServerRecord) },
        },
      },
      async ({ caller, query }, reply) => {
        const servers = sourceOfFew(() => listResourceServers(database.listReads(caller.organisationId)))
        return sendList(reply, query, ResourceServerRecord, servers, presentResourceServer)
      },
    )

    app.get(
      '/:id',
      {
        config: { access: admin('resource_servers:read'), version: resourceServerVersion },
        schema: {
          operationId: 'getResourceServer',
          summary: 'Get a resource server',
          params: IdParameter,
          response: { 200: ResourceServerRecord },
        },
      },
      async ({ caller, params }) => presentResourceServer(await getResourceServer(database.pointReads(caller.organisationId), params.id)),
    )

    app.get(
      '/:id/metadata',
      {
        config: { access: admin('resource_servers:read') },
        schema: {
          operationId: 'getResourceServerMetadata',
          summary: 'Get the metadata that a resource server publishes',
          description:
            'The document of OAuth 2.0 Protected Resource Metadata (RFC 9728) and the header that leads clients to it. The resource server itself has to serve both.',
          params: IdParameter,
          response: { 200: ResourceMetadata },
        },
      },
      async ({ caller, params }) => presentMetadata(await getResourceServer(database.pointReads(caller.organisationId), params.id), issuer),
    )

    app.post(
      '/',
      {
        config: { access: admin('resource_servers:create'), refuses: ['conflict'] },
        schema: {
          operationId: 'createResourceServer',
          summary: 'Register a resource server',
          description: 'An API that access tokens can be issued for, once clients may ask for it.',
          body: NewResourceServer,
          response: { 201: ResourceServerRecord },
        },
      },
      async ({ caller, body }, reply) =>
        reply.code(201).send(presentResourceServer(await createResourceServer(dependencies, caller, body))),
    )

    app.post(
      '/check-mcp-server',
      {
        config: { access: admin('resource_servers:create'), refuses: ['too-many-requests'] },
        schema: {
          operationId: 'checkMcpServer',
          summary: 'Check an MCP server',
          description:
            'Asks the server at an address what clients of the Model Context Protocol ask it before they have a token, and says whether its answers lead them here. Changes nothing.',
          body: McpServerAddress,
          response: { 200: McpServerCheck },
        },
      },
      async ({ caller, body }) => checkMcpServer(dependencies, caller, body.identifier),
    )

    app.patch(
      '/:id',
      {
        config: { access: admin('resource_servers:update'), version: resourceServerVersion },
        schema: {
          operationId: 'updateResourceServer',
          summary: 'Update a resource server',
          description: 'Setting isActive to false ends all its access tokens for good.',
          params: IdParameter,
          body: ResourceServerChanges,
          response: { 200: ResourceServerRecord },
        },
      },
      async ({ caller, params, body, headers }) =>
        presentResourceServer(await changeResourceServer(dependencies, caller, params.id, body, headers['if-match'])),
    )

    app.delete(
      '/:id',
      {
        config: { access: admin('resource_servers:delete'), version: resourceServerVersion, refuses: ['conflict'] },
        schema: {
          operationId: 'deleteResourceServer',
          summary: 'Delete a resource server',
          description: 'Ends its access tokens, and takes it from the clients that may ask for it. Refused while it is the default of one.',
          params: IdParameter,
          body: Reason,
          response: { 204: z.null() },
        },
      },
      async ({ caller, params, body, headers }, reply) => {
        await deleteResourceServer(database, caller, params.id, headers['if-match'], body.reason)
        return reply.code(204).send(null)
      },
    )
  },
)
