/** /v1/admin/permissions */
import { admin } from '../access/declarations.ts'
import type { Database } from '../platform/database/database.ts'
import { ListQuery, listOf, sendList } from '../platform/http/lists.ts'
import type { App } from '../platform/http/server.ts'
import { countPermissions, listPermissions, presentPermission } from './queries.ts'
import { PermissionRecord } from './schemas.ts'

export const permissionRoutes = (database: Database) => async (app: App) => {
  app.get(
    '/',
    {
      config: { access: admin('users:read') },
      schema: { summary: 'List permissions', querystring: ListQuery, response: { 200: listOf(PermissionRecord) } },
    },
    async ({ caller, query }, reply) => {
      const tenant = database.tenant(caller.organisationId)
      const source = {
        page: (limit: number, after: string | undefined) => listPermissions(tenant, limit, after),
        count: () => countPermissions(tenant),
        key: ({ slug }: { slug: string }) => slug,
      }
      return sendList(reply, query, PermissionRecord, source, presentPermission)
    },
  )
}
