/** What of /v1/admin/connections speaks with identity providers */
import { admin } from '../../access/declarations.ts'
import { defineRoutes } from '../../platform/http/define-routes.ts'
import { IdParameter } from '../../platform/http/fields.ts'
import { presentConnection } from '../present-connection.ts'
import { ConnectionRecord } from '../schemas.ts'
import { refreshConnection } from './refresh.ts'
import type { Federation } from './start.ts'

export const connectionTrialRoutes = defineRoutes('/v1/admin/connections', async (app, dependencies: Federation) => {
  app.post(
    '/:id/refresh',
    {
      config: { access: admin('connections:update'), refuses: ['too-many-requests'] },
      schema: {
        operationId: 'refreshConnection',
        summary: 'Refresh a connection',
        description: 'Reads discovery and keys of the provider now; `errors` say what cannot be read. There is nothing to read of GitHub.',
        params: IdParameter,
        response: { 200: ConnectionRecord },
      },
    },
    async ({ caller, params }) => presentConnection(await refreshConnection(dependencies, caller, params.id), dependencies.publicUrl),
  )
})
