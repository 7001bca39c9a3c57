import { sql } from 'kysely'
import type { Organisation } from '../../organisations/present-organisation.ts'
import { allOrganisations, findOrganisation } from '../../organisations/queries.ts'
import type { Database } from '../../platform/database/database.ts'
import { missing, slugsOf } from '../known-names.ts'

const comparedMax = 1_000

/** @throws CommandFailure when no organisation has this slug or id */
export async function getOrganisation(database: Database, slugOrId: string): Promise<Organisation> {
  const organisation = await findOrganisation(database.system(), slugOrId)
  if (organisation) return organisation
  const alike = await allOrganisations(database.system())
    .clearSelect()
    .select('slug')
    .orderBy(sql`left(slug, 2) = left(${slugOrId}, 2)`, 'desc')
    .limit(comparedMax)
    .execute()
  throw missing(`organisation "${slugOrId}"`, slugOrId, slugsOf(alike), '`gatehouse organisation list` shows them')
}
