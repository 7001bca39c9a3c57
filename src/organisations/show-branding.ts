import type { Database } from '../platform/database/database.ts'
import type { StoredPolicy } from './rules.ts'

/** The name and branding that a page shows of its organisation. */
export interface OrganisationBranding {
  name: string
  /** As the organisation sent it: nothing in it has been checked. */
  branding: Readonly<Record<string, unknown>> | null
  signInPolicy: StoredPolicy
}

/** Undefined for an organisation that is cancelled or does not exist. */
export async function findOrganisationBranding(database: Database, organisationId: string): Promise<OrganisationBranding | undefined> {
  return database
    .tenant(organisationId)
    .selectFrom('organisations')
    .select(['name', 'branding', 'signInPolicy'])
    .where('status', '!=', 'cancelled')
    .executeTakeFirst()
}
