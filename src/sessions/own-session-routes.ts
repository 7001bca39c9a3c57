/** /v1/me/sessions */
import { z } from 'zod'
import { self } from '../access/declarations.ts'
import type { Database } from '../platform/database/database.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter } from '../platform/http/fields.ts'
import { ListQuery, listOf, sendList } from '../platform/http/lists.ts'
import { endOtherSessions, endOwnSession } from './end-session.ts'
import { type CookieSettings, clearSessionCookie } from './session-cookie.ts'
import { activeSessions, presentSession, SessionRecord } from './session-list.ts'

interface OwnSessions extends CookieSettings {
  database: Database
}

export const ownSessionRoutes = defineRoutes('/v1/me/sessions', async (app, { database, secureCookie }: OwnSessions) => {
  app.get(
    '/',
    {
      config: { access: self() },
      schema: {
        operationId: 'listOwnSessions',
        summary: 'List your active sessions',
        description: 'The browsers and devices on which you are signed in, most recent first.',
        querystring: ListQuery,
        response: { 200: listOf(SessionRecord) },
      },
    },
    async ({ caller, query }, reply) => {
      const source = activeSessions(database.listReads(caller.organisationId), caller.session.userId)
      return sendList(reply, query, SessionRecord, source, (session) => presentSession(session, caller.session.id))
    },
  )

  app.delete(
    '/',
    {
      config: { access: self() },
      schema: {
        operationId: 'endOtherSessions',
        summary: 'End your other sessions',
        description: 'All but the session of the request.',
        response: { 204: z.null() },
      },
    },
    async ({ caller }, reply) => {
      await endOtherSessions(database, caller)
      return reply.code(204).send(null)
    },
  )

  app.delete(
    '/:id',
    {
      config: { access: self() },
      schema: {
        operationId: 'endOwnSession',
        summary: 'End one of your sessions',
        description: 'Signs that browser or device out at once.',
        params: IdParameter,
        response: { 204: z.null() },
      },
    },
    async ({ caller, params }, reply) => {
      const { signedOut } = await endOwnSession(database, caller, params.id)
      if (signedOut) clearSessionCookie(reply, secureCookie)
      return reply.code(204).send(null)
    },
  )
})
