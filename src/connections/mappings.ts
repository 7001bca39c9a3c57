import type { Tenant } from '../platform/database/database.ts'
import { type FieldError, invalidInput, unknownName } from '../platform/http/problem.ts'
import { findRoles } from '../roles/queries.ts'
import { findTeams } from '../teams/queries.ts'
import type { Connection } from './queries.ts'
import { ownerRoleNotMapped, roleNotFound, teamNotFound } from './refusals.ts'

type Mappings = { [Field in 'roleMappings' | 'teamMappings']?: Connection[Field] | undefined }

/**
 * These mappings with the ids of their roles and teams, which a request may also name by slug. Both are locked against deletion.
 *
 * @throws Problem `bad-request` that points at each unknown one, or at the owner role
 */
export async function namedMappings<Sent extends Mappings>(tenant: Tenant, sent: Sent): Promise<Sent> {
  const { roleMappings = [], teamMappings = [] } = sent
  const roles = roleMappings.length > 0 ? await findRoles(tenant, namesOf(roleMappings, 'roleId')) : []
  const teams = await findTeams(tenant, namesOf(teamMappings, 'teamId'))
  const mistakes: FieldError[] = []

  const withRoles = roleMappings.map((mapping, index) => {
    const role = roles.find(isNamed(mapping.roleId))
    if (!role) mistakes.push(unknownName(['roleMappings', index, 'roleId'], roleNotFound))
    else if (role.isOwner) mistakes.push(ownerRoleNotMapped(['roleMappings', index, 'roleId']))
    return { ...mapping, roleId: role?.id ?? mapping.roleId }
  })
  const withTeams = teamMappings.map((mapping, index) => {
    const team = teams.find(isNamed(mapping.teamId))
    if (!team) mistakes.push(unknownName(['teamMappings', index, 'teamId'], teamNotFound))
    return { ...mapping, teamId: team?.id ?? mapping.teamId }
  })
  if (mistakes.length > 0) throw invalidInput(mistakes)
  return { ...sent, ...(sent.roleMappings && { roleMappings: withRoles }), ...(sent.teamMappings && { teamMappings: withTeams }) }
}

const namesOf = <Key extends string>(mappings: readonly Record<Key, string>[], key: Key): string[] => [
  ...new Set(mappings.map((mapping) => mapping[key])),
]

const isNamed =
  (name: string) =>
  ({ id, slug }: { id: string; slug: string }) =>
    id === name || slug === name
