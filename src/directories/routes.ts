import { z } from 'zod'
import { changesThatGiveTrust, trustRules } from '../../shared/trusted-settings.ts'
import { admin } from '../access/declarations.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter, Reason } from '../platform/http/fields.ts'
import { ListQuery, listOf, sendList, sourceOfFew } from '../platform/http/lists.ts'
import { changeDirectory, type DirectoryChanging, deleteDirectory } from './change-directory.ts'
import { createDirectory } from './create-directory.ts'
import { listRequests } from './list-requests.ts'
import { mappingsImpact } from './mappings-impact.ts'
import { directoryVersion, presentDirectory, presentToken } from './present-directory.ts'
import { getDirectory, listDirectories, type WholeDirectory } from './queries.ts'
import * as refusals from './refusals.ts'
import {
  AskedMappings,
  DirectoryChanges,
  DirectoryRecord,
  DirectoryRequestPage,
  DirectoryTokenWithSecret,
  MappingsImpact,
  NewDirectory,
  NewDirectoryToken,
  RequestsQuery,
  TokenParameters,
} from './schemas.ts'
import { createDirectoryToken, endDirectoryToken } from './tokens.ts'

const at = { prefix: '/v1/admin/directories', refusals }

const whoMay =
  'Needs every permission that any user but the owner holds, and those of the mapped roles and of the default role: a directory decides who a user is.'

export const directoryRoutes = defineRoutes(at, async (app, service: DirectoryChanging) => {
  const { database, publicUrl } = service
  const present = (directory: WholeDirectory) => presentDirectory(directory, publicUrl)

  app.get(
    '/',
    {
      config: { access: admin('directories:read') },
      schema: {
        operationId: 'listDirectories',
        summary: 'List directories',
        querystring: ListQuery,
        response: { 200: listOf(DirectoryRecord) },
      },
    },
    async ({ caller, query }, reply) => {
      const directories = sourceOfFew(() => listDirectories(database.listReads(caller.organisationId)))
      return sendList(reply, query, DirectoryRecord, directories, present)
    },
  )

  app.get(
    '/:id',
    {
      config: { access: admin('directories:read'), version: directoryVersion },
      schema: { operationId: 'getDirectory', summary: 'Get a directory', params: IdParameter, response: { 200: DirectoryRecord } },
    },
    async ({ caller, params }) => present(await getDirectory(database.tenant(caller.organisationId), params.id)),
  )

  app.post(
    '/',
    {
      config: { access: admin('directories:create'), refuses: ['conflict'] },
      schema: {
        operationId: 'createDirectory',
        summary: 'Create a directory',
        description: `${whoMay} It manages nothing until it has a token.`,
        body: NewDirectory,
        response: { 201: DirectoryRecord },
      },
    },
    async ({ caller, body }, reply) => reply.code(201).send(present(await createDirectory(database, caller, body))),
  )

  app.patch(
    '/:id',
    {
      config: { access: admin('directories:update'), version: directoryVersion, refuses: ['conflict'] },
      schema: {
        operationId: 'updateDirectory',
        summary: 'Update a directory',
        description: `A change of ${changesThatGiveTrust(trustRules.directory)}: ${whoMay.toLowerCase()}`,
        params: IdParameter,
        body: DirectoryChanges,
        response: { 200: DirectoryRecord },
      },
    },
    async ({ caller, params, body, headers }) => present(await changeDirectory(service, caller, params.id, body, headers['if-match'])),
  )

  app.post(
    '/:id/impact',
    {
      config: { access: admin('directories:read'), readsOnly: true },
      schema: {
        operationId: 'getDirectoryImpact',
        summary: 'Show the impact of changing the mappings of a directory',
        description: 'How many users would gain or lose which role and team. Nothing is changed.',
        params: IdParameter,
        body: AskedMappings,
        response: { 200: MappingsImpact },
      },
    },
    async ({ caller, params, body }) => mappingsImpact(database.tenant(caller.organisationId), params.id, body),
  )

  app.delete(
    '/:id',
    {
      config: { access: admin('directories:delete'), version: directoryVersion },
      schema: {
        operationId: 'deleteDirectory',
        summary: 'Delete a directory',
        description: 'Ends its tokens, and takes the roles and memberships that it alone gave. Users and teams stay.',
        params: IdParameter,
        body: Reason,
        response: { 204: z.null() },
      },
    },
    async ({ caller, params, body, headers }, reply) => {
      await deleteDirectory(database, caller, params.id, headers['if-match'], body.reason)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/:id/tokens',
    {
      config: { access: admin('directories:update') },
      schema: {
        operationId: 'createDirectoryToken',
        summary: 'Create a token of a directory',
        description: `${whoMay} At most two work at a time, so that one can replace the other without a gap.`,
        params: IdParameter,
        body: NewDirectoryToken,
        response: { 201: DirectoryTokenWithSecret },
      },
    },
    async ({ caller, params, body }, reply) => {
      const { record, token } = await createDirectoryToken(database, caller, params.id, body)
      return reply.code(201).send({ ...presentToken(record), token })
    },
  )

  app.delete(
    '/:id/tokens/:tokenId',
    {
      config: { access: admin('directories:update') },
      schema: {
        operationId: 'endDirectoryToken',
        summary: 'End a token of a directory',
        params: TokenParameters,
        response: { 204: z.null() },
      },
    },
    async ({ caller, params }, reply) => {
      await endDirectoryToken(database, caller, params.id, params.tokenId)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/:id/requests',
    {
      config: { access: admin('directories:read') },
      schema: {
        operationId: 'listDirectoryRequests',
        summary: 'List the requests of a directory, newest first',
        description: 'Those of the last seven days that had a valid token, with values masked, except those that were too many (429).',
        params: IdParameter,
        querystring: RequestsQuery,
        response: { 200: DirectoryRequestPage },
      },
    },
    async ({ caller, params, query }) => listRequests(database.listReads(caller.organisationId), params.id, query),
  )
})
