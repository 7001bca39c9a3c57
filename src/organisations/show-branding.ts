import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import type { ConnectionsTable } from '../platform/database/tables.ts'
import type { StoredPolicy } from './rules.ts'
import { connectionSignsIn } from './signs-in-by-connection.ts'

export interface OfferedConnection {
  id: string
  name: string
  provider: ConnectionsTable['provider']
}

interface ConnectionOfOrganisation extends OfferedConnection {
  signsIn: boolean
  /** Whether the domain of an address leads to this connection. */
  isFoundByDomain: boolean
}

/** The name and branding that a page shows of its organisation, and how its users sign in. */
export interface OrganisationBranding {
  name: string
  /** The branding as the organisation sent it, unchecked. */
  branding: Readonly<Record<string, unknown>> | null
  signInPolicy: StoredPolicy
  /** Its connections to identity providers, the oldest first. */
  connections: readonly ConnectionOfOrganisation[]
}

/** Finds the branding of an organisation; undefined when it is cancelled or does not exist. */
export async function findOrganisationBranding(database: Database, organisationId: string): Promise<OrganisationBranding | undefined> {
  return database
    .tenant(organisationId)
    .selectFrom('organisations')
    .select(['name', 'branding', 'signInPolicy'])
    .select(connections)
    .where('status', '!=', 'cancelled')
    .executeTakeFirst()
}

const connections = sql<OrganisationBranding['connections']>`coalesce((
  select json_agg(json_build_object('id', c.id, 'name', c.name, 'provider', c.provider, 'signsIn', ${connectionSignsIn('c')},
    'isFoundByDomain', exists (
      select from organisation_domains d
      where d.organisation_id = c.organisation_id and d.connection_id = c.id and d.status = 'verified' and d.sso <> 'off')) order by c.id)
  from connections c where c.organisation_id = organisations.id), '[]')`.as('connections')
