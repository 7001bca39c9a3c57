import { z } from 'zod'
import { changesThatGiveTrust, trustRules } from '../../shared/trusted-settings.ts'
import { admin } from '../access/declarations.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter, Reason } from '../platform/http/fields.ts'
import { ListQuery, listOf, sendList, sourceOfFew } from '../platform/http/lists.ts'
import { changeConnection, deleteConnection, rotateKeys, rotateSecret } from './change-connection.ts'
import { type ConnectionAdministration, createConnection } from './create-connection.ts'
import { connectionVersion, presentConnection } from './present-connection.ts'
import { type Connection, getConnection, listConnections } from './queries.ts'
import * as refusals from './refusals.ts'
import { ConnectionChanges, ConnectionRecord, KeyRotation, NewConnection, NewConnectionSecret } from './schemas.ts'

const at = { prefix: '/v1/admin/connections', refusals }

const whoMay =
  'Needs every permission that any user but the owner holds, those of the roles that it maps and, with `provisioning` `jit`, those of the default role: a connection decides who a user is.'

export const connectionRoutes = defineRoutes(at, async (app, dependencies: ConnectionAdministration) => {
  const { database, publicUrl } = dependencies
  const present = (connection: Connection) => presentConnection(connection, publicUrl, database.clock.now())

  app.get(
    '/',
    {
      config: { access: admin('connections:read') },
      schema: {
        operationId: 'listConnections',
        summary: 'List connections',
        querystring: ListQuery,
        response: { 200: listOf(ConnectionRecord) },
      },
    },
    async ({ caller, query }, reply) => {
      const tenant = database.listReads(caller.organisationId)
      return sendList(
        reply,
        query,
        ConnectionRecord,
        sourceOfFew(() => listConnections(tenant)),
        present,
      )
    },
  )

  app.get(
    '/:id',
    {
      config: { access: admin('connections:read'), version: connectionVersion },
      schema: { operationId: 'getConnection', summary: 'Get a connection', params: IdParameter, response: { 200: ConnectionRecord } },
    },
    async ({ caller, params }) => present(await getConnection(database.pointReads(caller.organisationId), params.id)),
  )

  app.post(
    '/',
    {
      config: { access: admin('connections:create'), refuses: ['conflict', 'too-many-requests'] },
      schema: {
        operationId: 'createConnection',
        summary: 'Create a connection',
        description: `${whoMay} An inactive one may be created before its provider has issued a client id.`,
        body: NewConnection,
        response: { 201: ConnectionRecord },
      },
    },
    async ({ caller, body }, reply) => reply.code(201).send(present(await createConnection(dependencies, caller, body))),
  )

  app.patch(
    '/:id',
    {
      config: { access: admin('connections:update'), version: connectionVersion, refuses: ['conflict', 'too-many-requests'] },
      schema: {
        operationId: 'updateConnection',
        summary: 'Update a connection',
        description: `A change of ${changesThatGiveTrust(trustRules.connection)}: ${whoMay.toLowerCase()} Who is not the owner unlinks the accounts of the owner with a change of who proves them, or one by which more of it is believed.`,
        params: IdParameter,
        body: ConnectionChanges,
        response: { 200: ConnectionRecord },
      },
    },
    async ({ caller, params, body, headers }) =>
      present(await changeConnection(dependencies, caller, params.id, body, headers['if-match'])),
  )

  app.delete(
    '/:id',
    {
      config: { access: admin('connections:delete'), version: connectionVersion, refuses: ['conflict'] },
      schema: {
        operationId: 'deleteConnection',
        summary: 'Delete a connection',
        description:
          'Unlinks all accounts, ends the sessions that began with it, and takes away the roles and memberships that only it gave. Users stay.',
        params: IdParameter,
        body: Reason,
        response: { 204: z.null() },
      },
    },
    async ({ caller, params, body, headers }, reply) => {
      await deleteConnection(dependencies, caller, params.id, headers['if-match'], body.reason)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/:id/rotate-secret',
    {
      config: { access: admin('connections:update') },
      schema: {
        operationId: 'rotateConnectionSecret',
        summary: 'Rotate the secret of a connection',
        description: 'Both secrets are tried during the grace period.',
        params: IdParameter,
        body: NewConnectionSecret,
        response: { 200: ConnectionRecord },
      },
    },
    async ({ caller, params, body }) => present(await rotateSecret(dependencies, caller, params.id, body)),
  )

  app.post(
    '/:id/rotate-keys',
    {
      config: { access: admin('connections:update'), refuses: ['conflict'] },
      schema: {
        operationId: 'rotateConnectionKeys',
        summary: 'Rotate the keys of a connection',
        description:
          'Of one with `private_key_jwt` or by SAML. The next key is at `jwksUri` or in our metadata at once; its provider may have read the keys long before. There is one at a time. Where there is no key, as after an import without secrets, the new one signs at once.',
        params: IdParameter,
        body: KeyRotation,
        response: { 200: ConnectionRecord },
      },
    },
    async ({ caller, params, body }) => present(await rotateKeys(dependencies, caller, params.id, body)),
  )
})
