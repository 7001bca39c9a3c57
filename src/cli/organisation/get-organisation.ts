import { sql } from 'kysely'
import type { Organisation } from '../../organisations/present-organisation.ts'
import { allOrganisations, findOrganisation } from '../../organisations/queries.ts'
import type { Database } from '../../platform/database/database.ts'
import { CommandFailure } from '../failures.ts'
import { missing, slugsOf } from '../known-names.ts'

const comparedMax = 1_000

/** @throws CommandFailure when no organisation has this slug or id, or it is cancelled: then its only export may have been written already */
export async function getOrganisation(database: Database, slugOrId: string): Promise<Organisation> {
  const organisation = await getOrganisationOfAnyStatus(database, slugOrId)
  const { slug, status } = organisation
  if (status === 'cancelled') throw new CommandFailure(`${slug} is cancelled: \`gatehouse organisation restore ${slug}\` takes that back`)
  return organisation
}

/**
 * For commands that change its status, or nothing.
 *
 * @throws CommandFailure when no organisation has this slug or id
 */
export async function getOrganisationOfAnyStatus(database: Database, slugOrId: string): Promise<Organisation> {
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
