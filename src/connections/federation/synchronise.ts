import { presentUser } from '../../accounts/present-user.ts'
import { getUser, updateUser } from '../../accounts/queries.ts'
import { type Actor, userActor } from '../../activity/actor.ts'
import { changedFields, changesBetween } from '../../activity/changes.ts'
import { record } from '../../activity/record.ts'
import { isOwner } from '../../organisations/queries.ts'
import type { Tenant } from '../../platform/database/database.ts'
import { replaceTeamsFromSource } from '../../teams/teams-from-source.ts'
import { replaceRolesFromSource } from '../../users/roles-from-source.ts'
import type { FederatedSignIn } from './federated-sign-in.ts'
import { idsFrom, type Person, personIn } from './person.ts'

/** Updates names, phone number, roles and teams from the claims: at the first sign-in, and at every one if the connection says so. */
export async function synchronise(
  tenant: Tenant,
  { connection, identity, origin }: FederatedSignIn,
  userId: string,
  isFirst: boolean,
): Promise<void> {
  const { id, syncOn, mapping, roleMappings, teamMappings } = connection
  if (!isFirst && syncOn !== 'every_sign_in') return
  const { claims } = identity
  const source = `connection:${id}` as const
  // Nothing that a provider says affects the owner's account.
  if (await isOwner(tenant, userId)) return
  const actor = userActor(await getUser(tenant, userId), origin)
  if (syncOn === 'every_sign_in') await followPerson(tenant, actor, userId, personIn(claims, mapping))
  const roleIds = idsFrom(claims, mapping, roleMappings, ({ roleId }) => roleId)
  const teamIds = idsFrom(claims, mapping, teamMappings, ({ teamId }) => teamId)
  await replaceRolesFromSource(tenant, actor, userId, source, roleIds)
  await replaceTeamsFromSource(tenant, actor, userId, source, teamIds)
}

async function followPerson(tenant: Tenant, actor: Actor, userId: string, person: Partial<Person>): Promise<void> {
  const before = await getUser(tenant, userId)
  const changed = changedFields(before, person)
  if (!changed) return
  await updateUser(tenant, userId, changed)
  const after = presentUser(await getUser(tenant, userId))
  await record(tenant, actor, { action: 'user.updated', user: after, changes: changesBetween(presentUser(before), after) })
}
