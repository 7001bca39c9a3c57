import { presentUser } from '../accounts/present-user.ts'
import { getUser, insertUser, type UserToInsert, type UserWithReferences } from '../accounts/queries.ts'
import type { Actor } from '../activity/actor.ts'
import type { ApiObject } from '../activity/catalogue.ts'
import { type AuditedOccurrence, recordEach } from '../activity/record.ts'
import { checkTrialLimit } from '../organisations/trial-limit.ts'
import type { Tenant } from '../platform/database/database.ts'
import { assignments, presentRole, type Role } from '../roles/queries.ts'
import { memberships } from '../teams/queries.ts'

export interface UserRecordVariants {
  roles: readonly Role[]
  teamIds: readonly string[]
  /** The number of users that a trial organisation may have; undefined for the owner that it is created with. */
  trialMaxUsers: number | undefined
  /** The creator of the user, and the occurrence that it is part of; undefined for the owner, whom `organisation.created` reports. */
  history: ((user: UserWithReferences) => { actor: Actor; partOf?: AuditedOccurrence }) | undefined
}

/**
 * Creates a user with roles and teams, and records it. Every operation that creates one calls this, in its transaction.
 *
 * @throws Problem `forbidden` when the trial limit is reached, `conflict` when the e-mail is registered
 */
export async function createUserRecord(
  tenant: Tenant,
  user: UserToInsert,
  { roles, teamIds, trialMaxUsers, history }: UserRecordVariants,
): Promise<UserWithReferences> {
  if (trialMaxUsers !== undefined) await checkTrialLimit(tenant, trialMaxUsers)
  const { id } = await insertUser(tenant, user)
  await assignments.give(
    tenant,
    id,
    'manual',
    roles.map((role) => role.id),
  )
  await memberships.give(tenant, id, 'manual', teamIds)
  const created = await getUser(tenant, id)
  if (history) {
    const { actor, partOf } = history(created)
    await recordEach(tenant, actor, [...(partOf ? [partOf] : []), ...creationOf(presentUser(created), roles)])
  }
  return created
}

/** Records that a user was created and assigned these roles. */
const creationOf = (user: ApiObject, roles: readonly Role[]) => [
  { action: 'user.created' as const, user },
  ...roles.map((role) => ({
    action: 'role.assigned' as const,
    user,
    role: presentRole(role),
    metadata: { roleId: role.id, roleSlug: role.slug },
  })),
]
