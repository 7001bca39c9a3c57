import type { Tenant } from '../platform/database/database.ts'
import { namesOf } from '../platform/database/named.ts'
import { refuseUnknownIds } from '../platform/http/problem.ts'
import { findTeams } from './queries.ts'
import { teamNotFound } from './refusals.ts'

/**
 * The distinct ids of these teams, which are locked against deletion.
 *
 * @param names ids or slugs
 * @throws Problem that points at each of `teamIds` that does not exist
 */
export async function knownTeams(tenant: Tenant, names: readonly string[]): Promise<string[]> {
  const teams = await findTeams(tenant, names)
  refuseUnknownIds('teamIds', names, namesOf(teams), teamNotFound)
  return teams.map(({ id }) => id)
}
