import { presentTime } from '../platform/http/fields.ts'
import { defineVersion } from '../platform/http/versions.ts'
import type { Team, TeamWithMembers } from './queries.ts'
import { TeamChanges, type TeamRecord } from './schemas.ts'

export const teamVersion = defineVersion<Omit<TeamRecord, 'members'>>(Object.keys(TeamChanges.shape))

/** A team without its members, as events show it: there may be very many. */
export function presentTeamFields({ id, name, slug, description, createdAt, updatedAt }: Team): Omit<TeamRecord, 'members'> {
  return { id, name, slug, description, createdAt: presentTime(createdAt), updatedAt: presentTime(updatedAt) }
}

/** A team as lists show it. */
export const presentTeam = (team: TeamWithMembers): TeamRecord => ({ ...presentTeamFields(team), members: team.members })

/** A team as responses to changes show it. */
export const presentChangedTeam = (team: Team): TeamRecord => ({ ...presentTeamFields(team), members: [] })
