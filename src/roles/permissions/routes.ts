/** /v1/admin/permissions */
import { admin } from '../../access/declarations.ts'
import type { Database } from '../../platform/database/database.ts'
import type { App } from '../../platform/http/server.ts'
import { permissionList } from './list-permissions.ts'

export const permissionRoutes = (database: Database) => async (app: App) => {
  app.get(
    '/',
    {
      config: { access: admin('users:read') },
      schema: { summary: 'List permissions', ...permissionList.schema },
    },
    async ({ caller: { organisationId }, query }, reply) =>
      permissionList.send(reply, database.tenant(organisationId), query, database.pointReads(organisationId)),
  )
}
