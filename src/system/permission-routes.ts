/** /v1/system/permissions */
import { z } from 'zod'
import { operatorOf } from '../access/caller.ts'
import { system } from '../access/declarations.ts'
import type { Database } from '../platform/database/database.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter } from '../platform/http/fields.ts'
import { createPermission } from '../roles/permissions/create-permission.ts'
import { deletePermission } from '../roles/permissions/delete-permission.ts'
import { permissionList } from '../roles/permissions/list-permissions.ts'
import { presentPermission } from '../roles/permissions/queries.ts'
import { NewPermission, PermissionRecord } from '../roles/permissions/schemas.ts'

export const systemPermissionRoutes = defineRoutes('/v1/system', async (app, { database }: { database: Database }) => {
  app.get(
    '/permissions',
    {
      config: { access: system() },
      schema: {
        operationId: 'listAllPermissions',
        summary: 'List all permissions',
        description: 'The built-in ones and those that were added.',
        ...permissionList.schema,
      },
    },
    async ({ query }, reply) => permissionList.sendOfAll(reply, database.systemListReads(), query),
  )

  app.post(
    '/permissions',
    {
      config: { access: system(), refuses: ['conflict'] },
      schema: {
        operationId: 'createPermission',
        summary: 'Add a permission',
        description: 'For your own API: roles of every organisation can hold it from then on.',
        body: NewPermission,
        response: { 201: PermissionRecord },
      },
    },
    async (request, reply) => {
      const permission = await createPermission(database, operatorOf(request), request.body)
      return reply.code(201).send(presentPermission(permission))
    },
  )

  app.delete(
    '/permissions/:id',
    {
      config: { access: system() },
      schema: {
        operationId: 'deletePermission',
        summary: 'Remove a permission from the catalogue, roles and API keys',
        description: "The service's own permissions cannot be removed. Tokens with the permission stay valid until they expire.",
        params: IdParameter,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await deletePermission(database, operatorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
})
