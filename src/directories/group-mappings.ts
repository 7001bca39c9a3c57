import type { GroupMapping } from '../platform/database/column-types.ts'
import type { Tenant } from '../platform/database/database.ts'
import { type FieldError, invalidInput, unknownName } from '../platform/http/problem.ts'
import { findRoles } from '../roles/queries.ts'
import { findTeams } from '../teams/queries.ts'
import { ownerRoleNotMapped, roleNotFound, teamNotFound } from './refusals.ts'
import type { SentGroupMapping } from './schemas.ts'

/**
 * These mappings with the ids of their roles and teams, which a request may also name by slug. Both are locked against deletion.
 *
 * @throws Problem `bad-request` that points at each unknown one, or at the owner role
 */
export async function namedGroupMappings(tenant: Tenant, sent: readonly SentGroupMapping[]): Promise<GroupMapping[]> {
  const roles = await findNamed(
    findRoles,
    tenant,
    sent.flatMap(({ roleIds }) => roleIds),
  )
  const teams = await findNamed(
    findTeams,
    tenant,
    sent.flatMap(({ teamIds }) => teamIds),
  )
  const mistakes: FieldError[] = []
  const idsOf = <Found extends { id: string; slug: string }>(
    [field, names]: [field: 'roleIds' | 'teamIds', names: readonly string[]],
    found: readonly Found[],
    mapping: number,
    mistakeOf: (path: FieldError['path'], one: Found | undefined) => FieldError | undefined,
  ) => [
    ...new Set(
      names.map((named, index) => {
        const one = found.find(({ id, slug }) => id === named || slug === named)
        const mistake = mistakeOf(['groupMappings', mapping, field, index], one)
        if (mistake) mistakes.push(mistake)
        return one?.id ?? named
      }),
    ),
  ]

  const mappings = sent.map(({ group, roleIds, teamIds }, mapping) => ({
    group: group.displayName === undefined ? { externalId: group.externalId as string } : { displayName: group.displayName },
    roleIds: idsOf(['roleIds', roleIds], roles, mapping, (path, role) =>
      role?.isOwner ? ownerRoleNotMapped(path) : role ? undefined : unknownName(path, roleNotFound),
    ),
    teamIds: idsOf(['teamIds', teamIds], teams, mapping, (path, team) => (team ? undefined : unknownName(path, teamNotFound))),
  }))
  if (mistakes.length > 0) throw invalidInput(mistakes)
  return mappings
}

const findNamed = async <Found>(find: (tenant: Tenant, names: string[]) => Promise<Found[]>, tenant: Tenant, names: readonly string[]) =>
  names.length === 0 ? [] : find(tenant, [...new Set(names)])
