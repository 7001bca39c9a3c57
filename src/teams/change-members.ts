import type { Caller } from '../access/caller.ts'
import { lockUser } from '../accounts/queries.ts'
import { record } from '../activity/record.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { presentTeamFields } from './present-team.ts'
import { joinTeams, leaveTeam, lockTeam } from './queries.ts'
import { teamNotFound, userNotFound } from './refusals.ts'

/**
 * Adds a user to a team. Does nothing, and records nothing, when the user is a member already.
 *
 * @throws Problem `not-found` for the team, and for a user who is unknown or deleted
 */
export async function addMember(database: Database, caller: Caller, teamId: string, userId: string): Promise<void> {
  await database.transaction(caller.organisationId, async (tenant) => {
    const concerned = await lockTeamAndUser(tenant, teamId, userId)
    if ((await joinTeams(tenant, userId, [teamId])) === 0) return
    await record(tenant, caller.actor, { action: 'team.member_added', ...concerned, metadata: { userId } })
  })
}

/**
 * Removes a user from a team. Does nothing, and records nothing, when the user is not a member.
 *
 * @throws Problem `not-found` for the team, and for a user who is unknown or deleted
 */
export async function removeMember(database: Database, caller: Caller, teamId: string, userId: string): Promise<void> {
  await database.transaction(caller.organisationId, async (tenant) => {
    const concerned = await lockTeamAndUser(tenant, teamId, userId)
    if (!(await leaveTeam(tenant, userId, teamId))) return
    await record(tenant, caller.actor, { action: 'team.member_removed', ...concerned, metadata: { userId } })
  })
}

/** The team and the user as events show them. Both are locked against deletion until the end of the transaction. */
async function lockTeamAndUser(tenant: Tenant, teamId: string, userId: string) {
  const team = await lockTeam(tenant, teamId)
  if (!team) throw teamNotFound()
  const user = await lockUser(tenant, userId)
  if (!user) throw userNotFound()
  const { id, email, name } = user
  return { team: presentTeamFields(team), user: { id, email, name } }
}
