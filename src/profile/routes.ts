/** /v1/me/profile */
import { z } from 'zod'
import { self } from '../access/declarations.ts'
import { userNotFound } from '../access/refusals.ts'
import type { Database } from '../platform/database/database.ts'
import type { App } from '../platform/http/server.ts'
import { findProfile } from './queries.ts'

export const Profile = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  emailVerified: z.boolean(),
  phone: z.string().nullable(),
  mfaEnabled: z.boolean(),
  organisation: z.object({ id: z.string(), slug: z.string(), name: z.string() }),
  roles: z.array(z.object({ id: z.string(), name: z.string(), slug: z.string() })),
  permissions: z.array(z.string()).meta({ description: 'Slugs, of all roles together' }),
})

export const profileRoutes = (database: Database) => async (app: App) => {
  app.get(
    '/profile',
    {
      config: { access: self({ duringMfaEnrolment: true }) },
      schema: { summary: 'Get your profile', response: { 200: Profile } },
    },
    async ({ caller }) => {
      const profile = await findProfile(database.tenant(caller.organisationId), caller.session.userId)
      if (!profile) throw userNotFound()
      return { ...profile, permissions: [...caller.permissions].sort() }
    },
  )
}
