import { z } from 'zod'
import type { Tenant } from '../platform/database/database.ts'
import { storedCount } from '../platform/database/stored-counts.ts'
import { defineList } from '../platform/http/record-list.ts'
import { presentTeam, presentTeamWithoutMembers } from './present-team.ts'
import { type Team, type TeamWithMembers, teamsWithMembers, teamsWithoutMembers } from './queries.ts'
import { ListedTeam } from './schemas.ts'

const teams = {
  record: ListedTeam,
  storedCount: (tenant: Tenant) => storedCount(tenant, 'teams'),
  idColumn: 'teams.id',
  sorts: { createdAt: 'teams.id', name: 'teams.nameKey', slug: 'teams.slug' },
  defaultSort: 'createdAt',
  search: ['teams.nameKey', 'teams.slug'],
  searched: 'name or slug',
} as const

export const teamList = defineList({
  ...teams,
  present: (team: TeamWithMembers): ListedTeam => presentTeam(team),
  rows: teamsWithMembers,
})

export const teamListWithoutMembers = defineList({
  ...teams,
  present: (team: Team): ListedTeam => presentTeamWithoutMembers(team),
  rows: teamsWithoutMembers,
})

/** Whether a team is read with its members. */
export const TeamQuery = z.object({
  members: z
    .enum(['true', 'false'])
    .default('true')
    .meta({ description: '`false` leaves out the members, of whom a team may have very many', example: 'false' }),
})

export const TeamListQuery = teamList.schema.querystring.extend(TeamQuery.shape)
