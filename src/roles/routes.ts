import { admin } from '../access/declarations.ts'
import type { Database } from '../platform/database/database.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter } from '../platform/http/fields.ts'
import { createRole } from './create-role.ts'
import { roleImpact } from './impact.ts'
import { roleList } from './list-roles.ts'
import { getRole, presentRoleRecord, roleVersion } from './queries.ts'
import * as refusals from './refusals.ts'
import { AskedRoleChange, NewRole, RoleChanges, RoleImpact, RoleRecord } from './schemas.ts'
import { changeRole } from './update-role.ts'

export const roleRoutes = defineRoutes({ prefix: '/v1/admin/roles', refusals }, async (app, { database }: { database: Database }) => {
  app.get(
    '/',
    {
      config: { access: admin('roles:read') },
      schema: { operationId: 'listRoles', summary: 'List roles', ...roleList.schema },
    },
    async ({ caller: { organisationId }, query }, reply) => roleList.send(reply, database, organisationId, query),
  )

  app.get(
    '/:id',
    {
      config: { access: admin('roles:read'), version: roleVersion },
      schema: { operationId: 'getRole', summary: 'Get a role', params: IdParameter, response: { 200: RoleRecord } },
    },
    async ({ caller, params }) => presentRoleRecord(await getRole(database.pointReads(caller.organisationId), params.id)),
  )

  app.post(
    '/',
    {
      config: { access: admin('roles:create'), refuses: ['conflict'] },
      schema: { operationId: 'createRole', summary: 'Create a role', body: NewRole, response: { 201: RoleRecord } },
    },
    async ({ caller, body }, reply) => {
      const role = await createRole(database, caller, body)
      return reply.code(201).send(presentRoleRecord(role))
    },
  )

  app.patch(
    '/:id',
    {
      config: { access: admin('roles:update'), version: roleVersion },
      schema: {
        operationId: 'updateRole',
        summary: 'Update a role',
        params: IdParameter,
        body: RoleChanges,
        response: { 200: RoleRecord },
      },
    },
    async ({ caller, params, body, headers }) =>
      presentRoleRecord(await changeRole(database, caller, params.id, body, headers['if-match'])),
  )

  app.post(
    '/:id/impact',
    {
      config: { access: admin('roles:read'), readsOnly: true },
      schema: {
        operationId: 'getRoleImpact',
        summary: 'Show the impact of changing or deleting a role',
        description: 'Nothing is changed.',
        params: IdParameter,
        body: AskedRoleChange,
        response: { 200: RoleImpact },
      },
    },
    async ({ caller, params, body }) => roleImpact(database.tenant(caller.organisationId), caller, params.id, body),
  )
})
