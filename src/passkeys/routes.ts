/** /v1/me/passkeys: the caller's own */
import { csrfTokenOf } from '../access/csrf.ts'
import { self } from '../access/declarations.ts'
import { recentSignIn } from '../access/schemas.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter } from '../platform/http/fields.ts'
import { ListQuery, listOf, sendList } from '../platform/http/lists.ts'
import { languageOf } from '../platform/language.ts'
import { type CookieSettings, setSessionCookie } from '../sessions/session-cookie.ts'
import { changePasskey } from './change-passkey.ts'
import { passkeysOf } from './passkey-list.ts'
import { presentPasskey } from './present-passkey.ts'
import { type Registration, registerPasskey, startRegistration } from './register.ts'
import { NewPasskey, PasskeyChanges, PasskeyRecord, RegisteredPasskey, StartedRegistration } from './schemas.ts'

export const passkeyRoutes = defineRoutes('/v1/me/passkeys', async (app, dependencies: Registration & CookieSettings) => {
  const { database, keyring, secureCookie } = dependencies
  // A session that has to enrol may need one to become a full one.
  const access = self({ duringMfaEnrolment: true })

  app.get(
    '/',
    {
      config: { access },
      schema: {
        operationId: 'listOwnPasskeys',
        summary: 'List your passkeys',
        description: 'Each with its password manager, if known, and when it was last used.',
        querystring: ListQuery,
        response: { 200: listOf(PasskeyRecord) },
      },
    },
    async ({ caller, query }, reply) =>
      sendList(reply, query, PasskeyRecord, passkeysOf(database.listReads(caller.organisationId), caller.session.userId), presentPasskey),
  )

  app.post(
    '/options',
    {
      config: { access },
      schema: {
        operationId: 'startPasskeyRegistration',
        summary: 'Start registering a passkey',
        description: 'Needs a sign-in within the last fifteen minutes, unless the session has to enrol first.',
        response: { 200: StartedRegistration, ...recentSignIn },
      },
    },
    async ({ caller }) => startRegistration(dependencies, caller),
  )

  app.post(
    '/',
    {
      config: { access, mails: true, refuses: ['conflict'] },
      schema: {
        operationId: 'registerPasskey',
        summary: 'Register a passkey',
        description: 'You get a mail.',
        body: NewPasskey,
        response: { 201: RegisteredPasskey },
      },
    },
    async (request, reply) => {
      const { passkey, session } = await registerPasskey(dependencies, request.caller, request.body, languageOf(request))
      if (session) setSessionCookie(reply, session, secureCookie)
      const csrfToken = session && { csrfToken: csrfTokenOf(keyring, session.token) }
      return reply.code(201).send({ ...presentPasskey(passkey), ...csrfToken })
    },
  )

  app.patch(
    '/:id',
    {
      config: { access, refuses: ['not-found'] },
      schema: {
        operationId: 'renameOwnPasskey',
        summary: 'Rename one of your passkeys',
        description: 'Only its name changes, not the passkey itself.',
        params: IdParameter,
        body: PasskeyChanges,
        response: { 200: PasskeyRecord },
      },
    },
    async ({ caller, params, body }) => presentPasskey(await changePasskey(database, caller, params.id, body)),
  )
})
