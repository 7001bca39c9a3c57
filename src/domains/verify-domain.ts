import { setTimeout as pause } from 'node:timers/promises'
import type { Caller } from '../access/caller.ts'
import { transactionOf } from '../access/hold-caller.ts'
import type { RateLimits } from '../access/rate-limits.ts'
import { systemActor } from '../activity/actor.ts'
import { changesBetween } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { channels, notify, tryLockAddressesOf } from '../platform/database/locks-and-channels.ts'
import { Problem } from '../platform/http/problem.ts'
import { serviceNotAvailable } from '../platform/http/refusals.ts'
import type { DomainOperations } from './change-domain.ts'
import type { FindChallenge } from './dns-records.ts'
import { presentDomainInHistory } from './present-domain.ts'
import { type Domain, findReleasable, getDomain, lockDomain, lockReleasable, markProven, markUnproven } from './queries.ts'
import { domainOfAnotherOrganisation, recordNotFound } from './refusals.ts'

/** How long a verification waits for transactions that create users of the domain: most take milliseconds. */
const lockMilliseconds = 5_000
const tryAgainMilliseconds = 20

export interface DomainVerification extends DomainOperations {
  limits: RateLimits
  findChallenge: FindChallenge
}

/**
 * Looks up the record of a domain, and assigns the domain to the organisation. When several organisations prove a domain, only one gets
 * it: the database decides. A holder whose record has been missing for a week, or who is cancelled, loses it to the first that proves it.
 *
 * @throws Problem `not-found`, `too-many-requests`, `bad-request` when the record does not exist, `conflict` when it does but another
 *   organisation has the domain: an organisation that has not proven the domain does not learn that; `service-unavailable` while an import
 *   of another organisation creates users of the domain
 */
export async function verifyDomain(
  { database, limits, findChallenge, requiredSso }: DomainVerification,
  caller: Caller,
  id: string,
): Promise<Domain> {
  const { organisationId } = caller
  const { domain, challenge } = await getDomain(database.tenant(organisationId), id)
  await limits.domainVerificationsByOrganisation.count(organisationId)
  const { isPresent, answers } = await findChallenge(domain, challenge)
  if (!isPresent) throw recordNotFound(answers)

  const key = { id, caller }
  const verified = await claimDomain(database, key).catch(async (error: unknown) => {
    const isTaken = error instanceof Problem && error.code === domainOfAnotherOrganisation.code
    if (isTaken && (await release(database, domain))) return claimDomain(database, key)
    throw error
  })
  await requiredSso.follow()
  return verified
}

async function claimDomain(database: Database, { id, caller }: { id: string; caller: Caller }): Promise<Domain> {
  // The DNS may have taken its time to answer.
  return transactionOf(database, caller, 'domains:update', async (tenant) => {
    const before = await lockDomain(tenant, id)
    if (before.status !== 'verified') await lockAddresses(tenant, before.domain)
    const domain = await markProven(tenant, before)
    if (before.status !== 'verified') {
      await record(tenant, caller.actor, { action: 'domain.verified', domain: presentDomainInHistory(domain) })
      await notify(tenant, channels.domains)
    }
    return domain
  })
}

/** Of the two, the verification and the creation of a user by another organisation, one sees the other. @throws Problem `service-unavailable` */
async function lockAddresses(tenant: Tenant, domain: string): Promise<void> {
  const until = performance.now() + lockMilliseconds
  while (!(await tryLockAddressesOf(tenant, domain))) {
    if (performance.now() >= until) throw serviceNotAvailable(new Error('An import that takes its time creates users of the domain'))
    await pause(tryAgainMilliseconds)
  }
}

/** Releases a domain from an organisation that does not keep it. @returns whether one was released */
async function release(database: Database, name: string): Promise<boolean> {
  const held = await findReleasable(database.system(), name)
  if (!held) return false
  return database.transaction(held.organisationId, async (tenant) => {
    const before = await lockReleasable(tenant, held.id)
    if (!before) return false
    const domain = presentDomainInHistory(await markUnproven(tenant, before, 'pending'))
    const changes = changesBetween(presentDomainInHistory(before), domain)
    await record(tenant, systemActor, { action: 'domain.updated', domain, changes })
    return true
  })
}
