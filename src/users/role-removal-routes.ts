/** DELETE /v1/admin/roles/:id. It is part of users/ because it changes every user who has the role. */
import { z } from 'zod'
import { admin } from '../access/declarations.ts'
import type { Database } from '../platform/database/database.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter, Reason } from '../platform/http/fields.ts'
import { roleVersion } from '../roles/queries.ts'
import { removeRole } from './remove-role.ts'

export const roleRemovalRoutes = defineRoutes('/v1/admin/roles', async (app, { database }: { database: Database }) => {
  app.delete(
    '/:id',
    {
      config: { access: admin('roles:delete'), version: roleVersion },
      schema: { operationId: 'deleteRole', summary: 'Delete a role', params: IdParameter, body: Reason, response: { 204: z.null() } },
    },
    async ({ caller, params, body, headers }, reply) => {
      await removeRole(database, caller, params.id, headers['if-match'], body.reason)
      return reply.code(204).send(null)
    },
  )
})
