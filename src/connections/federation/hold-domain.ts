import { isDeepStrictEqual } from 'node:util'
import { holdVerifiedDomain } from '../../domains/queries.ts'
import { domainOfAddress } from '../../domains/rules.ts'
import type { Tenant } from '../../platform/database/database.ts'
import type { IdentityFacts } from '../decide-identity.ts'
import type { Connection } from '../queries.ts'
import { StaleDecision } from './retry-when-stale.ts'
import { domainFactsOf } from './rules.ts'

/**
 * Holds the domain of an identity's address as it was when it was decided who that is: it may prove the address, and says whether it leads to an
 * account at once, and to a new one.
 *
 * @throws StaleDecision when the organisation has verified or lost it since, or has assigned it to another connection
 */
export async function holdDomainAsDecided(
  tenant: Tenant,
  connection: Connection,
  { email, emailDomain, requiredConnectionId }: IdentityFacts,
): Promise<void> {
  if (email === undefined) return
  const now = domainFactsOf(connection, await holdVerifiedDomain(tenant, domainOfAddress(email)))
  if (!isDeepStrictEqual(now, { emailDomain, requiredConnectionId })) throw new StaleDecision()
}
