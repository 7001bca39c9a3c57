import type { Database } from '../platform/database/database.ts'

/** What a page shows of the organisation that it is about. */
export interface OrganisationBranding {
  name: string
  /** As the organisation sent it: nothing in it has been checked. */
  branding: Readonly<Record<string, unknown>> | null
}

/** Undefined for an organisation that is cancelled or was never there. */
export async function findOrganisationBranding(database: Database, organisationId: string): Promise<OrganisationBranding | undefined> {
  return database
    .tenant(organisationId)
    .selectFrom('organisations')
    .select(['name', 'branding'])
    .where('status', '!=', 'cancelled')
    .executeTakeFirst()
}
