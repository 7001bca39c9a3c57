/** /v1/auth/password */
import { originOf } from '../access/caller.ts'
import { anyone } from '../access/declarations.ts'
import type { Database } from '../platform/database/database.ts'
import { Message } from '../platform/http/fields.ts'
import type { App } from '../platform/http/server.ts'
import { resetPassword } from './reset-password.ts'
import { PasswordReset } from './schemas.ts'

export const passwordRoutes = (database: Database) => async (app: App) => {
  app.post(
    '/reset',
    {
      config: { access: anyone() },
      schema: { summary: 'Set a password by a mailed link', body: PasswordReset, response: { 200: Message } },
    },
    async (request) => {
      await resetPassword(database, originOf(request), request.body)
      return { message: 'Password has been set' }
    },
  )
}
