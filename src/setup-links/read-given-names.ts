import type { Database } from '../platform/database/database.ts'
import { findRoles } from '../roles/queries.ts'
import { findTeams } from '../teams/queries.ts'
import type { SetupLink } from './queries.ts'
import { givenBySetup } from './rules.ts'

/** The names of the roles and teams that what a link makes gives, by their ids. Those that have been deleted are missing. */
export async function readGivenNames(
  database: Database,
  { organisationId, purposes, settings }: Pick<SetupLink, 'organisationId' | 'purposes' | 'settings'>,
): Promise<ReadonlyMap<string, string>> {
  const tenant = database.tenant(organisationId)
  const { roleIds } = givenBySetup({ purposes, settings })
  const teamIds = [...settings.teamMappings.map(({ teamId }) => teamId), ...settings.groupMappings.flatMap((mapping) => mapping.teamIds)]
  const [roles, teams] = await Promise.all([findRoles(tenant, roleIds), findTeams(tenant, teamIds)])
  return new Map([...roles, ...teams].map(({ id, name }) => [id, name]))
}
