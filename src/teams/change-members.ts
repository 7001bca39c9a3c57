import type { Caller } from '../access/caller.ts'
import { holdCallerWith } from '../access/hold-caller.ts'
import { lockUser } from '../accounts/queries.ts'
import { record } from '../activity/record.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import type { AssignmentSource } from '../roles/schemas.ts'
import { presentTeamFields } from './present-team.ts'
import { lockTeam, memberships } from './queries.ts'
import { teamNotFound, userNotFound } from './refusals.ts'

/**
 * Adds a user to a team. It does and records nothing when the user was added already. A member whom only another source has added becomes
 * a manual member, too, so they remain one whatever the source does; this causes no event.
 *
 * @throws Problem `not-found` for the team, and for a user who is unknown or deleted
 */
export async function addMember(database: Database, caller: Caller, teamId: string, userId: string): Promise<void> {
  await database.transaction(caller.organisationId, async (tenant) => {
    const concerned = await lockTeamAndUser(tenant, caller, teamId, userId)
    const [given] = await memberships.give(tenant, userId, 'manual', [teamId])
    if (!given) return
    const action = given.isNew ? 'team.member_added' : 'team.member_source_added'
    await record(tenant, caller.actor, { action, ...concerned, metadata: { userId } })
  })
}

/**
 * Removes a user from a team, unless another source adds them, too: they then remain a member, and no event is reported. It does and
 * records nothing when the user was not added.
 *
 * @returns the other sources because of which the user remains a member
 * @throws Problem `not-found` for the team, and for a user who is unknown or deleted
 */
export async function removeMember(database: Database, caller: Caller, teamId: string, userId: string): Promise<AssignmentSource[]> {
  return database.transaction(caller.organisationId, async (tenant) => {
    const concerned = await lockTeamAndUser(tenant, caller, teamId, userId)
    const [taken] = await memberships.take(tenant, userId, 'manual', [teamId])
    const action = taken?.isGone ? 'team.member_removed' : 'team.member_source_removed'
    if (taken) await record(tenant, caller.actor, { action, ...concerned, metadata: { userId } })
    return taken?.isGone ? [] : memberships.otherSources(tenant, userId, teamId)
  })
}

/** The team and the user as events show them. Both are locked against deletion until the end of the transaction, and the caller is held. */
async function lockTeamAndUser(tenant: Tenant, caller: Caller, teamId: string, userId: string) {
  // Lock the user before the team, as every change of several teams of one user does.
  const user = await lockUser(tenant, userId)
  await holdCallerWith(tenant, caller, 'teams:update')
  const team = await lockTeam(tenant, teamId)
  if (!team) throw teamNotFound()
  if (!user) throw userNotFound()
  const { id, email, name } = user
  return { team: presentTeamFields(team), user: { id, email, name } }
}
