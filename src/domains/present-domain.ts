import { presentTime } from '../platform/http/fields.ts'
import { challengeName, challengeValue } from './dns-records.ts'
import type { Domain } from './queries.ts'
import { unicodeOf } from './rules.ts'
import type { DomainRecord } from './schemas.ts'

export function presentDomain({ challenge, ...domain }: Domain): DomainRecord {
  return {
    id: domain.id,
    domain: domain.domain,
    unicodeDomain: unicodeOf(domain.domain),
    status: domain.status,
    challenge: { type: 'TXT', name: challengeName(domain.domain), value: challengeValue(challenge) },
    connectionId: domain.connectionId,
    sso: domain.sso,
    bypassUserIds: domain.bypassUserIds,
    verifiedAt: presentTime(domain.verifiedAt),
    checkedAt: presentTime(domain.checkedAt),
    failingSince: presentTime(domain.failingSince),
    createdAt: presentTime(domain.createdAt),
    updatedAt: presentTime(domain.updatedAt),
  }
}

/** The same for the history, where a check that found the record says nothing. */
export function presentDomainInHistory(domain: Domain): Omit<DomainRecord, 'checkedAt'> {
  const { checkedAt: _, ...shown } = presentDomain(domain)
  return shown
}
