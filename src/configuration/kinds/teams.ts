import { listTeamsOfGroups } from '../../directories/team-queries.ts'
import { counted } from '../../platform/text.ts'
import { changeTeam, createTeam, removeTeam } from '../../teams/change-team.ts'
import { getMemberCount, teamsWithoutMembers } from '../../teams/queries.ts'
import { NewTeam, TeamChanges } from '../../teams/schemas.ts'
import type { Kind } from '../kind.ts'

export const teamKind: Kind = {
  name: 'team',
  keyField: 'slug',
  permissions: { read: 'teams:read', create: 'teams:create', update: 'teams:update', delete: 'teams:delete' },
  async list(tenant) {
    const teams = await teamsWithoutMembers(tenant).orderBy('teams.id').execute()
    const ofGroups = new Set(await listTeamsOfGroups(tenant))
    return teams.map(({ id, slug, name, description }) => ({
      ...{ id, key: slug, name, fields: { name, description } },
      // It comes, is renamed and goes with its group.
      isManagedElsewhere: ofGroups.has(id),
    }))
  },
  create: ({ dependencies: { database }, caller }, slug, fields) => createTeam(database, caller, NewTeam.parse({ ...fields, slug })),
  update: ({ dependencies: { database }, caller }, id, fields) => changeTeam(database, caller, id, TeamChanges.parse(fields), undefined),
  remove: ({ dependencies: { database }, caller }, id) => removeTeam(database, caller, id, undefined, undefined),
  async effects({ tenant }, id, { action }) {
    if (action !== 'delete') return []
    const members = await getMemberCount(tenant, id)
    return members > 0 ? [`takes ${counted(members, 'user')} from the team`] : []
  },
}
