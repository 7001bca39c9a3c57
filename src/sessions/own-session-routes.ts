/** /v1/me/sessions */
import { z } from 'zod'
import { self } from '../access/declarations.ts'
import type { Database } from '../platform/database/database.ts'
import { IdParameter } from '../platform/http/fields.ts'
import { ListQuery, listOf, sendList } from '../platform/http/lists.ts'
import type { App } from '../platform/http/server.ts'
import { endOwnSession } from './end-session.ts'
import { clearSessionCookie } from './session-cookie.ts'
import { activeSessions, presentSession, SessionRecord } from './session-list.ts'

/** @param secureCookie whether the cookie is for https only */
export const ownSessionRoutes = (database: Database, secureCookie: boolean) => async (app: App) => {
  app.get(
    '/',
    {
      config: { access: self() },
      schema: { summary: 'List your active sessions', querystring: ListQuery, response: { 200: listOf(SessionRecord) } },
    },
    async ({ caller, query }, reply) => {
      const source = activeSessions(database.tenant(caller.organisationId), caller.session.userId)
      return sendList(reply, query, SessionRecord, source, (session) => presentSession(session, caller.session.id))
    },
  )

  app.delete(
    '/:id',
    {
      config: { access: self() },
      schema: { summary: 'End one of your sessions', params: IdParameter, response: { 204: z.null() } },
    },
    async ({ caller, params }, reply) => {
      const { signedOut } = await endOwnSession(database, caller, params.id)
      if (signedOut) clearSessionCookie(reply, secureCookie)
      return reply.code(204).send(null)
    },
  )
}
