/** /v1/admin/statistics */
import { admin } from '../access/declarations.ts'
import type { Database } from '../platform/database/database.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { areMany, countRecords } from './queries.ts'
import { createRecentCounts } from './recent-counts.ts'
import { Statistics } from './schemas.ts'

export const statisticsRoutes = defineRoutes('/v1/admin/statistics', async (app, { database }: { database: Database }) => {
  const recent = createRecentCounts(database.clock, areMany)

  app.get(
    '/',
    {
      config: { access: admin() },
      schema: {
        operationId: 'getStatistics',
        summary: 'Count the records of the organisation',
        description:
          'Each group is left out for a caller without its permission. From 5,000 users on, the numbers of users and sessions may be a minute old: `asOf` says when they were counted.',
        response: { 200: Statistics },
      },
    },
    async ({ caller }) => countRecords(database.tenant(caller.organisationId), caller.permissions, recent),
  )
})
