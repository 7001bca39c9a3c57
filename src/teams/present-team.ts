import { changeOf } from '../activity/change-of.ts'
import { presentTime } from '../platform/http/fields.ts'
import { defineVersion } from '../platform/http/versions.ts'
import type { Team, TeamFields, TeamWithMembers } from './queries.ts'
import { teamNotFound } from './refusals.ts'
import { TeamChanges, type TeamRecord } from './schemas.ts'

export const teamVersion = defineVersion<Omit<TeamRecord, 'members' | 'memberCount'>>(Object.keys(TeamChanges.shape))

/** A team without its members, as events show it: their number may be large. */
export function presentTeamFields({
  id,
  name,
  slug,
  description,
  createdAt,
  updatedAt,
}: TeamFields): Omit<TeamRecord, 'members' | 'memberCount'> {
  return { id, name, slug, description, createdAt: presentTime(createdAt), updatedAt: presentTime(updatedAt) }
}

/** A team in lists that leave out the members. */
export const presentTeamWithoutMembers = (team: Team) => ({ ...presentTeamFields(team), memberCount: team.memberCount })

/** A team in other lists. */
export const presentTeam = (team: TeamWithMembers): TeamRecord => ({ ...presentTeamWithoutMembers(team), members: team.members })

/** A team in responses to changes. */
export const presentChangedTeam = (team: Team): TeamRecord => ({ ...presentTeamWithoutMembers(team), members: [] })

export const teamChange = changeOf({
  notFound: teamNotFound,
  version: teamVersion,
  present: presentTeamFields,
  updated: (team) => ({ action: 'team.updated', team }),
  deleted: (team) => ({ action: 'team.deleted', team }),
})
