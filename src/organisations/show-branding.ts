import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import type { StoredPolicy } from './rules.ts'

/** The name and branding that a page shows of its organisation. */
export interface OrganisationBranding {
  name: string
  /** As the organisation sent it: nothing in it has been checked. */
  branding: Readonly<Record<string, unknown>> | null
  signInPolicy: StoredPolicy
  /** Whether it has a connection to an identity provider, active or not. */
  hasConnections: boolean
}

/** Undefined for an organisation that is cancelled or does not exist. */
export async function findOrganisationBranding(database: Database, organisationId: string): Promise<OrganisationBranding | undefined> {
  return database
    .tenant(organisationId)
    .selectFrom('organisations')
    .select(['name', 'branding', 'signInPolicy'])
    .select(sql<boolean>`exists (select from connections c where c.organisation_id = organisations.id)`.as('hasConnections'))
    .where('status', '!=', 'cancelled')
    .executeTakeFirst()
}
