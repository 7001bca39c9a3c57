/** The routes of /v1/admin/connections that contact identity providers */
import { admin } from '../../access/declarations.ts'
import { defineRoutes } from '../../platform/http/define-routes.ts'
import { IdParameter, presentTime } from '../../platform/http/fields.ts'
import { presentConnection } from '../present-connection.ts'
import { ConnectionRecord } from '../schemas.ts'
import { StartedTest } from './administration-schemas.ts'
import { refreshConnection } from './refresh.ts'
import type { Federation } from './start.ts'

export const connectionTestRoutes = defineRoutes('/v1/admin/connections', async (app, dependencies: Federation) => {
  app.post(
    '/:id/refresh',
    {
      config: { access: admin('connections:update'), refuses: ['too-many-requests'] },
      schema: {
        operationId: 'refreshConnection',
        summary: 'Refresh a connection',
        description:
          'Reads discovery and keys of the provider now; `errors` say what cannot be read. GitHub has neither. Where metadata bring another certificate, who is not the owner unlinks the accounts of the owner.',
        params: IdParameter,
        response: { 200: ConnectionRecord },
      },
    },
    async ({ caller, params }) => {
      const { database, publicUrl } = dependencies
      return presentConnection(await refreshConnection(dependencies, caller, params.id), publicUrl, database.clock.now())
    },
  )

  app.post(
    '/:id/test',
    {
      config: { access: admin('connections:read'), refuses: ['forbidden', 'too-many-requests'] },
      schema: {
        operationId: 'testConnection',
        summary: 'Test a connection',
        description:
          'The connection need not be active. The page signs in at the provider and shows each check, the claims, and what a sign-in would do, instead of signing the user in. For a signed-in user, in one browser.',
        params: IdParameter,
        response: { 200: StartedTest },
      },
    },
    async ({ caller, params }) => {
      const { prepareTest } = await import('./test-sign-in.ts')
      const { url, expiresAt } = await prepareTest(dependencies, caller, params.id)
      return { url, expiresAt: presentTime(expiresAt) }
    },
  )
})
