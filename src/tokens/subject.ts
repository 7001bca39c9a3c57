import { effectivePermissions } from '../access/effective-permissions.ts'
import type { Database } from '../platform/database/database.ts'
import { statement } from '../platform/database/statement.ts'
import type { TokenUser } from './claims.ts'

/** The state that can have ended a user's authorization. */
export interface SubjectState {
  blockedAt: Date | null
  userDeletedAt: Date | null
}

// The columns of tokens about a user: the user's own columns, and the slugs of roles and permissions, in any order and possibly with
// duplicates, since sorting is cheaper where they are used.
export const subjectColumns = `
  u.id as "userId", u.email, u.first_name as "firstName", u.last_name as "lastName", u.name, u.phone,
  u.email_verified_at as "emailVerifiedAt", u.updated_at as "userUpdatedAt", u.blocked_at as "blockedAt",
  u.deleted_at as "userDeletedAt",
  array(
    select r.slug from user_roles ur join roles r on r.organisation_id = ur.organisation_id and r.id = ur.role_id
    where ur.organisation_id = u.organisation_id and ur.user_id = u.id
  ) as roles,
  array(${effectivePermissions('u.organisation_id', 'u.id')}) as permissions`

/** A user as tokens present them, whether or not any are issued. */
export type Subject = TokenUser & SubjectState & { roles: string[]; permissions: string[] }

const subjectById = statement<{ organisationId: string; userId: string }, Subject>(
  `select ${subjectColumns} from users u where u.organisation_id = :organisationId and u.id = :userId`,
)

export const findSubject = (database: Database, organisationId: string, userId: string): Promise<Subject | undefined> =>
  database.pointRead(subjectById, { organisationId, userId })
