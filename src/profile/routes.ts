/** /v1/me/profile */
import type { Caller } from '../access/caller.ts'
import { self } from '../access/declarations.ts'
import { userNotFound } from '../access/refusals.ts'
import type { Database } from '../platform/database/database.ts'
import type { App } from '../platform/http/server.ts'
import { changeProfile } from './change-profile.ts'
import { findProfile } from './queries.ts'
import { Profile, ProfileChanges } from './schemas.ts'

export const profileRoutes = (database: Database) => async (app: App) => {
  const profileOf = async (caller: Caller): Promise<Profile> => {
    const profile = await findProfile(database.tenant(caller.organisationId), caller.session.userId)
    if (!profile) throw userNotFound()
    return { ...profile, permissions: [...caller.permissions].sort() }
  }

  app.get(
    '/profile',
    {
      config: { access: self({ duringMfaEnrolment: true }) },
      schema: { summary: 'Get your profile', response: { 200: Profile } },
    },
    async ({ caller }) => profileOf(caller),
  )

  app.patch(
    '/profile',
    {
      config: { access: self() },
      schema: { summary: 'Change your profile', body: ProfileChanges, response: { 200: Profile } },
    },
    async ({ caller, body }) => {
      await changeProfile(database, caller, body)
      return profileOf(caller)
    },
  )
}
