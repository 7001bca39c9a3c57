import { type QueryExecutorProvider, sql } from 'kysely'

/** The assignments and memberships of any organisation that have no source, and the sources of none. There are never any. */
export async function unequalRows(system: QueryExecutorProvider): Promise<unknown[]> {
  const { rows } = await sql`
    select * from (select organisation_id, user_id, role_id, true as held from user_roles) a
      full join (select distinct organisation_id, user_id, role_id, true as sourced from user_role_sources) b using (organisation_id, user_id, role_id)
      where held is null or sourced is null
    union all
    select * from (select organisation_id, user_id, team_id, true as held from team_members) a
      full join (select distinct organisation_id, user_id, team_id, true as sourced from team_member_sources) b using (organisation_id, user_id, team_id)
      where held is null or sourced is null`.execute(system)
  return rows
}
