/** Client ID metadata documents: the one of a client, and /v1/admin/blocked-client-hosts, hosts whose documents the organisation refuses */
import { z } from 'zod'
import { admin } from '../access/declarations.ts'
import type { Database } from '../platform/database/database.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter } from '../platform/http/fields.ts'
import { ListQuery, listOf, sendList, sourceOfFew } from '../platform/http/lists.ts'
import { blockHost, listBlockedHosts, presentBlockedHost, unblockHost } from './blocked-hosts.ts'
import { describeDocument, listFailingDocuments } from './documents/describe-document.ts'
import * as refusals from './refusals.ts'
import { BlockedHostRecord, FailingClientDocuments, NewBlockedHost, StoredClientDocument } from './schemas.ts'

const at = { prefix: '/v1/admin/blocked-client-hosts', refusals }

export const blockedHostRoutes = defineRoutes(at, async (app, { database }: { database: Database }) => {
  app.get(
    '/',
    {
      config: { access: admin('clients:read') },
      schema: {
        operationId: 'listBlockedClientHosts',
        summary: 'List blocked hosts of applications',
        description: 'Hosts whose client ID metadata documents are refused.',
        querystring: ListQuery,
        response: { 200: listOf(BlockedHostRecord) },
      },
    },
    async ({ caller, query }, reply) => {
      const hosts = sourceOfFew(() => listBlockedHosts(database.listReads(caller.organisationId)))
      return sendList(reply, query, BlockedHostRecord, hosts, presentBlockedHost)
    },
  )

  app.post(
    '/',
    {
      config: { access: admin('clients:delete'), refuses: ['conflict'] },
      schema: {
        operationId: 'blockClientHost',
        summary: 'Block a host of applications',
        description:
          'Revokes every application whose client ID metadata document is of this host, with all its tokens, and refuses others.',
        body: NewBlockedHost,
        response: { 201: BlockedHostRecord },
      },
    },
    async ({ caller, body }, reply) => reply.code(201).send(presentBlockedHost(await blockHost(database, caller, body))),
  )

  app.delete(
    '/:id',
    {
      config: { access: admin('clients:delete') },
      schema: {
        operationId: 'unblockClientHost',
        summary: 'Unblock a host of applications',
        description: 'Documents of the host are accepted again. Applications that were revoked stay revoked.',
        params: IdParameter,
        response: { 204: z.null() },
      },
    },
    async ({ caller, params }, reply) => {
      await unblockHost(database, caller, params.id)
      return reply.code(204).send(null)
    },
  )
})

export const clientDocumentRoutes = defineRoutes('/v1/admin/clients', async (app, { database }: { database: Database }) => {
  app.get(
    '/failing-documents',
    {
      config: { access: admin('clients:read') },
      schema: {
        operationId: 'listFailingClientDocuments',
        summary: 'Which clients have a document that cannot be read',
        description: 'Clients of the organisation that introduced themselves by a document, and since when it cannot be read any more.',
        response: { 200: FailingClientDocuments },
      },
    },
    async ({ caller }) => listFailingDocuments(database, caller.organisationId),
  )

  app.get(
    '/:id/document',
    {
      config: { access: admin('clients:read') },
      schema: {
        operationId: 'getClientDocument',
        summary: 'Whether the document of a client can be read',
        description:
          'When the client ID metadata document by which the client introduced itself was read last, and since when it cannot be read any more. It is read when a request needs it.',
        params: IdParameter,
        response: { 200: StoredClientDocument },
      },
    },
    async ({ caller, params }) => describeDocument(database, caller.organisationId, params.id),
  )
})
