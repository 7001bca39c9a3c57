import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'
import { sourceOfDirectory } from '../roles/sources.ts'
import { type GivingDirectory, givenBy } from './apply-mappings.ts'
import { namedGroupMappings } from './group-mappings.ts'
import { getDirectory } from './queries.ts'
import type { AskedMappings, MappingsImpact } from './schemas.ts'

type ImpactOfOne = MappingsImpact['roles'][number]

/**
 * Counts the users who would gain and lose a role or a team by other mappings. What something else gives them, too, they neither gain
 * nor lose. Nothing is changed.
 *
 * @throws Problem `not-found`; `bad-request` naming each unknown role and team
 */
export async function mappingsImpact(tenant: Tenant, id: string, { groupMappings, groups }: AskedMappings): Promise<MappingsImpact> {
  const { directory } = await getDirectory(tenant, id)
  const asked: GivingDirectory = {
    id,
    groups: groups ?? directory.groups,
    groupMappings: groupMappings ? await namedGroupMappings(tenant, groupMappings) : directory.groupMappings,
  }
  const wanted = givenBy(tenant, asked)
  return {
    roles: await impactOf(tenant, id, wanted.roles, { records: 'roles', sources: 'user_role_sources', held: 'user_roles', id: 'role_id' }),
    teams: await impactOf(tenant, id, wanted.teams, {
      records: 'teams',
      sources: 'team_member_sources',
      held: 'team_members',
      id: 'team_id',
    }),
  }
}

interface Given {
  records: 'roles' | 'teams'
  sources: 'user_role_sources' | 'team_member_sources'
  held: 'user_roles' | 'team_members'
  id: 'role_id' | 'team_id'
}

async function impactOf(tenant: Tenant, directoryId: string, wanted: RawBuilder<unknown>, of: Given): Promise<ImpactOfOne[]> {
  const { organisationId } = tenant
  const source = sourceOfDirectory(directoryId)
  const [records, sources, held, id] = [sql.table(of.records), sql.table(of.sources), sql.table(of.held), sql.ref(of.id)]
  const { rows } = await sql<ImpactOfOne>`
    with wanted (user_id, id) as (${wanted}), given as (
      select s.user_id, s.${id} as id from ${sources} s
      where s.organisation_id = ${organisationId} and s.source = ${source} and s.source <> 'manual'
    ), changes as (
      select w.id, 1 as gains, 0 as losses from wanted w join ${records} r on r.organisation_id = ${organisationId} and r.id = w.id
      where not exists (select from ${held} h
        where h.organisation_id = ${organisationId} and h.user_id = w.user_id and h.${id} = w.id)
      union all
      select g.id, 0, 1 from given g
      where not exists (select from wanted w where w.user_id = g.user_id and w.id = g.id)
        and not exists (select from ${sources} s
          where s.organisation_id = ${organisationId} and s.user_id = g.user_id and s.${id} = g.id and s.source <> ${source})
    )
    select id, sum(gains)::int as gains, sum(losses)::int as losses from changes group by id order by id`.execute(tenant)
  return rows
}
