/** /v1/me/profile */
import { self } from '../access/declarations.ts'
import type { Database } from '../platform/database/database.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { changeProfile } from './change-profile.ts'
import { Profile, ProfileChanges } from './schemas.ts'
import { showProfile } from './show-profile.ts'

export const profileRoutes = defineRoutes('/v1/me', async (app, { database }: { database: Database }) => {
  app.get(
    '/profile',
    {
      config: { access: self({ duringMfaEnrolment: true }) },
      schema: {
        operationId: 'getOwnProfile',
        summary: 'Get your profile',
        description: 'Who is signed in: name, organisation, roles, permissions, and the session.',
        response: { 200: Profile },
      },
    },
    async ({ caller }) => showProfile(database, caller),
  )

  app.patch(
    '/profile',
    {
      config: { access: self() },
      schema: {
        operationId: 'updateOwnProfile',
        summary: 'Update your profile',
        description: 'Fields that are not sent stay. Only an administrator can change the address.',
        body: ProfileChanges,
        response: { 200: Profile },
      },
    },
    async ({ caller, body }) => {
      await changeProfile(database, caller, body)
      return showProfile(database, caller)
    },
  )
})
