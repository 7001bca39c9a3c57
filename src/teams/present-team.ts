import { presentTime } from '../platform/http/fields.ts'
import type { Team, TeamWithMembers } from './queries.ts'
import type { TeamRecord } from './schemas.ts'

/** A team without its members, as events show it: there may be very many. */
export function presentTeamFields({ id, name, slug, description, createdAt, updatedAt }: Team): Omit<TeamRecord, 'members'> {
  return { id, name, slug, description, createdAt: presentTime(createdAt), updatedAt: presentTime(updatedAt) }
}

/** A team as lists show it. */
export const presentTeam = (team: TeamWithMembers): TeamRecord => ({ ...presentTeamFields(team), members: team.members })

/** A team as responses to changes show it. */
export const presentChangedTeam = (team: Team): TeamRecord => ({ ...presentTeamFields(team), members: [] })
