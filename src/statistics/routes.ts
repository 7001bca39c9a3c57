/** /v1/admin/statistics, of records and of sign-ins */
import { admin } from '../access/declarations.ts'
import type { Database } from '../platform/database/database.ts'
import { BucketQuery } from '../platform/http/bucket-query.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { areMany, countRecords } from './queries.ts'
import { createRecentCounts } from './recent-counts.ts'
import { SignIns, Statistics } from './schemas.ts'
import { countSignIns } from './sign-ins.ts'

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
          'Groups for which the caller lacks the permission are left out. From 5,000 users on, the numbers of users and sessions may be a minute old: `asOf` says when they were counted.',
        response: { 200: Statistics },
      },
    },
    async ({ caller }) => countRecords(database.tenant(caller.organisationId), caller.permissions, recent),
  )

  app.get(
    '/sign-ins',
    {
      config: { access: admin('users:read') },
      schema: {
        operationId: 'getSignInStatistics',
        summary: 'Count sign-ins by hour or day',
        description: [
          'Whole hours of up to 31 days, or whole days of up to 366; those of the last 400 days are stored.',
          'A user who signs in twice within a bucket counts once in its `users`, so these do not add up: a day has fewer users than its hours together.',
          'Attempts that a limit refuses unchecked are not counted, nor are those for unknown addresses.',
        ].join(' '),
        querystring: BucketQuery,
        response: { 200: SignIns },
      },
    },
    async ({ caller, query }) => countSignIns(database.tenant(caller.organisationId), query),
  )
})
