import type { Organisation } from '../../organisations/present-organisation.ts'
import { findOrganisation } from '../../organisations/queries.ts'
import type { Database } from '../../platform/database/database.ts'
import { CommandFailure } from '../failures.ts'

/** @throws CommandFailure when there is none of this slug or id */
export async function getOrganisation(database: Database, slugOrId: string): Promise<Organisation> {
  const organisation = await findOrganisation(database.system(), slugOrId)
  if (!organisation) throw new CommandFailure(`There is no organisation "${slugOrId}": \`gatehouse organisation list\` shows them`)
  return organisation
}
