import { admin } from '../../access/declarations.ts'
import type { Database } from '../../platform/database/database.ts'
import { defineRoutes } from '../../platform/http/define-routes.ts'
import { grantablePermissionList } from './list-permissions.ts'
import * as refusals from './refusals.ts'

export const permissionRoutes = defineRoutes(
  { prefix: '/v1/admin/permissions', refusals },
  async (app, { database }: { database: Database }) => {
    app.get(
      '/',
      {
        config: { access: admin('users:read') },
        schema: { operationId: 'listPermissions', summary: 'List permissions', ...grantablePermissionList.schema },
      },
      async ({ caller, query }, reply) => {
        const { organisationId } = caller
        return grantablePermissionList.send(reply, database, organisationId, query, caller)
      },
    )
  },
)
