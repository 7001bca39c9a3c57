import { domainToASCII, domainToUnicode } from 'node:url'
import type { DomainStatus, SsoPolicy } from '../platform/database/tables.ts'

const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
const pattern = new RegExp(`^${label}(\\.${label})+$`)
/** `_gatehouse.` stands before it. */
const lengthMax = 253 - 11

/** Whether a domain in the form of the DNS is one of at least two labels, and no address. */
export const isDomain = (domain: string): boolean =>
  domain.length <= lengthMax && pattern.test(domain) && !/\.(\d+|0x[\da-f]*)$/.test(domain)

/** Besides these, ASCII has nothing that a domain holds. Node's functions read addresses: they would decode `%`, and cut off a path or a port. */
const asciiOfDomains = /^[a-z\d.\u0080-\u{10ffff}-]*$/u

/**
 * The domain in the form of the DNS. Undefined when the text is none, or when UTS 46 would make another name of it: full-width forms,
 * soft hyphens, capitals beyond ASCII and the like are no part of a domain's name.
 */
export function readDomain(text: string): string | undefined {
  const sent = text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
  if (!asciiOfDomains.test(sent)) return undefined
  const ascii = domainToASCII(sent)
  const unicode = unicodeOf(ascii)
  if (!isDomain(ascii) || domainToASCII(unicode) !== ascii) return undefined
  const [sentLabels, asciiLabels, unicodeLabels] = [sent, ascii, unicode].map((name) => name.split('.')) as [string[], string[], string[]]
  const isMeant = (label: string, at: number) => label === unicodeLabels[at] || label === asciiLabels[at]
  const isDecoded = unicodeLabels.every((label) => !label.startsWith('xn--'))
  return isDecoded && sentLabels.length === asciiLabels.length && sentLabels.every(isMeant) ? ascii : undefined
}

/** A domain of the DNS in the letters that its users write. */
export const unicodeOf = (domain: string): string => domainToUnicode(domain)

/** The domain of an e-mail address, as it is stored. */
export const domainOfAddress = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** A week of failed checks. */
const failingMilliseconds = 7 * 24 * 3_600 * 1_000

/** Whether a domain that has been failing since then has lapsed by now. */
export const hasLapsed = (failingSince: Date, now: Date): boolean => now.getTime() - failingSince.getTime() >= failingMilliseconds

/** What stays required of users when the organisation no longer proves the domain: nothing. */
export const ssoWithoutProof = (sso: SsoPolicy): SsoPolicy => (sso === 'required' ? 'offered' : sso)

/** What a verified domain that requires single sign-on says of its users. */
export interface Requirement {
  /** By which alone they get a session. */
  connectionId: string
  /** Users who may sign in otherwise, while they have a second factor. */
  bypassUserIds: readonly string[]
}

/** A user, as far as a requirement is concerned. */
export interface RequiredUser {
  id: string
  ownerId: string | null
  mfaEnabled: boolean
}

/**
 * The connection by which alone a user gets a session; undefined for a user who may sign in by anything. The owner always may, and a
 * user who is excepted while a second factor is on: without it the password alone would be enough.
 */
export function requiredConnectionOf(requirement: Requirement | null, { id, ownerId, mfaEnabled }: RequiredUser): string | undefined {
  if (!requirement || id === ownerId) return undefined
  return requirement.bypassUserIds.includes(id) && mfaEnabled ? undefined : requirement.connectionId
}

/** Whether a domain decides how its users sign in. */
export const requiresSso = ({ status, sso }: { status: DomainStatus; sso: SsoPolicy }): boolean =>
  status === 'verified' && sso === 'required'
