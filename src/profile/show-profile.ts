import type { UserCaller } from '../access/caller.ts'
import { userNotFound } from '../access/refusals.ts'
import type { Database } from '../platform/database/database.ts'
import { presentTime } from '../platform/http/fields.ts'
import { findProfile } from './queries.ts'
import type { Profile } from './schemas.ts'

export async function showProfile(database: Database, caller: UserCaller): Promise<Profile> {
  const profile = await findProfile(database.pointReads(caller.organisationId), caller.session.userId)
  if (!profile) throw userNotFound()
  const { id, expiresAt, idleExpiresAt } = caller.session
  return {
    ...profile,
    passwordChangedAt: presentTime(profile.passwordChangedAt),
    permissions: [...caller.permissions].sort(),
    isOwner: caller.isOwner,
    session: { id, expiresAt: presentTime(expiresAt), idleExpiresAt: presentTime(idleExpiresAt) },
  }
}
