/** POST /v1/auth/password/reset */
import { originOf } from '../access/caller.ts'
import { publicAccess } from '../access/declarations.ts'
import type { PasswordReplacement } from '../passwords/replace-password.ts'
import { PasswordReset } from '../passwords/schemas.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { Message } from '../platform/http/fields.ts'
import { languageOf } from '../platform/language.ts'
import { resetPassword } from './reset-password.ts'

export const passwordResetRoutes = defineRoutes('/v1/auth', async (app, dependencies: PasswordReplacement) => {
  app.post(
    '/password/reset',
    {
      config: { access: publicAccess(), mails: true, refuses: ['conflict', 'too-many-requests'] },
      schema: {
        operationId: 'resetPassword',
        summary: 'Reset a password with a mailed link',
        description: 'The link works once. All sessions of the user end.',
        body: PasswordReset,
        response: { 200: Message },
      },
    },
    async (request) => {
      await resetPassword(dependencies, originOf(request), request.body, languageOf(request))
      return { message: 'Password has been set' }
    },
  )
})
