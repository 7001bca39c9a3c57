import { type Selectable, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { compiledOnce } from '../platform/database/compiled.ts'
import { refuseViolation } from '../platform/database/constraints.ts'
import type { SharedReads, Tenant } from '../platform/database/database.ts'
import { isNamed } from '../platform/database/named.ts'
import { storedCountOfGroup } from '../platform/database/stored-counts.ts'
import type { TeamsTable } from '../platform/database/tables.ts'
import { newId } from '../platform/ids.ts'
import { rowsWithSources } from '../roles/sources.ts'
import { teamNotFound, teamSlugTaken } from './refusals.ts'
import type { NewTeam, TeamChanges, TeamRecord } from './schemas.ts'

export type TeamFields = Omit<Selectable<TeamsTable>, 'organisationId' | 'nameKey'>
export type Team = TeamFields & Pick<TeamRecord, 'memberCount'>
export type TeamWithMembers = Team & Pick<TeamRecord, 'members'>

const fields = ['teams.id', 'teams.name', 'teams.slug', 'teams.description', 'teams.createdAt', 'teams.updatedAt'] as const

const columns = [...fields, storedCountOfGroup('team_members', 'teams').as('memberCount')] as const

export const teamsWithoutMembers = (reads: SharedReads) => reads.selectFrom('teams').select(columns)

/** Teams with their members, in one query. */
export const teamsWithMembers = (reads: SharedReads) =>
  teamsWithoutMembers(reads).select((team) =>
    jsonArrayFrom(
      team
        .selectFrom('teamMembers')
        .innerJoin('users', (join) =>
          join.onRef('users.organisationId', '=', 'teamMembers.organisationId').onRef('users.id', '=', 'teamMembers.userId'),
        )
        .select(['users.id', 'users.email', 'users.name'])
        .whereRef('teamMembers.organisationId', '=', 'teams.organisationId')
        .whereRef('teamMembers.teamId', '=', 'teams.id')
        .where('users.deletedAt', 'is', null)
        .orderBy('users.id'),
    ).as('members'),
  )

/** The members of a team who are not deleted, in no order. */
export const membersOf = (tenant: Tenant, teamId: string) =>
  tenant
    .selectFrom('users')
    .innerJoin('teamMembers', (join) =>
      join.onRef('teamMembers.organisationId', '=', 'users.organisationId').onRef('teamMembers.userId', '=', 'users.id'),
    )
    .select(['users.id', 'users.email', 'users.name'])
    .where('teamMembers.teamId', '=', teamId)
    .where('users.deletedAt', 'is', null)

const findMemberCount = compiledOnce((reads, id: string) =>
  reads.selectFrom('teams').select(storedCountOfGroup('team_members', 'teams').as('memberCount')).where('teams.id', '=', id),
)

/** These users, deleted or not. */
export const findMembers = (tenant: Tenant, ids: readonly string[]) =>
  tenant.selectFrom('users').select(['id', 'email', 'name']).where('id', '=', sql<string>`any(${ids}::text[])`).execute()

/** @throws Problem `not-found` */
export async function getMemberCount(tenant: Tenant, teamId: string): Promise<number> {
  const team = await findMemberCount(tenant, teamId)
  if (!team) throw teamNotFound()
  return team.memberCount
}

const findTeam = compiledOnce((reads, id: string) => teamsWithMembers(reads).where('teams.id', '=', id))

/** @throws Problem `not-found` */
export async function getTeam(tenant: Tenant, id: string): Promise<TeamWithMembers> {
  const team = await findTeam(tenant, id)
  if (!team) throw teamNotFound()
  return team
}

const findTeamWithoutMembers = compiledOnce((reads, id: string) => teamsWithoutMembers(reads).where('teams.id', '=', id))

/** @throws Problem `not-found` */
export async function getTeamWithoutMembers(tenant: Tenant, id: string): Promise<Team> {
  const team = await findTeamWithoutMembers(tenant, id)
  if (!team) throw teamNotFound()
  return team
}

/** The team, whose row stays locked until the end of the transaction. */
export async function lockTeam(tenant: Tenant, id: string): Promise<Team | undefined> {
  return tenant.selectFrom('teams').select(columns).where('id', '=', id).forUpdate().executeTakeFirst()
}

/** The teams with these ids or slugs, locked against deletion until the end of the transaction. Unknown ones are left out. */
export async function findTeams(tenant: Tenant, names: readonly string[]): Promise<TeamFields[]> {
  if (names.length === 0) return []
  return tenant.selectFrom('teams').select(fields).where(isNamed('teams', names)).forKeyShare().execute()
}

/** The names of these teams in alphabetical order, without unknown ones. */
export async function findTeamNames(tenant: Tenant, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const teams = await tenant.selectFrom('teams').select('name').where('id', '=', sql<string>`any(${ids}::text[])`).orderBy('name').execute()
  return teams.map(({ name }) => name)
}

export async function insertTeam(tenant: Tenant, { name, slug, description }: NewTeam): Promise<Team> {
  return tenant
    .insertInto('teams')
    .values({ id: newId('tem', tenant.now), name, slug, description, createdAt: tenant.now, updatedAt: tenant.now })
    .returning(columns)
    .executeTakeFirstOrThrow()
    .catch(refuseViolation({ teams_slug_key: teamSlugTaken }))
}

/** @returns undefined when another team of the organisation has the slug */
export async function insertTeamUnlessTaken(tenant: Tenant, { name, slug, description }: NewTeam): Promise<Team | undefined> {
  return tenant
    .insertInto('teams')
    .values({ id: newId('tem', tenant.now), name, slug, description, createdAt: tenant.now, updatedAt: tenant.now })
    .onConflict((conflict) => conflict.constraint('teams_slug_key').doNothing())
    .returning(columns)
    .executeTakeFirst()
}

export async function updateTeam(tenant: Tenant, id: string, { name, description }: TeamChanges): Promise<Team> {
  return tenant
    .updateTable('teams')
    .set({ ...(name !== undefined && { name }), ...(description !== undefined && { description }), updatedAt: tenant.now })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** @returns the team that this call deleted, undefined when none was */
export async function deleteTeam(tenant: Tenant, id: string): Promise<Team | undefined> {
  return tenant.deleteFrom('teams').where('id', '=', id).returning(columns).executeTakeFirst()
}

/** The statements that change memberships. */
export const memberships = rowsWithSources('team_members')

/** Adds users who are in no team yet as manual members, in one statement. */
export async function addMembers(tenant: Tenant, members: readonly { userId: string; teamId: string }[]): Promise<void> {
  if (members.length === 0) return
  await tenant
    .insertInto('teamMembers')
    .values(members.map((member) => ({ ...member, createdAt: tenant.now })))
    .execute()
}
