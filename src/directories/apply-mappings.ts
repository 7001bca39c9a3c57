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
  await lockThose(tenant, users)
  await setRolesFromSource(tenant, actor, source, { users, wanted: rolesWanted(tenant, directory, users) })
  await setTeamsFromSource(tenant, actor, source, { users, wanted: teamsWanted(tenant, directory, users) })
}

/** Locks all users of a directory in the order of {@link applyMappings}: before its groups, as everything that locks both. */
export const lockUsersOf = ({ tenant, directory }: { tenant: Tenant; directory: GivingDirectory }): Promise<void> =>
  lockThose(tenant, usersOf(tenant, directory, sourceOfDirectory(directory.id), undefined))

async function lockThose(tenant: Tenant, users: RawBuilder<string>): Promise<void> {
  await sql`
    select from users u where u.organisation_id = ${tenant.organisationId} and u.id = any(array(${users})) order by u.id for update`.execute(
    tenant,
  )
}

/**
 * What a directory would give all its users once its groups follow these settings, each as rows of a user and an id: then no group that is
 * mapped to teams has one of its own.
 */
export function givenBy(tenant: Tenant, directory: GivingDirectory): { roles: RawBuilder<unknown>; teams: RawBuilder<unknown> } {
  const users = usersOf(tenant, directory, sourceOfDirectory(directory.id), undefined)
  return { roles: rolesWanted(tenant, directory, users), teams: teamsWanted(tenant, directory, users, isNotMappedToTeams(directory)) }
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

/**
 * Those of the users who may be given anything: neither the owner nor a deleted user, nor one whom the directory has deprovisioned.
 *
 * Until PostgreSQL has analysed what a first synchronisation writes, it believes the tables small, and read them whole for each user. So
 * users are found in one pass (`any`), and what is held of them user by user (`offset 0`), here and below.
 */
const whoMayBeGiven = ({ organisationId }: Tenant, { id }: GivingDirectory, users: RawBuilder<string>) => sql`
  select u.id as user_id from users u
  left join lateral (
    select m.directory_id, m.deprovisioned_at from directory_users m where m.organisation_id = ${organisationId} and m.user_id = u.id offset 0
  ) as managed on managed.directory_id = ${id}
  where u.organisation_id = ${organisationId} and u.id = any(array(${users})) and u.deleted_at is null and managed.deprovisioned_at is null
    and u.id <> coalesce((select o.owner_id from organisations o where o.id = ${organisationId}), '')`

/** Queries to begin with: `able` are users who may be given anything, `member` the groups that they have been put into. */
const withGroups = (tenant: Tenant, directory: GivingDirectory, users: RawBuilder<string>) => sql`
  with able as materialized (${whoMayBeGiven(tenant, directory, users)}),
  member as materialized (
    select able.user_id, of_user.group_id from able
    cross join lateral (
      select gm.group_id from directory_group_members gm
      where gm.organisation_id = ${tenant.organisationId} and gm.user_id = able.user_id offset 0) as of_user)`

const nothing = sql`select null::text as user_id, null::text as id where false`

/** Leaves out the owner role, which no source gives: a row may have come into the database by another way than a request. */
const isNoOwnerRole = ({ organisationId }: Tenant, id: RawBuilder<unknown>) => sql`
  not exists (select from roles owning where owning.organisation_id = ${organisationId} and owning.id = ${id} and owning.is_owner)`

/** What mappings give a `member` of groups. */
function mapped(tenant: Tenant, { id, groupMappings }: GivingDirectory, ids: 'roleIds' | 'teamIds') {
  const rows = groupMappings.flatMap(({ group, [ids]: given }) => given.map((one) => ({ ...namesOf(group), id: one })))
  if (rows.length === 0) return nothing
  const ofDirectory = sql`from directory_groups g where g.organisation_id = ${tenant.organisationId} and g.directory_id = ${id}`
  return sql`
    select member.user_id, giving.id
    from member join (
      select g.id as group_id, mapping.id
      from unnest(${rows.map((row) => row.displayName)}::text[], ${rows.map((row) => row.externalId)}::text[], ${rows.map((row) => row.id)}::text[])
        as mapping (display_name, external_id, id)
      cross join lateral (
        select g.id ${ofDirectory} and lower(g.display_name) = lower(mapping.display_name)
        union all select g.id ${ofDirectory} and g.external_id = mapping.external_id) as g
      where ${ids === 'roleIds' ? isNoOwnerRole(tenant, sql`mapping.id`) : sql`true`}
    ) as giving on giving.group_id = member.group_id`
}

const namesOf = (group: GroupMapping['group']) => ({
  displayName: 'displayName' in group ? group.displayName : null,
  externalId: 'externalId' in group ? group.externalId : null,
})

/** Roles that mappings give, and those that the directory names of a user: of these only such as its mappings name, never the owner role. Slugs are in lower case. */
function rolesWanted(tenant: Tenant, directory: GivingDirectory, users: RawBuilder<string>) {
  const named = directory.groupMappings.flatMap(({ roleIds }) => roleIds)
  if (named.length === 0) return nothing
  return sql`
    ${withGroups(tenant, directory, users)}
    ${mapped(tenant, directory, 'roleIds')}
    union
    select able.user_id, r.id from able
    cross join lateral (
      select m.directory_id, m.attributes->'roles' as roles from directory_users m
      where m.organisation_id = ${tenant.organisationId} and m.user_id = able.user_id offset 0) as m
    cross join jsonb_array_elements(case jsonb_typeof(m.roles) when 'array' then m.roles else '[]' end) as said
    join roles r on r.organisation_id = ${tenant.organisationId} and r.slug = lower(said->>'value')
    where m.directory_id = ${directory.id} and r.id = any(${named}::text[]) and not r.is_owner`
}

/** Those of these groups of the directory for which a mapping says which teams their members join. */
export async function listMappedToTeams(tenant: Tenant, directory: GivingDirectory, groupIds: readonly string[]): Promise<Set<string>> {
  if (groupIds.length === 0 || directory.groupMappings.every(({ teamIds }) => teamIds.length === 0)) return new Set()
  const { rows } = await sql<{ id: string }>`
    select g.id from directory_groups g
    where g.organisation_id = ${tenant.organisationId} and g.directory_id = ${directory.id} and g.id = any(${groupIds}::text[])
      and not ${isNotMappedToTeams(directory)}`.execute(tenant)
  return new Set(rows.map(({ id }) => id))
}

/** The condition that no mapping says which teams the members of a group `g` join. The database alone compares names without case. */
function isNotMappedToTeams({ groupMappings }: GivingDirectory): RawBuilder<unknown> {
  const names = groupMappings.filter(({ teamIds }) => teamIds.length > 0).map(({ group }) => namesOf(group))
  if (names.length === 0) return sql`true`
  return sql`not exists (
    select from unnest(${names.map(({ displayName }) => displayName)}::text[], ${names.map(({ externalId }) => externalId)}::text[])
      as mapping (display_name, external_id)
    where lower(g.display_name) = lower(mapping.display_name) or g.external_id = mapping.external_id)`
}

/** Teams that mappings give, and the teams of the groups themselves. */
function teamsWanted(tenant: Tenant, directory: GivingDirectory, users: RawBuilder<string>, hasOwnTeam: RawBuilder<unknown> = sql`true`) {
  const ofGroups = sql`
    union
    select member.user_id, g.team_id from member
    cross join lateral (
      select g.directory_id, g.team_id, g.display_name, g.external_id from directory_groups g
      where g.organisation_id = ${tenant.organisationId} and g.id = member.group_id offset 0) as g
    where g.directory_id = ${directory.id} and g.team_id is not null and ${hasOwnTeam}`
  return sql`
    ${withGroups(tenant, directory, users)}
    ${mapped(tenant, directory, 'teamIds')} ${directory.groups === 'teams' ? ofGroups : sql``}`
}
