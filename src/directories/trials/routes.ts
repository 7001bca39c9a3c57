/** POST /v1/admin/directories/:id/requests/try */
import { admin } from '../../access/declarations.ts'
import type { RateLimits } from '../../access/rate-limits.ts'
import { defineRoutes } from '../../platform/http/define-routes.ts'
import { IdParameter } from '../../platform/http/fields.ts'
import { RequestToTry, TriedRequest } from './schemas.ts'
import { type Trials, tryRequest } from './try-request.ts'

interface TrialService extends Trials {
  limits: Pick<RateLimits, 'triedRequestsByOrganisation'>
}

export const directoryTrialRoutes = defineRoutes('/v1/admin/directories', async (app, service: TrialService) => {
  app.post(
    '/:id/requests/try',
    {
      // The response has users, as the directory would see them.
      config: { access: admin('directories:update', 'users:read'), refuses: ['too-many-requests'] },
      schema: {
        operationId: 'tryDirectoryRequest',
        summary: 'Try a request of a directory',
        description:
          'Carries the request out as if the directory had sent it, and rolls it back: the response that it would get, and what would change. Nothing is stored but an audit entry that it was tried.',
        params: IdParameter,
        body: RequestToTry,
        response: { 200: TriedRequest },
      },
    },
    async ({ caller, params, body }) => {
      await service.limits.triedRequestsByOrganisation.count(caller.organisationId)
      return tryRequest(service, caller, params.id, body)
    },
  )
})
