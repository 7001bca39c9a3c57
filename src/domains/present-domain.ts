import { presentTime } from '../platform/http/fields.ts'
import { defineVersion } from '../platform/http/versions.ts'
import { challengeName, challengeValue } from './dns-records.ts'
import type { CountedDomain, ForeignAccount } from './foreign-accounts.ts'
import type { Domain } from './queries.ts'
import { unicodeOf } from './rules.ts'
import type { DomainRecord, ForeignAccount as ForeignAccountRecord } from './schemas.ts'

/** The settings: a check in the DNS, and the accounts of others, refuse no change by an administrator. */
export const domainVersion = defineVersion<Pick<DomainRecord, 'id' | 'connectionId' | 'sso' | 'bypassUserIds'>>([
  'connectionId',
  'sso',
  'bypassUserIds',
])

export const presentDomain = ({ foreignAccounts, ...domain }: CountedDomain): DomainRecord => ({
  ...presentSettings(domain),
  foreignAccounts,
})

function presentSettings({ challenge, ...domain }: Domain): Omit<DomainRecord, 'foreignAccounts'> {
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

/** Presents a domain for the history, without the time of the last check and the accounts of others. */
export function presentDomainInHistory(domain: Domain): Omit<DomainRecord, 'checkedAt' | 'foreignAccounts'> {
  const { checkedAt: _, ...shown } = presentSettings(domain)
  return shown
}

export const presentForeignAccount = ({ createdAt, deletedAt, ...account }: ForeignAccount): ForeignAccountRecord => ({
  ...account,
  createdAt: presentTime(createdAt),
  deletedAt: presentTime(deletedAt),
})
