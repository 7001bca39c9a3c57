import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { refuseViolation } from '../../platform/database/constraints.ts'
import type { Tenant } from '../../platform/database/database.ts'
import { plannedEachTime } from '../../platform/database/planned-each-time.ts'
import type { Directory } from './directory.ts'
import { displayNameTaken, externalIdTaken } from './scim-refusals.ts'

export interface Group {
  id: string
  displayName: string
  externalId: string | null
  teamId: string | null
  createdTeam: boolean
  version: number
  createdAt: Date
  updatedAt: Date
}

export interface GroupWithMembers extends Group {
  /** Undefined when they have not been read. */
  members: readonly { value: string; display: string }[] | undefined
}

const columns = sql.raw('g.id, g.display_name, g.external_id, g.team_id, g.created_team, g.version, g.created_at, g.updated_at')

/** The groups `g` of a directory. */
const ofDirectory = ({ id, organisationId }: Directory) => sql`
  from directory_groups g where g.organisation_id = ${organisationId} and g.directory_id = ${id}`

const members = sql`(
  select coalesce(json_agg(json_build_object('value', u.id, 'display', u.name) order by u.id), '[]')
  from directory_group_members gm join users u on u.organisation_id = gm.organisation_id and u.id = gm.user_id and u.deleted_at is null
  where gm.organisation_id = g.organisation_id and gm.group_id = g.id)`

const memberCount = sql`(
  select count(*) from directory_group_members gm where gm.organisation_id = g.organisation_id and gm.group_id = g.id)`

interface GroupsToRead {
  condition: RawBuilder<SqlBool>
  offset: number
  limit: number
  withMembers: boolean
}

/** So many members, or those of a single group, are read at a time. */
const membersAtATime = 20_000

/** A part of a list. It has fewer groups than were found when their members are many: RFC 7644 §3.4.2.4. */
interface PageOfGroups {
  groups: GroupWithMembers[]
  /** How many groups there are within the limit. */
  found: number
}

/** Reads a page of groups, which ends before the group whose members would be too many. */
export async function readGroups(tenant: Tenant, directory: Directory, asked: GroupsToRead): Promise<PageOfGroups> {
  const { condition, offset, limit, withMembers } = asked
  if (!withMembers) {
    const { rows } = await sql<Group>`${sql.raw(plannedEachTime)}
      select ${columns} ${ofDirectory(directory)} and ${condition} order by g.id limit ${limit} offset ${offset}`.execute(tenant)
    return { groups: rows.map((row) => ({ ...row, members: undefined })), found: rows.length }
  }
  // Members are counted group by group, and no further than to the end of the page.
  const { rows } = await sql<Group & { members: { value: string; display: string }[]; found: number }>`${sql.raw(plannedEachTime)}
    with recursive within as materialized (
      select g.*, row_number() over (order by g.id) as place
      from (select g.* ${ofDirectory(directory)} and ${condition} order by g.id limit ${limit} offset ${offset}) as g
    ), sized (place, id, total) as (
      select g.place, g.id, ${memberCount} from within g where g.place = 1
      union all
      select g.place, g.id, sized.total + ${memberCount} from sized join within g on g.place = sized.place + 1
      where sized.total < ${membersAtATime}
    )
    select ${columns}, ${members} as members, (select count(*)::int from within) as found
    from within g join sized on sized.place = g.place
    where sized.place = 1 or sized.total <= ${membersAtATime}
    order by g.place`.execute(tenant)
  return { groups: rows, found: rows[0]?.found ?? 0 }
}

export async function countGroups(tenant: Tenant, directory: Directory, condition: RawBuilder<SqlBool>): Promise<number> {
  const { rows } = await sql<{ total: number }>`${sql.raw(plannedEachTime)}
    select count(*)::int as total ${ofDirectory(directory)} and ${condition}`.execute(tenant)
  return rows[0]?.total ?? 0
}

export async function findGroup(
  tenant: Tenant,
  directory: Directory,
  id: string,
  withMembers: boolean,
): Promise<GroupWithMembers | undefined> {
  const { groups } = await readGroups(tenant, directory, { condition: sql<boolean>`g.id = ${id}`, offset: 0, limit: 1, withMembers })
  return groups[0]
}

/** The group, whose row stays locked until the end of the transaction: changes of one group come one after the other. */
export async function lockGroup(tenant: Tenant, directory: Directory, id: string): Promise<Group | undefined> {
  const { rows } = await sql<Group>`select ${columns} ${ofDirectory(directory)} and g.id = ${id} for update of g`.execute(tenant)
  return rows[0]
}

/** @throws ScimError `uniqueness` */
export async function insertGroup(
  tenant: Tenant,
  directoryId: string,
  { id, displayName, externalId }: Pick<Group, 'id' | 'displayName' | 'externalId'>,
): Promise<void> {
  await tenant
    .insertInto('directoryGroups')
    .values({ id, directoryId, displayName, externalId, createdAt: tenant.now, updatedAt: tenant.now })
    .execute()
    .catch(refuseNames)
}

/** Stores the names of a group, which is a new version then. @throws ScimError `uniqueness` */
export async function renewGroup(
  tenant: Tenant,
  { id, displayName, externalId, version }: Pick<Group, 'id' | 'displayName' | 'externalId' | 'version'>,
): Promise<void> {
  await tenant
    .updateTable('directoryGroups')
    .set({ displayName, externalId, version: version + 1, updatedAt: tenant.now })
    .where('id', '=', id)
    .execute()
    .catch(refuseNames)
}

const refuseNames = refuseViolation({
  directory_groups_display_name_key: displayNameTaken,
  directory_groups_external_id_key: externalIdTaken,
})

export async function deleteGroup(tenant: Tenant, id: string): Promise<void> {
  await tenant.deleteFrom('directoryGroups').where('id', '=', id).execute()
}

export async function memberIdsOf(tenant: Tenant, groupId: string): Promise<string[]> {
  const rows = await tenant.selectFrom('directoryGroupMembers').select('userId').where('groupId', '=', groupId).execute()
  return rows.map(({ userId }) => userId)
}

/** @returns those who were no members before */
export async function insertMembers(tenant: Tenant, groupId: string, userIds: readonly string[]): Promise<string[]> {
  if (userIds.length === 0) return []
  const { rows } = await sql<{ userId: string }>`
    insert into directory_group_members (group_id, user_id, created_at)
    select ${groupId}, user_id, ${tenant.now} from unnest(${userIds}::text[]) as user_id
    on conflict do nothing returning user_id`.execute(tenant)
  return rows.map(({ userId }) => userId)
}

/** @returns those who were members */
export async function deleteMembers(tenant: Tenant, groupId: string, userIds: readonly string[]): Promise<string[]> {
  if (userIds.length === 0) return []
  return deleted(tenant, groupId, sql`user_id = any(${userIds}::text[])`)
}

/** @returns those who were members and remain none */
export const deleteOtherMembers = (tenant: Tenant, groupId: string, userIds: readonly string[]): Promise<string[]> =>
  deleted(tenant, groupId, sql`(user_id in (select unnest(${userIds}::text[]))) is not true`)

async function deleted(tenant: Tenant, groupId: string, condition: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ userId: string }>`
    delete from directory_group_members
    where organisation_id = ${tenant.organisationId} and group_id = ${groupId} and ${condition} returning user_id`.execute(tenant)
  return rows.map(({ userId }) => userId)
}

export async function hasMoreMembersThan(tenant: Tenant, groupId: string, max: number): Promise<boolean> {
  const { rows } = await sql`
    select from directory_group_members where organisation_id = ${tenant.organisationId} and group_id = ${groupId}
    limit 1 offset ${max}`.execute(tenant)
  return rows.length > 0
}
