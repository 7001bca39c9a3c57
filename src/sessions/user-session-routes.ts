/** /v1/admin/users/:id/sessions */
import { z } from 'zod'
import { sessionIdOf } from '../access/caller.ts'
import { admin } from '../access/declarations.ts'
import { getUser } from '../accounts/queries.ts'
import type { Database } from '../platform/database/database.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter } from '../platform/http/fields.ts'
import { ListQuery, listOf, sendList } from '../platform/http/lists.ts'
import { endSessionsOfUser } from './end-session.ts'
import { activeSessions, presentSession, SessionRecord } from './session-list.ts'

export const userSessionRoutes = defineRoutes('/v1/admin/users', async (app, { database }: { database: Database }) => {
  app.get(
    '/:id/sessions',
    {
      config: { access: admin('users:read') },
      schema: {
        operationId: 'listUserSessions',
        summary: 'List the active sessions of a user',
        params: IdParameter,
        querystring: ListQuery,
        response: { 200: listOf(SessionRecord) },
      },
    },
    async ({ caller, params, query }, reply) => {
      const tenant = database.tenant(caller.organisationId)
      const { id } = await getUser(tenant, params.id)
      return sendList(reply, query, SessionRecord, activeSessions(tenant, id), (session) => presentSession(session, sessionIdOf(caller)))
    },
  )

  app.delete(
    '/:id/sessions',
    {
      config: { access: admin('users:update') },
      schema: { operationId: 'endUserSessions', summary: 'End all sessions of a user', params: IdParameter, response: { 204: z.null() } },
    },
    async ({ caller, params }, reply) => {
      await endSessionsOfUser(database, caller, params.id)
      return reply.code(204).send(null)
    },
  )
})
