import type { Caller } from '../access/caller.ts'
import { transactionOf } from '../access/hold-caller.ts'
import { changedFields } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import type { Database } from '../platform/database/database.ts'
import { presentTeamFields, teamChange } from './present-team.ts'
import { deleteTeam, insertTeam, lockTeam, type Team, updateTeam } from './queries.ts'
import type { NewTeam, TeamChanges } from './schemas.ts'

/** @throws Problem `conflict` when the slug is taken */
export async function createTeam(database: Database, caller: Caller, input: NewTeam): Promise<Team> {
  return transactionOf(database, caller, 'teams:create', async (tenant) => {
    const team = await insertTeam(tenant, input)
    await record(tenant, caller.actor, { action: 'team.created', team: presentTeamFields(team) })
    return team
  })
}

/** @throws Problem `not-found`, `precondition-failed` */
export async function changeTeam(
  database: Database,
  caller: Caller,
  id: string,
  changes: TeamChanges,
  ifMatch: string | undefined,
): Promise<Team> {
  return transactionOf(database, caller, 'teams:update', async (tenant) => {
    const before = teamChange.requireCurrent(await lockTeam(tenant, id), ifMatch)
    const changed = changedFields(before, changes)
    if (!changed) return before
    const team = await updateTeam(tenant, id, changed)
    await teamChange.recordUpdate(tenant, caller.actor, before, team)
    return team
  })
}

/**
 * Deletes a team. Its members remain users, with their roles.
 *
 * @throws Problem `not-found`, `precondition-failed`
 */
export async function removeTeam(
  database: Database,
  caller: Caller,
  id: string,
  ifMatch: string | undefined,
  reason: string | undefined,
): Promise<void> {
  await transactionOf(database, caller, 'teams:delete', async (tenant) => {
    const team = teamChange.requireCurrent(await deleteTeam(tenant, id), ifMatch)
    await teamChange.recordDeletion(tenant, caller.actor, team, reason)
  })
}
