/** /v1/admin/search */
import { admin } from '../access/declarations.ts'
import type { Database } from '../platform/database/database.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { findRecords } from './find-records.ts'
import { SearchQuery, SearchResults } from './schemas.ts'

export const searchRoutes = defineRoutes('/v1/admin/search', async (app, { database }: { database: Database }) => {
  app.get(
    '/',
    {
      config: { access: admin() },
      schema: {
        operationId: 'search',
        summary: 'Find records of any kind',
        description:
          'Users, teams, roles, clients, webhooks, connections, domains, directories, set-up links, resource servers and API keys, of the kinds that the caller may read: first those with this id or ' +
          'e-mail address, then those that begin with the text, then, if there is room, those that contain it.',
        querystring: SearchQuery,
        response: { 200: SearchResults },
      },
    },
    async ({ caller, query }) => ({ data: await findRecords(database.listReads(caller.organisationId), caller.permissions, query) }),
  )
})
