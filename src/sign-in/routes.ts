/** /v1/auth: login, csrf, logout */
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { originOf } from '../access/caller.ts'
import { sessionCookie } from '../access/checks.ts'
import { csrfTokenOf } from '../access/csrf.ts'
import { anyone, self, session } from '../access/declarations.ts'
import type { RateLimits } from '../access/rate-limits.ts'
import type { Keyring } from '../platform/crypto/keyring.ts'
import type { Database } from '../platform/database/database.ts'
import { presentTime } from '../platform/http/fields.ts'
import type { App } from '../platform/http/server.ts'
import { Credentials, CsrfToken, SignedIn } from './schemas.ts'
import { type StartedSession, signIn } from './sign-in.ts'
import { signOut } from './sign-out.ts'

export interface SignInDependencies {
  database: Database
  keyring: Keyring
  limits: RateLimits
  /** Whether the cookie is for https only. */
  secureCookie: boolean
}

export const signInRoutes = (dependencies: SignInDependencies) => async (app: App) => {
  const { database, keyring, secureCookie } = dependencies
  const cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure: secureCookie } as const

  const setCookie = (reply: FastifyReply, { token, expiresAt }: StartedSession) =>
    reply.setCookie(sessionCookie, token, { ...cookie, expires: expiresAt })

  app.post(
    '/login',
    {
      config: { access: anyone() },
      schema: { summary: 'Sign in with e-mail and password', body: Credentials, response: { 200: SignedIn } },
    },
    async (request, reply) => {
      const started = await signIn(dependencies, originOf(request), request.body)
      setCookie(reply, started)
      reply.header('cache-control', 'no-store')
      return {
        status: 'authenticated' as const,
        user: started.user,
        session: { id: started.id, expiresAt: presentTime(started.expiresAt) },
        csrfToken: csrfTokenOf(keyring, started.id),
      }
    },
  )

  app.get(
    '/csrf',
    {
      config: { access: session() },
      schema: { summary: 'Get the CSRF token of the session', response: { 200: CsrfToken } },
    },
    async ({ caller }, reply) => {
      reply.header('cache-control', 'no-store')
      return { csrfToken: csrfTokenOf(keyring, caller.session.id) }
    },
  )

  app.post(
    '/logout',
    {
      config: { access: self({ duringMfaEnrolment: true }) },
      schema: { summary: 'Sign out', response: { 204: z.null() } },
    },
    async ({ caller }, reply) => {
      await signOut(database, caller)
      return reply.clearCookie(sessionCookie, cookie).code(204).send(null)
    },
  )
}
