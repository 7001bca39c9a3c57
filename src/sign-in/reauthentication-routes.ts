/** /v1/me/reauthenticate */
import { self } from '../access/declarations.ts'
import { proofOfUser, startProof } from '../passkeys/options.ts'
import { StartedRequest } from '../passkeys/schemas.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { presentTime } from '../platform/http/fields.ts'
import { languageOf } from '../platform/language.ts'
import { reauthenticate } from './reauthenticate.ts'
import { Reauthenticated, Reauthentication } from './schemas.ts'
import type { SignInDependencies } from './sign-in.ts'

export const reauthenticationRoutes = defineRoutes('/v1/me/reauthenticate', async (app, dependencies: SignInDependencies) => {
  app.post(
    '/',
    {
      config: { access: self(), mails: true, refuses: ['too-many-requests'] },
      schema: {
        operationId: 'reauthenticate',
        summary: 'Prove again that it is you',
        description:
          'Operations that need a recent sign-in (403 `recent-sign-in-required`) work for the next 15 minutes. A user with a second factor sends a code of it, others the password; both may use a passkey instead.',
        body: Reauthentication,
        response: { 200: Reauthenticated },
      },
    },
    async (request) => ({
      reauthenticatedAt: presentTime(await reauthenticate(dependencies, request.caller, request.body, languageOf(request))),
    }),
  )

  app.post(
    '/options',
    {
      config: { access: self() },
      schema: {
        operationId: 'startReauthentication',
        summary: 'Start reauthenticating with a passkey',
        description: 'The options are for `navigator.credentials.get()`; they name your passkeys, which must verify you.',
        response: { 200: StartedRequest },
      },
    },
    ({ caller: { organisationId, session } }) => startProof(dependencies, { organisationId, userId: session.userId }, proofOfUser),
  )
})
