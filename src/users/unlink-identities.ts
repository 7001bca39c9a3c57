import { getUser, type UserWithReferences } from '../accounts/queries.ts'
import type { Actor } from '../activity/actor.ts'
import { recordEach } from '../activity/record.ts'
import { presentIdentity } from '../identities/present-identity.ts'
import { type Identity, listIdentities, reserveSubjects } from '../identities/queries.ts'
import type { Tenant } from '../platform/database/database.ts'
import { sourceOf } from '../roles/sources.ts'
import { replaceTeamsFromSource } from '../teams/teams-from-source.ts'
import { replaceRolesFromSource } from './roles-from-source.ts'

/** Removes the roles and memberships that a connection gave to a user who has no linked account left by which they would be removed. */
export async function takeWhatConnectionGave(tenant: Tenant, actor: Actor, userId: string, connectionId: string): Promise<void> {
  await replaceRolesFromSource(tenant, actor, userId, sourceOf(connectionId), [])
  await replaceTeamsFromSource(tenant, actor, userId, sourceOf(connectionId), [])
}

/** The audited occurrence of unlinking an account. */
export const unlinked = (
  { id: userId, email, name }: { id: string; email: string; name: string },
  identity: Identity,
  metadata: Record<string, unknown> = {},
) => ({
  action: 'identity.unlinked' as const,
  identity: presentIdentity(identity),
  user: { id: userId, email, name },
  metadata: { userId, ...metadata },
})

/**
 * Unlinks every account of a user who is about to be deleted and whose row is locked. The subjects stay reserved.
 *
 * @returns the user afterwards
 */
export async function unlinkEveryIdentity(tenant: Tenant, actor: Actor, user: UserWithReferences): Promise<UserWithReferences> {
  const identities = await listIdentities(tenant, user.id)
  if (identities.length === 0) return user
  await reserveSubjects(tenant, user.id)
  for (const connectionId of new Set(identities.map(({ connection }) => connection.id)))
    await takeWhatConnectionGave(tenant, actor, user.id, connectionId)
  await recordEach(
    tenant,
    actor,
    identities.map((identity) => unlinked(user, identity)),
  )
  return getUser(tenant, user.id)
}
