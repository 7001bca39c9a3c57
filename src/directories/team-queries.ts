import { sql } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'

/** What says which team a group has, and what the team is called. */
export interface GroupWithTeam {
  id: string
  displayName: string
  externalId: string | null
  teamId: string | null
  /** Whether the team was created for the group. */
  createdTeam: boolean
}

export async function listGroupsWithoutTeam(tenant: Tenant, directoryId: string): Promise<GroupWithTeam[]> {
  return tenant
    .selectFrom('directoryGroups')
    .select(['id', 'displayName', 'externalId', 'teamId', 'createdTeam'])
    .where('directoryId', '=', directoryId)
    .where('teamId', 'is', null)
    .orderBy('id')
    .execute()
}

export async function listGroupsWithTeam(tenant: Tenant, directoryId: string): Promise<GroupWithTeam[]> {
  return tenant
    .selectFrom('directoryGroups')
    .select(['id', 'displayName', 'externalId', 'teamId', 'createdTeam'])
    .where('directoryId', '=', directoryId)
    .where('teamId', 'is not', null)
    .orderBy('id')
    .execute()
}

export async function setTeam(tenant: Tenant, groupId: string, teamId: string): Promise<void> {
  await tenant.updateTable('directoryGroups').set({ teamId, createdTeam: true }).where('id', '=', groupId).execute()
}

export async function unsetTeams(tenant: Tenant, groupIds: readonly string[]): Promise<void> {
  if (groupIds.length === 0) return
  await tenant.updateTable('directoryGroups').set({ teamId: null, createdTeam: false }).where('id', 'in', groupIds).execute()
}

/** The ids of the teams that were created for groups of any directory. */
export async function listTeamsOfGroups(tenant: Tenant): Promise<string[]> {
  const groups = await tenant
    .selectFrom('directoryGroups')
    .select('teamId')
    .where('createdTeam', '=', true)
    .where('teamId', 'is not', null)
    .execute()
  return groups.flatMap(({ teamId }) => teamId ?? [])
}

/** The slugs of teams that are like this one: it, or it and a number. */
export async function similarSlugs(tenant: Tenant, slug: string): Promise<Set<string>> {
  const { rows } = await sql<{ slug: string }>`
    select slug from teams
    where organisation_id = ${tenant.organisationId} and (slug = ${slug} or slug ~ ${`^${slug}-[0-9]+$`})`.execute(tenant)
  return new Set(rows.map((row) => row.slug))
}

export async function isEmptyTeam(tenant: Tenant, teamId: string): Promise<boolean> {
  const member = await tenant.selectFrom('teamMembers').select('userId').where('teamId', '=', teamId).limit(1).executeTakeFirst()
  return member === undefined
}

/** Whether a mapping of any directory or connection puts users into the team. */
export async function isNamedByMapping(tenant: Tenant, teamId: string): Promise<boolean> {
  const { rows } = await sql`
    select from directories where organisation_id = ${tenant.organisationId}
      and group_mappings @> ${JSON.stringify([{ teamIds: [teamId] }])}::jsonb
    union all
    select from connections where organisation_id = ${tenant.organisationId}
      and team_mappings @> ${JSON.stringify([{ teamId }])}::jsonb
    limit 1`.execute(tenant)
  return rows.length > 0
}
