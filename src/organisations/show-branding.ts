import type { Database } from '../platform/database/database.ts'

/** What a page shows of the organisation that it is about. */
export interface OrganisationFace {
  name: string
  /** As the organisation sent it: nothing in it has been checked. */
  branding: Readonly<Record<string, unknown>> | null
}

/** Undefined for an organisation that is cancelled or was never there. */
export async function findOrganisationFace(database: Database, organisationId: string): Promise<OrganisationFace | undefined> {
  return database
    .tenant(organisationId)
    .selectFrom('organisations')
    .select(['name', 'branding'])
    .where('status', '!=', 'cancelled')
    .executeTakeFirst()
}
