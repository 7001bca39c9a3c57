/** /v1/admin/sign-ins */
import { admin } from '../access/declarations.ts'
import type { Database } from '../platform/database/database.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter } from '../platform/http/fields.ts'
import * as refusals from './refusals.ts'
import { SignIn } from './schemas.ts'
import { getSignIn } from './show-sign-in.ts'

export const signInRecordRoutes = defineRoutes(
  { prefix: '/v1/admin/sign-ins', refusals },
  async (app, { database }: { database: Database }) => {
    app.get(
      '/:id',
      {
        config: { access: admin('audit:read') },
        schema: {
          operationId: 'getSignIn',
          summary: 'Show a sign-in from its first request to its end',
          description:
            'Audit entries, sessions and diagnostics name their sign-in as `signInId`. Records that are stored for a shorter time than the audit log, such as codes and refusals, are missing once they are deleted.',
          params: IdParameter,
          response: { 200: SignIn },
        },
      },
      async ({ caller, params }) => getSignIn(database.tenant(caller.organisationId), caller.permissions, params.id),
    )
  },
)
