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

interface GroupsToRead {
  condition: RawBuilder<SqlBool>
  offset?: number
  limit: number
  withMembers: boolean
}

export async function readGroups(
  tenant: Tenant,
  directory: Directory,
  { condition, offset = 0, limit, withMembers }: GroupsToRead,
): Promise<GroupWithMembers[]> {
  const { rows } = await sql<Group & { members: { value: string; display: string }[] | null }>`${sql.raw(plannedEachTime)}
    select ${columns}, ${withMembers ? members : sql`null`} as members
    ${ofDirectory(directory)} and ${condition} order by g.id limit ${limit} offset ${offset}`.execute(tenant)
  return rows.map((row) => ({ ...row, members: row.members ?? undefined }))
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
  const [group] = await readGroups(tenant, directory, { condition: sql<boolean>`g.id = ${id}`, limit: 1, withMembers })
  return group
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
  deleted(tenant, groupId, sql`user_id <> all(${userIds}::text[])`)

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
