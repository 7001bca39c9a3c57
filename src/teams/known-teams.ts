import type { Tenant } from '../platform/database/database.ts'
import { refuseUnknownIds } from '../platform/http/problem.ts'
import { findTeamIds } from './queries.ts'

/** These teams, each once, kept from being deleted. Throws a Problem that points at each `teamIds` that does not exist. */
export async function knownTeams(tenant: Tenant, ids: readonly string[]): Promise<string[]> {
  const known = await findTeamIds(tenant, ids)
  refuseUnknownIds('teamIds', ids, known, 'Team not found')
  return [...known]
}
