import { changeOf } from '../activity/change-of.ts'
import { presentTime } from '../platform/http/fields.ts'
import { defineVersion } from '../platform/http/versions.ts'
import type { User, UserWithDetails, UserWithReferences } from './queries.ts'
import { userNotFound } from './refusals.ts'
import { UserChanges, type UserDetails, type UserRecord } from './schemas.ts'

export const userVersion = defineVersion<UserRecord | UserDetails>(Object.keys(UserChanges.shape))

/** Presents a user as in lists and in responses to changes. */
export const presentUser = (user: UserWithReferences): UserRecord => ({ ...presentFields(user), roles: user.roles, teams: user.teams })

const change = changeOf({
  notFound: userNotFound,
  version: userVersion,
  present: presentUser,
  updated: (user, before) => ({ action: user.blockedAt !== null && before.blockedAt === null ? 'user.blocked' : 'user.updated', user }),
  deleted: (user) => ({ action: 'user.deleted', user }),
})

export const userChange: typeof change = {
  ...change,
  // Roles and teams have entries of their own, and go with a role or a team while no user is locked.
  recordUpdate: (tenant, actor, before, after) =>
    change.recordUpdate(tenant, actor, { ...before, roles: after.roles, teams: after.teams }, after),
}

/** Presents a single user, with the permissions of each role. */
export const presentUserDetails = (user: UserWithDetails): UserDetails => ({
  ...presentFields(user),
  roles: user.roles,
  teams: user.teams,
  managedBy: user.managedBy,
})

function presentFields(user: User): Omit<UserRecord, 'roles' | 'teams'> {
  return {
    id: user.id,
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
    name: user.name,
    phone: user.phone,
    emailVerifiedAt: presentTime(user.emailVerifiedAt),
    mfaEnabled: user.mfaEnabled,
    blockedAt: presentTime(user.blockedAt),
    blockedReason: user.blockedReason,
    lastLoginAt: presentTime(user.lastLoginAt),
    lockedUntil: presentTime(user.lockedUntil),
    metadata: user.metadata,
    createdAt: presentTime(user.createdAt),
    updatedAt: presentTime(user.updatedAt),
    deletedAt: presentTime(user.deletedAt),
  }
}
