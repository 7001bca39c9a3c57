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

export async function setTeam(tenant: Tenant, groupId: string, teamId: string): Promise<void> {
  await tenant.updateTable('directoryGroups').set({ teamId, createdTeam: true }).where('id', '=', groupId).execute()
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
