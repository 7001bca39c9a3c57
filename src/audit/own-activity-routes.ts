/** /v1/me/activity */
import { self } from '../access/declarations.ts'
import type { Database } from '../platform/database/database.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { ActivityPage, ActivityQuery, listOwnActivity } from './own-activity.ts'

export const ownActivityRoutes = defineRoutes('/v1/me/activity', async (app, { database }: { database: Database }) => {
  app.get(
    '/',
    {
      config: { access: self() },
      schema: {
        operationId: 'listOwnActivity',
        summary: 'List your sign-ins and security changes, newest first',
        description: 'From the audit log: only entries about you, without the addresses of others.',
        querystring: ActivityQuery,
        response: { 200: ActivityPage },
      },
    },
    async ({ caller, query }) => listOwnActivity(database, caller, query),
  )
})
