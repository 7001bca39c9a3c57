import { type SignInPolicy, signInDefaults } from '../access/rules.ts'
import type { OrganisationStatus } from '../platform/database/column-types.ts'

/** The states of an organisation that is neither suspended nor cancelled: its users sign in, and tokens are issued. */
export const runningStatuses = ['trial', 'active'] as const satisfies readonly OrganisationStatus[]
export type RunningStatus = (typeof runningStatuses)[number]

export const isRunning = (status: OrganisationStatus): status is RunningStatus => status === 'trial' || status === 'active'

/** A policy as it was stored, in either spelling of its keys; null when the organisation has set none. */
export type StoredPolicy = Readonly<Record<string, unknown>> | null

/** The rules for a new password. */
export interface PasswordPolicy {
  minLength: number
  requireUppercase: boolean
  requireLowercase: boolean
  requireNumbers: boolean
  requireSymbols: boolean
  /** How many former passwords are refused. */
  preventReuse: number
  /** Days until a new one must be chosen at sign-in; undefined never asks for one. */
  maxAgeDays: number | undefined
  /** Whether passwords that are known from data breaches are refused, where the operator has a list of them. */
  refuseBreached: boolean
}

/** The lifetime of each kind of token in seconds; undefined where the organisation has set none. */
export interface TokenLifetimes {
  accessTokenSeconds: number | undefined
  refreshTokenSeconds: number | undefined
  /** Seconds after the sign-in when refresh tokens finally expire. */
  refreshTokenAbsoluteSeconds: number | undefined
  idTokenSeconds: number | undefined
}

/** Reads a stored sign-in policy: a value that is not stored has its default. */
export const signInPolicyOf = (stored: StoredPolicy): SignInPolicy => ({ ...signInDefaults, ...stored })

/**
 * The first factors of users other than the owner. `email_codes_alone` is a case of its own: an attacker who reads the mailbox of a user
 * without a second factor could enrol one, so that a second factor would protect nothing.
 *
 * @param hasConnection whether a connection to an identity provider works
 */
export function firstFactorsOf(
  { password, passkeys, emailCode }: SignInPolicy,
  hasConnection: boolean,
): 'none' | 'email_codes_alone' | 'others' {
  if (password === 'allowed' || passkeys !== 'off' || hasConnection) return 'others'
  return emailCode === 'off' ? 'none' : 'email_codes_alone'
}

/** The least length that any policy may set. */
export const passwordMinLength = 8

/** Which client ID metadata documents the organisation accepts. */
export interface ClientDocumentPolicy {
  /** Documents of any host, or only of those in `hosts`. */
  mode: 'any' | 'hosts'
  hosts: string[]
  /** Whether redirect URIs may be of another host than the document. */
  foreignRedirects: boolean
}

const policyDefaults: ClientDocumentPolicy = { mode: 'any', hosts: [], foreignRedirects: false }

/** Reads a stored policy: a value that is not stored has its default. */
export const documentPolicyOf = (stored: StoredPolicy): ClientDocumentPolicy => ({ ...policyDefaults, ...stored })

/** Reads a stored password policy. Where both spellings of a key are present, the stricter value holds. */
export function passwordPolicyOf(stored: StoredPolicy): PasswordPolicy {
  const ages = numbers(stored, 'maxAge').filter((days) => days > 0)
  return {
    minLength: Math.max(passwordMinLength, ...numbers(stored, 'minLength')),
    requireUppercase: isSet(stored, 'requireUppercase'),
    requireLowercase: isSet(stored, 'requireLowercase'),
    requireNumbers: isSet(stored, 'requireNumbers', 'requireNumber'),
    requireSymbols: isSet(stored, 'requireSymbols', 'requireSpecial'),
    preventReuse: Math.max(0, ...numbers(stored, 'preventReuse')),
    maxAgeDays: least(ages),
    refuseBreached: stored?.refuseBreached !== false,
  }
}

/** Reads a stored policy of token lifetimes. Where both spellings of a key are present, the shorter lifetime holds. */
export function tokenLifetimesOf(stored: StoredPolicy): TokenLifetimes {
  return {
    accessTokenSeconds: least(numbers(stored, 'accessToken', 'accessTokenLifetime')),
    refreshTokenSeconds: least(numbers(stored, 'refreshToken', 'refreshTokenLifetime')),
    refreshTokenAbsoluteSeconds: least(numbers(stored, 'refreshTokenAbsolute', 'refreshTokenAbsoluteLifetime')),
    idTokenSeconds: least(numbers(stored, 'idToken', 'idTokenLifetime')),
  }
}

function isSet(stored: StoredPolicy, ...keys: string[]): boolean {
  return keys.some((key) => stored?.[key] === true)
}

function numbers(stored: StoredPolicy, ...keys: string[]): number[] {
  return keys.map((key) => stored?.[key]).filter((value) => typeof value === 'number')
}

function least(values: number[]): number | undefined {
  return values.length > 0 ? Math.min(...values) : undefined
}

/** Whether the text is the host of an https address as such an address spells it: lower case, no dot at its end, and no default port. */
export function isDocumentHost(text: string): boolean {
  const url = URL.parse(`https://${text}/`)
  return url?.host === text && !url.hostname.endsWith('.')
}

const loopbackHost = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Whether the text is an origin as a browser sends it, with https or a loopback host. */
export function isProtectedOrigin(text: string): boolean {
  return URL.parse(text)?.origin === text && isPictureAddress(text, true)
}

/**
 * Whether a page shows a picture from this address: only by https, so that it cannot be changed on its way, and in
 * development also from loopback addresses.
 */
export function isPictureAddress(address: string, allowLoopback: boolean): boolean {
  const url = URL.parse(address)
  return url?.protocol === 'https:' || (allowLoopback && url?.protocol === 'http:' && loopbackHost.test(url.hostname))
}

/** The longest redirect URI, and the longest of any other URI that a client registers. */
export const redirectUriLengthMax = 2_048

export const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])
// The characters of RFC 3986. Browsers and servers disagree about all others, such as spaces and backslashes.
export const uriCharacters = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/

export type RedirectUriMistake =
  | 'uri-not-absolute'
  | 'uri-with-fragment'
  | 'uri-with-credentials'
  | 'uri-with-wildcard'
  | 'uri-not-https'
  | 'uri-of-other-scheme'

/**
 * The reason why a URI is no valid redirect target; undefined when it is one. RFC 6749 §3.1.2 wants it absolute and without a fragment;
 * RFC 8252 §7 allows native applications loopback addresses and private-use schemes, which are reversed domain names so that two
 * applications do not collide.
 */
export function redirectUriMistake(uri: string): RedirectUriMistake | undefined {
  if (!uriCharacters.test(uri) || !URL.canParse(uri)) return 'uri-not-absolute'
  if (uri.includes('#')) return 'uri-with-fragment'
  const { protocol, hostname, username, password } = new URL(uri)
  if (username !== '' || password !== '') return 'uri-with-credentials'
  if (/^https?:/i.test(uri) && !/^https?:\/\/[^/]/i.test(uri)) return 'uri-not-absolute'
  if (hostname.includes('*')) return 'uri-with-wildcard'
  if (protocol === 'https:') return undefined
  if (protocol === 'http:') return loopbackHosts.has(hostname) ? undefined : 'uri-not-https'
  return protocol.includes('.') ? undefined : 'uri-of-other-scheme'
}
