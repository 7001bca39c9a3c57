/** /v1/admin/users/:id/password-reset */
import { admin } from '../access/declarations.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter, Message } from '../platform/http/fields.ts'
import { languageOf } from '../platform/language.ts'
import { type LinkRequests, sendPasswordLinkTo } from './request-password-link.ts'

export const userPasswordRoutes = defineRoutes('/v1/admin/users', async (app, dependencies: LinkRequests) => {
  app.post(
    '/:id/password-reset',
    {
      config: { access: admin('users:update'), mails: true, refuses: ['too-many-requests'] },
      schema: {
        operationId: 'sendPasswordResetLink',
        summary: 'Send a user a password reset link',
        params: IdParameter,
        response: { 202: Message },
      },
    },
    async (request, reply) => {
      await sendPasswordLinkTo(dependencies, request.caller, request.params.id, languageOf(request))
      return reply.code(202).send({ message: 'A link has been sent to the user' })
    },
  )
})
