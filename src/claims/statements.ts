import type { ClaimMapping, ClaimTarget } from '../platform/database/column-types.ts'
import type { ClaimSources } from './evaluate.ts'

/** Mappings with what they take their values from, as a statement reads them. Both are null without mappings. */
export interface MappedClaims {
  claimMappings: ClaimMapping[] | null
  claimSources: ClaimSources | null
}

interface Origin {
  organisation: string
  user?: string
  connection?: string
  session?: string
}

/**
 * The sources of the mappings in a column, as SQL; null without mappings, for which nothing is called. The function reads only what the
 * mappings for these targets name.
 */
export const claimSources = (
  mappings: string,
  targets: readonly ClaimTarget[],
  { organisation, user = 'null', connection = 'null', session = 'null' }: Origin,
): string => `
  case when ${mappings} is not null then claim_sources(${mappings}, '{${targets.join(',')}}', ${organisation}, ${user}, ${connection}, ${session}) end`

/** The sources for the tokens that a code or a family earns, from its row. */
export const sourcesOfTokens = (mappings: string, row: string): string =>
  claimSources(mappings, ['id_token', 'access_token'], {
    organisation: `${row}.organisation_id`,
    user: `${row}.user_id`,
    connection: `${row}.connection_id`,
    session: `${row}.session_id`,
  })

/** Mappings as the value of a statement that does not read the client. */
export const jsonOf = (mappings: readonly ClaimMapping[] | null): string | null => mappings && JSON.stringify(mappings)
