import { presentUser } from '../accounts/present-user.ts'
import { getUser, insertUser, insertUsers, type UserToInsert, type UserWithReferences } from '../accounts/queries.ts'
import type { Actor } from '../activity/actor.ts'
import type { ApiObject } from '../activity/catalogue.ts'
import { type AuditedOccurrence, recordEach } from '../activity/record.ts'
import { checkTrialLimit } from '../organisations/trial-limit.ts'
import type { Tenant } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { assignments, assignRoles, presentRole, type Role } from '../roles/queries.ts'
import { memberships } from '../teams/queries.ts'

interface RoleReference {
  id: string
  name: string
  slug: string
}

export type UserRecordVariants = {
  teamIds: readonly string[]
  /** The number of users that a trial organisation may have; undefined for the owner that it is created with. */
  trialMaxUsers: number | undefined
} & (
  | {
      roles: readonly Role[]
      /** The creator of the user, and the occurrence that it is part of. */
      history(user: UserWithReferences): { actor: Actor; partOf?: AuditedOccurrence }
    }
  /** The owner, whom `organisation.created` reports. */
  | { roles: readonly RoleReference[]; history: undefined }
)

/**
 * Creates a user with roles and teams, and records it. Every operation that creates one calls this, in its transaction.
 *
 * @throws Problem `forbidden` when the trial limit is reached, `conflict` when the e-mail is registered
 */
export async function createUserRecord(tenant: Tenant, user: UserToInsert, variants: UserRecordVariants): Promise<UserWithReferences> {
  const { roles, teamIds, trialMaxUsers } = variants
  if (trialMaxUsers !== undefined) await checkTrialLimit(tenant, trialMaxUsers)
  const inserted = await insertUser(tenant, user)
  const { id } = inserted
  await assignments.give(
    tenant,
    id,
    'manual',
    roles.map((role) => role.id),
  )
  await memberships.give(tenant, id, 'manual', teamIds)
  const created = teamIds.length > 0 ? await getUser(tenant, id) : { ...inserted, roles: inOrderOfIds(roles), teams: [] }
  if (variants.history) {
    const { actor, partOf } = variants.history(created)
    await recordEach(tenant, actor, [...(partOf ? [partOf] : []), ...creationOf(presentUser(created), variants.roles)])
  }
  return created
}

/**
 * Creates users as {@link createUserRecord} does, each table with one statement.
 *
 * @returns them in the given order
 * @throws Problem `conflict` when an e-mail is registered
 */
export async function createUserRecords(
  tenant: Tenant,
  users: readonly (UserToInsert & { roles: readonly Role[] })[],
  actor: Actor,
): Promise<UserWithReferences[]> {
  if (users.length === 0) return []
  const batch = users.map((user) => ({ ...user, id: user.id ?? newId('usr', tenant.now) }))
  const inserted = await insertUsers(
    tenant,
    batch.map(({ roles: _, ...user }) => user),
  )
  await assignRoles(
    tenant,
    batch.flatMap(({ id, roles }) => roles.map((role) => ({ userId: id, roleId: role.id }))),
  )
  const rows = new Map(inserted.map((row) => [row.id, row]))
  const created = batch.flatMap(({ id, roles }) => {
    const row = rows.get(id)
    return row ? [{ user: { ...row, roles: inOrderOfIds(roles), teams: [] }, roles }] : []
  })
  await recordEach(
    tenant,
    actor,
    created.flatMap(({ user, roles }) => creationOf(presentUser(user), roles)),
  )
  return created.map(({ user }) => user)
}

const inOrderOfIds = (roles: readonly RoleReference[]) =>
  roles.toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(({ id, name, slug }) => ({ id, name, slug }))

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
