/** /v1/admin/users/:id/sessions */
import { z } from 'zod'
import { sessionIdOf } from '../access/caller.ts'
import { admin } from '../access/declarations.ts'
import { getUser } from '../accounts/queries.ts'
import type { Database } from '../platform/database/database.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter, pathId } from '../platform/http/fields.ts'
import { ListQuery, listOf, sendList } from '../platform/http/lists.ts'
import { endSessionOfUser, endSessionsOfUser } from './end-session.ts'
import { type CookieSettings, clearSessionCookie } from './session-cookie.ts'
import { activeSessions, presentSession, UserSessionRecord } from './session-list.ts'

interface UserSessions extends CookieSettings {
  database: Database
}

export const userSessionRoutes = defineRoutes('/v1/admin/users', async (app, { database, secureCookie }: UserSessions) => {
  app.get(
    '/:id/sessions',
    {
      config: { access: admin('users:read') },
      schema: {
        operationId: 'listUserSessions',
        summary: 'List the active sessions of a user',
        params: IdParameter,
        querystring: ListQuery,
        response: { 200: listOf(UserSessionRecord) },
      },
    },
    async ({ caller, params, query }, reply) => {
      const tenant = database.listReads(caller.organisationId)
      const { id } = await getUser(tenant, params.id)
      return sendList(reply, query, UserSessionRecord, activeSessions(tenant, id), (session) => ({
        ...presentSession(session, sessionIdOf(caller)),
        signInId: session.signInId,
      }))
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

  app.delete(
    '/:id/sessions/:sessionId',
    {
      config: { access: admin('users:update') },
      schema: {
        operationId: 'endUserSession',
        summary: 'End one session of a user',
        description: 'Applications keep their tokens, as when the user ends it: ending all sessions ends those, too.',
        params: IdParameter.extend({
          sessionId: pathId().meta({ description: 'Id of the session', example: 'ses_01kahm3z9n4v7f2t8q6w5r1y0x' }),
        }),
        response: { 204: z.null() },
      },
    },
    async ({ caller, params }, reply) => {
      const { signedOut } = await endSessionOfUser(database, caller, { userId: params.id, id: params.sessionId })
      if (signedOut) clearSessionCookie(reply, secureCookie)
      return reply.code(204).send(null)
    },
  )
})
