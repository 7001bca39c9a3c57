import type { ClaimSources } from '../claims/evaluate.ts'
import { claimTargets } from '../claims/schemas.ts'
import { jsonOf } from '../claims/statements.ts'
import type { ClaimMapping } from '../platform/database/column-types.ts'
import type { Database } from '../platform/database/database.ts'
import { statement } from '../platform/database/statement.ts'

const sourcesOfUser = statement<
  { organisationId: string; userId: string; mappings: string | null; targets: readonly string[] },
  { sources: ClaimSources }
>(`
  select claim_sources(:mappings::jsonb, :targets::text[], u.organisation_id, u.id, (
      select i.connection_id from identities i where i.organisation_id = u.organisation_id and i.user_id = u.id
      order by i.last_used_at desc nulls last limit 1
    ), null) as sources
  from users u where u.organisation_id = :organisationId and u.id = :userId`)

/**
 * What mappings of any target would take their values from if the user signed in now: with a linked account, by the identity provider used
 * last. Without mappings nothing is read.
 */
export async function findSources(
  database: Database,
  organisationId: string,
  userId: string,
  mappings: readonly ClaimMapping[],
): Promise<ClaimSources> {
  if (mappings.length === 0) return {}
  const found = await database.pointRead(sourcesOfUser, { organisationId, userId, mappings: jsonOf(mappings), targets: claimTargets })
  return found?.sources ?? {}
}
