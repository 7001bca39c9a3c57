import { domainToASCII, domainToUnicode } from 'node:url'
import type { DomainStatus, SsoPolicy } from '../platform/database/column-types.ts'

const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
const pattern = new RegExp(`^${label}(\\.${label})+$`)
/** Leaves room for the prefix `_gatehouse.`. */
const lengthMax = 253 - 11

/** Whether a domain in DNS form has at least two labels and is not an address. */
export const isDomain = (domain: string): boolean =>
  domain.length <= lengthMax && pattern.test(domain) && !/\.(\d+|0x[\da-f]*)$/.test(domain)

/** The only ASCII characters of a domain. Node's functions parse URLs: they would decode `%`, and cut off a path or a port. */
const asciiOfDomains = /^[a-z\d.\u0080-\u{10ffff}-]*$/u

/**
 * Parses a domain into DNS form. Undefined when the text is not a domain, or when UTS 46 would turn it into another name: full-width
 * forms, soft hyphens, capitals beyond ASCII and the like are not part of a domain's name.
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

/** A domain in the letters that its users write. */
export const unicodeOf = (domain: string): string => domainToUnicode(domain)

/** The domain of an e-mail address, as it is stored. */
export const domainOfAddress = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** A week of failed checks. */
const failingMilliseconds = 7 * 24 * 3_600 * 1_000

/** Whether a domain that has been failing since this time has lapsed by now. */
export const hasLapsed = (failingSince: Date, now: Date): boolean => now.getTime() - failingSince.getTime() >= failingMilliseconds

/** The setting that remains once the organisation no longer proves the domain: it requires nothing. */
export const ssoWithoutProof = (sso: SsoPolicy): SsoPolicy => (sso === 'required' ? 'offered' : sso)

/** The requirement of a verified domain that requires single sign-on. */
export interface Requirement {
  /** The only connection through which users get a session. */
  connectionId: string
  /** Users who may sign in otherwise, while they have a second factor. */
  bypassUserIds: readonly string[]
}

/** The fields of a user that a requirement depends on. */
export interface RequiredUser {
  id: string
  ownerId: string | null
  mfaEnabled: boolean
}

/**
 * The only connection through which a user gets a session; undefined for a user who may sign in in any way. The owner always may, and
 * so may an excepted user while their second factor is on: without it the password alone would be enough.
 */
export function requiredConnectionOf(requirement: Requirement | null, { id, ownerId, mfaEnabled }: RequiredUser): string | undefined {
  if (!requirement || id === ownerId) return undefined
  return requirement.bypassUserIds.includes(id) && mfaEnabled ? undefined : requirement.connectionId
}

/** Whether an administrator has said what a domain means for its users, beyond that this connection is theirs. */
export const isInUse = (domain: { connectionId: string | null; sso: SsoPolicy }, connectionId: string | null = null): boolean =>
  domain.sso !== 'off' || (domain.connectionId !== null && domain.connectionId !== connectionId)

/** Whether a domain decides how its users sign in. */
export const requiresSso = ({ status, sso }: { status: DomainStatus; sso: SsoPolicy }): boolean =>
  status === 'verified' && sso === 'required'
