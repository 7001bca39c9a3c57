import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../activity/actor.ts'
import type { GroupMapping } from '../platform/database/column-types.ts'
import type { Tenant } from '../platform/database/database.ts'
import { sourceOfDirectory, type UpstreamSource } from '../roles/sources.ts'
import { setTeamsFromSource } from '../teams/teams-from-source.ts'
import { setRolesFromSource } from '../users/roles-from-source.ts'

/** The settings of a directory that say what its groups give. */
export interface GivingDirectory {
  id: string
  groups: 'teams' | 'mappings_only'
  groupMappings: readonly GroupMapping[]
}

/**
 * Gives users what the groups of a directory, and the roles that it names, give them by its present settings, and takes from them what it
 * gave before and gives no longer. It costs a constant number of statements for a thousand changes. The caller holds the directory.
 *
 * @param concerned the users, whose rows are locked here in one order; all users of the directory by default
 */
export async function applyMappings(
  { tenant, directory, actor }: { tenant: Tenant; directory: GivingDirectory; actor: Actor },
  concerned?: { userIds: readonly string[] } | { groupId: string },
): Promise<void> {
  const source = sourceOfDirectory(directory.id)
  const users = usersOf(tenant, directory, source, concerned)
  await sql`
    select from users u where u.organisation_id = ${tenant.organisationId} and u.id in (${users}) order by u.id for update`.execute(tenant)
  await setRolesFromSource(tenant, actor, source, { users, wanted: rolesWanted(tenant, directory, users) })
  await setTeamsFromSource(tenant, actor, source, { users, wanted: teamsWanted(tenant, directory, users) })
}

/** What a directory would give all its users by these settings, each as rows of a user and an id. */
export function givenBy(tenant: Tenant, directory: GivingDirectory): { roles: RawBuilder<unknown>; teams: RawBuilder<unknown> } {
  const users = usersOf(tenant, directory, sourceOfDirectory(directory.id), undefined)
  return { roles: rolesWanted(tenant, directory, users), teams: teamsWanted(tenant, directory, users) }
}

function usersOf(
  { organisationId }: Tenant,
  { id }: GivingDirectory,
  source: UpstreamSource,
  concerned: { userIds: readonly string[] } | { groupId: string } | undefined,
): RawBuilder<string> {
  if (!concerned)
    return sql<string>`
      select gm.user_id from directory_group_members gm
      join directory_groups g on g.organisation_id = gm.organisation_id and g.id = gm.group_id
      where gm.organisation_id = ${organisationId} and g.directory_id = ${id}
      union select m.user_id from directory_users m where m.organisation_id = ${organisationId} and m.directory_id = ${id}
      union select s.user_id from user_role_sources s where s.organisation_id = ${organisationId} and s.source = ${source} and s.source <> 'manual'
      union select s.user_id from team_member_sources s where s.organisation_id = ${organisationId} and s.source = ${source} and s.source <> 'manual'`
  if ('userIds' in concerned) return sql<string>`select unnest(${concerned.userIds}::text[])`
  return sql<string>`
    select gm.user_id from directory_group_members gm where gm.organisation_id = ${organisationId} and gm.group_id = ${concerned.groupId}`
}

/** Users who may be given anything: neither the owner nor a deleted user, nor one whom the directory has deprovisioned. */
const mayBeGiven = ({ organisationId }: Tenant, { id }: GivingDirectory, userId: RawBuilder<unknown>) => sql`
  exists (select from users u where u.organisation_id = ${organisationId} and u.id = ${userId} and u.deleted_at is null)
  and ${userId} <> coalesce((select o.owner_id from organisations o where o.id = ${organisationId}), '')
  and not exists (select from directory_users m where m.organisation_id = ${organisationId} and m.directory_id = ${id}
    and m.user_id = ${userId} and m.deprovisioned_at is not null)`

/** The groups of users, each as often as it is mapped. */
function mapped(tenant: Tenant, directory: GivingDirectory, users: RawBuilder<string>, ids: 'roleIds' | 'teamIds') {
  const { organisationId } = tenant
  const { id, groupMappings } = directory
  const rows = groupMappings.flatMap(({ group, [ids]: given }) => given.map((one) => ({ ...namesOf(group), id: one })))
  return sql`
    select gm.user_id, mapping.id
    from unnest(${rows.map((row) => row.displayName)}::text[], ${rows.map((row) => row.externalId)}::text[], ${rows.map((row) => row.id)}::text[])
      as mapping (display_name, external_id, id)
    join directory_groups g on g.organisation_id = ${organisationId} and g.directory_id = ${id}
      and (lower(g.display_name) = lower(mapping.display_name) or g.external_id = mapping.external_id)
    join directory_group_members gm on gm.organisation_id = g.organisation_id and gm.group_id = g.id
    where gm.user_id in (${users}) and ${mayBeGiven(tenant, directory, sql`gm.user_id`)}`
}

const namesOf = (group: GroupMapping['group']) => ({
  displayName: 'displayName' in group ? group.displayName : null,
  externalId: 'externalId' in group ? group.externalId : null,
})

/** Roles that mappings give, and those that the directory names of a user: of these only such as its mappings name. */
function rolesWanted(tenant: Tenant, directory: GivingDirectory, users: RawBuilder<string>) {
  const named = directory.groupMappings.flatMap(({ roleIds }) => roleIds)
  return sql`
    ${mapped(tenant, directory, users, 'roleIds')}
    union
    select m.user_id, r.id from directory_users m
    cross join jsonb_array_elements(case jsonb_typeof(m.attributes->'roles') when 'array' then m.attributes->'roles' else '[]' end) as said
    join roles r on r.organisation_id = m.organisation_id and r.slug = said->>'value'
    where m.organisation_id = ${tenant.organisationId} and m.directory_id = ${directory.id} and m.user_id in (${users})
      and r.id = any(${named}::text[]) and ${mayBeGiven(tenant, directory, sql`m.user_id`)}`
}

/** Teams that mappings give, and the teams of the groups themselves. */
function teamsWanted(tenant: Tenant, directory: GivingDirectory, users: RawBuilder<string>) {
  const byMapping = mapped(tenant, directory, users, 'teamIds')
  if (directory.groups !== 'teams') return byMapping
  return sql`
    ${byMapping}
    union
    select gm.user_id, g.team_id from directory_groups g
    join directory_group_members gm on gm.organisation_id = g.organisation_id and gm.group_id = g.id
    where g.organisation_id = ${tenant.organisationId} and g.directory_id = ${directory.id} and g.team_id is not null
      and gm.user_id in (${users}) and ${mayBeGiven(tenant, directory, sql`gm.user_id`)}`
}
