import type { DomainStatus, SsoPolicy } from '../platform/database/tables.ts'

const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
const pattern = new RegExp(`^${label}(\\.${label})+$`)
/** `_gatehouse.` stands before it. */
const lengthMax = 253 - 11

/** Whether a domain in the form of the DNS is one of at least two labels, and no address. */
export const isDomain = (domain: string): boolean =>
  domain.length <= lengthMax && pattern.test(domain) && !/\.(\d+|0x[\da-f]*)$/.test(domain)

/** The domain of an e-mail address, as it is stored. */
export const domainOfAddress = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** A week of failed checks. */
const failingMilliseconds = 7 * 24 * 3_600 * 1_000

/** Whether a domain that has been failing since then has lapsed by now. */
export const hasLapsed = (failingSince: Date, now: Date): boolean => now.getTime() - failingSince.getTime() >= failingMilliseconds

/** What stays required of users when the organisation no longer proves the domain: nothing. */
export const ssoWithoutProof = (sso: SsoPolicy): SsoPolicy => (sso === 'required' ? 'offered' : sso)

/** Whether a domain decides how its users sign in. */
export const requiresSso = ({ status, sso }: { status: DomainStatus; sso: SsoPolicy }): boolean =>
  status === 'verified' && sso === 'required'
