/** DELETE /v1/me/passkeys/:id. It is part of mfa/ because the last passkey may be the last second factor. */
import { z } from 'zod'
import { self } from '../access/declarations.ts'
import { recentSignIn } from '../access/schemas.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter } from '../platform/http/fields.ts'
import { languageOf } from '../platform/language.ts'
import { deleteOwnPasskey } from './delete-passkey.ts'
import type { MfaDependencies } from './send-code.ts'

export const passkeyRemovalRoutes = defineRoutes('/v1/me/passkeys', async (app, dependencies: MfaDependencies) => {
  app.delete(
    '/:id',
    {
      config: { access: self({ duringMfaEnrolment: true }), mails: true, refuses: ['not-found'] },
      schema: {
        operationId: 'deleteOwnPasskey',
        summary: 'Delete one of your passkeys',
        description: 'Needs a sign-in within the last fifteen minutes. You get a mail.',
        params: IdParameter,
        response: { 204: z.null(), ...recentSignIn },
      },
    },
    async (request, reply) => {
      await deleteOwnPasskey(dependencies, request.caller, request.params.id, languageOf(request))
      return reply.code(204).send(null)
    },
  )
})
