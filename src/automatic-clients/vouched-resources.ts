/** The resource decides to which organisation an automatic client belongs. */
import type { OrganisationStatus } from '../platform/database/column-types.ts'
import type { Database } from '../platform/database/database.ts'
import { statement } from '../platform/database/statement.ts'
import { type ResourceServer, resourceServerObject } from '../tokens/resource-servers.ts'

/** The organisation that lets automatic clients use these resource servers. */
export interface VouchedResources {
  organisationId: string
  organisationStatus: Exclude<OrganisationStatus, 'cancelled'>
  tokenLifetimePolicy: Record<string, unknown> | null
  clientDocumentPolicy: Record<string, unknown> | null
  servers: ResourceServer[]
}

interface Wanted {
  identifiers: readonly string[]
  ids: readonly string[]
  allowsLoopback: boolean
}

// The host stands between `://` and the port, the path or the query. A verified domain vouches for itself and for what is below it.
const host = `substring(r.identifier from '^[a-z]+://(\\[[^]]*\\]|[^/?:]+)')`

const vouched = statement<Wanted, VouchedResources>(
  `
  select o.id as "organisationId", o.status as "organisationStatus", o.token_lifetime_policy as "tokenLifetimePolicy",
    o.client_document_policy as "clientDocumentPolicy", json_agg(${resourceServerObject()} order by r.id) as servers
  from resource_servers r join organisations o on o.id = r.organisation_id
  where (r.identifier = any(:identifiers::text[]) or r.id = any(:ids::text[]))
    and r.is_active and r.allows_automatic_clients and o.status <> 'cancelled'
    and (
      (:allowsLoopback::boolean and r.identifier like 'http://%')
      or exists (
        select from organisation_domains d
        where d.organisation_id = r.organisation_id and d.status = 'verified'
          and (${host} = d.domain or right(${host}, length(d.domain) + 1) = '.' || d.domain)))
  group by o.id`,
  { crossesOrganisations: 'a client that has introduced itself has no organisation: the resource says which one it is' },
)

/**
 * The resource servers with these identifiers or ids, if all are of one organisation that lets automatic clients use each of them: it says
 * so, and has verified the domain of the host. During development, plain http on loopback addresses needs no domain.
 *
 * @returns undefined for any other, also for none: which of the conditions fails is not for a stranger to know
 */
export async function findVouchedResources(
  database: Database,
  { identifiers = [], ids = [] }: { identifiers?: readonly string[]; ids?: readonly string[] },
  environment: 'production' | 'development',
): Promise<VouchedResources | undefined> {
  const count = identifiers.length + ids.length
  if (count === 0) return undefined
  const found = await database.pointRead(vouched, { identifiers, ids, allowsLoopback: environment === 'development' })
  // Those of several organisations are in several rows, none of which has all.
  return found?.servers.length === count ? found : undefined
}
