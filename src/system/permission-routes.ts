/** POST /v1/system/permissions */
import { actorOf } from '../access/caller.ts'
import { system } from '../access/declarations.ts'
import { createPermission } from '../permissions/create-permission.ts'
import { presentPermission } from '../permissions/queries.ts'
import { NewPermission, PermissionRecord } from '../permissions/schemas.ts'
import type { Database } from '../platform/database/database.ts'
import type { App } from '../platform/http/server.ts'

export const systemPermissionRoutes = (database: Database) => async (app: App) => {
  app.post(
    '/permissions',
    {
      config: { access: system(), refuses: ['conflict'] },
      schema: { summary: 'Add a permission to the catalogue', body: NewPermission, response: { 201: PermissionRecord } },
    },
    async (request, reply) => {
      const operator = actorOf(request, { actorType: 'system', actorId: null })
      return reply.code(201).send(presentPermission(await createPermission(database, operator, request.body)))
    },
  )
}
