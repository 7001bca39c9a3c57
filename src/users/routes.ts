import { z } from 'zod'
import { admin } from '../access/declarations.ts'
import { presentUser, presentUserDetails, userVersion } from '../accounts/present-user.ts'
import { findUserDetails } from '../accounts/queries.ts'
import { userNotFound } from '../accounts/refusals.ts'
import { NewUser, RoleReference, UserChanges, UserDetails, UserImpact, UserRecord } from '../accounts/schemas.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter, Message, Reason } from '../platform/http/fields.ts'
import { languageOf } from '../platform/language.ts'
import { Removal, removalOf } from '../roles/schemas.ts'
import { assignRoleToUser, unassignRoleFromUser } from './assign-role.ts'
import { createUser, type UserCreation } from './create-user.ts'
import { UserExportQuery, userExport } from './export-users.ts'
import { countImpact } from './impact.ts'
import { userList } from './list-users.ts'
import * as refusals from './refusals.ts'
import { restoreUser, type UserRestoration } from './restore-user.ts'
import { unlockUser } from './unlock-user.ts'
import { changeUser, deleteUser } from './update-user.ts'

interface Operations extends UserCreation, UserRestoration {}

export const userRoutes = defineRoutes({ prefix: '/v1/admin/users', refusals }, async (app, dependencies: Operations) => {
  const { database } = dependencies

  app.get(
    '/',
    {
      config: { access: admin('users:read') },
      schema: { operationId: 'listUsers', summary: 'List users', ...userList.schema },
    },
    async ({ caller: { organisationId }, query }, reply) => userList.send(reply, database, organisationId, query),
  )

  app.get(
    '/export',
    {
      config: { access: admin('users:read') },
      schema: {
        operationId: 'exportUsers',
        summary: 'Export users',
        description: 'All users that the list shows with the same filters, in the same order, as a stream.',
        querystring: UserExportQuery,
        response: userExport.response,
      },
    },
    async ({ caller: { organisationId }, query: { format, ...query } }, reply) =>
      userExport.send(reply, format, database.clock.now(), userList.source(database.listReads(organisationId), query)),
  )

  app.get(
    '/:id',
    {
      config: { access: admin('users:read'), version: userVersion },
      schema: { operationId: 'getUser', summary: 'Get a user', params: IdParameter, response: { 200: UserDetails } },
    },
    async ({ caller, params }) => {
      const user = await findUserDetails(database.pointReads(caller.organisationId), params.id)
      if (!user) throw userNotFound()
      return presentUserDetails(user)
    },
  )

  app.get(
    '/:id/impact',
    {
      config: { access: admin('users:read') },
      schema: {
        operationId: 'getUserImpact',
        summary: 'Count what would end with the access of a user',
        description:
          'How many sessions would end if the user were blocked or deleted, or if all their sessions were ended now, and how many applications would lose their tokens. Nothing is changed.',
        params: IdParameter,
        response: { 200: UserImpact },
      },
    },
    async ({ caller, params }) => countImpact(database.tenant(caller.organisationId), params.id),
  )

  app.post(
    '/',
    {
      config: { access: admin('users:create'), mails: true, refuses: ['conflict', 'too-many-requests'] },
      schema: { operationId: 'createUser', summary: 'Create a user', body: NewUser, response: { 201: UserRecord } },
    },
    async (request, reply) => {
      const user = await createUser(dependencies, request.caller, request.body, languageOf(request))
      return reply.code(201).send(presentUser(user))
    },
  )

  app.patch(
    '/:id',
    {
      config: { access: admin('users:update'), version: userVersion, mails: true },
      schema: {
        operationId: 'updateUser',
        summary: 'Update a user',
        params: IdParameter,
        body: UserChanges,
        response: { 200: UserRecord },
      },
    },
    async (request) => {
      const { caller, params, body, headers } = request
      return presentUser(await changeUser(dependencies, caller, params.id, body, headers['if-match'], languageOf(request)))
    },
  )

  app.delete(
    '/:id',
    {
      config: { access: admin('users:delete'), version: userVersion },
      schema: { operationId: 'deleteUser', summary: 'Delete a user', params: IdParameter, body: Reason, response: { 204: z.null() } },
    },
    async ({ caller, params, body, headers }, reply) => {
      await deleteUser(database, caller, params.id, headers['if-match'], body.reason)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/:id/restore',
    {
      config: { access: admin('users:create') },
      schema: {
        operationId: 'restoreUser',
        summary: 'Restore a deleted user',
        description:
          'With roles, teams, password and second factors, but signed out and without linked accounts. `GET /v1/admin/users?status=deleted` lists who can be restored. A user who is not deleted stays as it is.',
        params: IdParameter,
        response: { 200: UserRecord },
      },
    },
    async ({ caller, params }) => presentUser(await restoreUser(dependencies, caller, params.id)),
  )

  app.delete(
    '/:id/lock',
    {
      config: { access: admin('users:update') },
      schema: {
        operationId: 'unlockUser',
        summary: 'Unlock a user',
        description:
          'Forgets the failed sign-ins and wrong codes of a user, who can sign in again at once. `lockedUntil` says whether a user is locked; for one who is not, nothing is recorded.',
        params: IdParameter,
        response: { 204: z.null() },
      },
    },
    async ({ caller, params }, reply) => {
      await unlockUser(dependencies, caller, params.id)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/:id/roles',
    {
      config: { access: admin('users:update') },
      schema: {
        operationId: 'assignRole',
        summary: 'Assign a role to a user',
        params: IdParameter,
        body: RoleReference,
        response: { 200: Message },
      },
    },
    async ({ caller, params, body }) => {
      await assignRoleToUser(database, caller, params.id, body.roleId)
      return { message: 'Role assigned' }
    },
  )

  app.delete(
    '/:id/roles',
    {
      config: { access: admin('users:update') },
      schema: {
        operationId: 'unassignRole',
        summary: 'Remove a role from a user',
        description:
          'A role that a connection or directory also gives stays: `message` and `remainingSources` then name it. Only it can take the role away.',
        params: IdParameter,
        body: RoleReference,
        response: { 200: Removal },
      },
    },
    async ({ caller, params, body }) => {
      const remaining = await unassignRoleFromUser(database, caller, params.id, body.roleId)
      return removalOf('Role unassigned', 'The user keeps the role', remaining)
    },
  )
})
