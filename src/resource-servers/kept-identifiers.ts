/** A verified domain keeps the identifiers of its APIs: another organisation registers none at its host, or below it. */
import type { Database } from '../platform/database/database.ts'
import { statement } from '../platform/database/statement.ts'

const nearestDomain = statement<{ domains: readonly string[] }, { organisationId: string }>(
  `select organisation_id as "organisationId" from organisation_domains
  where domain = any(:domains::text[]) and status = 'verified'
  order by length(domain) desc limit 1`,
  { crossesOrganisations: 'the organisation that has proven a domain decides what others may register there' },
)

/** Whether another organisation has verified the domain of the identifier's host, or one above it. The nearest verified domain decides. */
export async function isKeptByAnother(database: Database, organisationId: string, identifier: string): Promise<boolean> {
  // A dot at its end leads to the same host.
  const labels = new URL(identifier).hostname.replace(/\.$/, '').split('.')
  const domains = labels.map((_, index) => labels.slice(index).join('.'))
  const nearest = await database.pointRead(nearestDomain, { domains })
  return nearest !== undefined && nearest.organisationId !== organisationId
}
