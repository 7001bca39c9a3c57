import type { Tenant } from '../platform/database/database.ts'
import { storedCount } from '../platform/database/stored-counts.ts'
import { defineList } from '../platform/http/record-list.ts'
import { presentTeam } from './present-team.ts'
import { teamsWithMembers } from './queries.ts'
import { TeamRecord } from './schemas.ts'

export const teamList = defineList({
  record: TeamRecord,
  present: presentTeam,
  rows: teamsWithMembers,
  storedCount: (tenant: Tenant) => storedCount(tenant, 'teams'),
  idColumn: 'teams.id',
  sorts: { createdAt: 'teams.id', name: 'teams.nameKey', slug: 'teams.slug' },
  defaultSort: 'createdAt',
  search: ['teams.nameKey', 'teams.slug'],
  searched: 'name or slug',
})
