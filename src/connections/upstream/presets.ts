import { say } from '../../../shared/checks/said.ts'
import { readDomain } from '../../domains/rules.ts'
import { isPlainText } from '../../platform/text.ts'
import type { Checks, Claims } from './checks.ts'
import type { Provider, UpstreamConfiguration, UpstreamSettings } from './settings.ts'

export type { Claims }

/** How one provider departs from OpenID Connect, and when it proves an address. */
export interface Preset {
  issuerOf(configuration: UpstreamConfiguration): string
  scopes: readonly string[]
  responseMode?: 'form_post'
  /** Whether to query the UserInfo endpoint; if undefined, the connection decides. */
  userInfo?: boolean
  subjectOf(claims: Claims): string | undefined
  /** Whether this connection proves that an address is the user's. */
  proves(claims: Claims, email: string, settings: UpstreamSettings): boolean
  /** Whether the provider made the address up for this service, so that it leads to no account. */
  isRelay?(claims: Claims, email: string): boolean
  /** Whether the discovery document may name this issuer in place of the requested one. */
  mayBeIssuer?(issuer: string, configuration: UpstreamConfiguration): boolean
  /** The issuer that the ID token must name, given the issuer of the discovery document. */
  expectedIssuer?(issuer: string, claims: Claims): string
  /** The issuer that a token with these claims has to name, before any document is read; by default that of the configuration. */
  issuerOfClaims?(configuration: UpstreamConfiguration, claims: Claims): string
  check?(claims: Claims, configuration: UpstreamConfiguration, checks: Checks): void
  parameters?(configuration: UpstreamConfiguration): Record<string, string>
}

const standardScopes = ['openid', 'email', 'profile']
const subject = ({ sub }: Claims) => identifierOf(sub)
/** A preset can vouch only for the claim `email`. */
const isOfEmail = ({ emailClaim = 'email' }: Pick<UpstreamSettings, 'emailClaim'>) => emailClaim === 'email'
const isTrue = (value: unknown) => value === true || value === 'true'

const google: Preset = {
  issuerOf: () => 'https://accounts.google.com',
  scopes: standardScopes,
  userInfo: false,
  subjectOf: subject,
  // A Google account may have any address; Google is the authority only for its own domains and those of Workspace.
  proves: (claims, email, settings) =>
    isOfEmail(settings) && isTrue(claims.email_verified) && (email.endsWith('@gmail.com') || claims.hd === domainOf(email)),
  check({ hd }, { allowedHostedDomains = [] }, checks) {
    if (allowedHostedDomains.length === 0) return
    checks.addOfAccount('hosted_domain', allowedHostedDomains.join(', '), hd, typeof hd === 'string' && allowedHostedDomains.includes(hd))
  },
  parameters: ({ allowedHostedDomains = [] }) => (allowedHostedDomains.length === 1 ? { hd: allowedHostedDomains[0] as string } : {}),
}

const entra = 'https://login.microsoftonline.com'
const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const isGuid = (value: unknown): value is string => typeof value === 'string' && guid.test(value)
const anyTenant = /^https:\/\/login\.microsoftonline\.com\/(\{tenantid\}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})\/v2\.0$/
/** The tenant of personal accounts, which anyone can open: the same as `consumers`. */
const personalAccounts = '9188040d-6c67-4c5b-b112-36a304b66dad'
const severalTenants = new Set(['organizations', 'consumers', 'common'])

const microsoft: Preset = {
  issuerOf: ({ tenant = 'common' }) => `${entra}/${tenant.toLowerCase()}/v2.0`,
  scopes: standardScopes,
  userInfo: false,
  // `email` and `upn` change hands, and any tenant may write any address there.
  subjectOf: ({ tid, oid }) => (isGuid(tid) && identifierOf(oid) ? `${tid}.${oid}` : undefined),
  proves(claims, email, { configuration, verifiedDomains, ...settings }) {
    const tenant = configuration.tenant?.toLowerCase() ?? 'common'
    if (!isOfEmail(settings)) return false
    const isVerifiedByOwner = isTrue(claims.xms_edov) || claims.xms_edov === 1 || claims.xms_edov === '1'
    return isVerifiedByOwner || (!severalTenants.has(tenant) && tenant !== personalAccounts && verifiedDomains.includes(domainOf(email)))
  },
  mayBeIssuer: (issuer, { tenant = 'common' }) => severalTenants.has(tenant) && anyTenant.test(issuer),
  expectedIssuer: (issuer, { tid }) => (isGuid(tid) ? issuer.replace('{tenantid}', tid) : issuer),
  issuerOfClaims(configuration, { tid }) {
    const isOfSeveral = severalTenants.has(configuration.tenant ?? 'common')
    return isOfSeveral && isGuid(tid) ? `${entra}/${tid}/v2.0` : microsoft.issuerOf(configuration)
  },
  check({ tid }, { allowedTenants = [] }, checks) {
    const allowed = allowedTenants.length === 0 ? say('any-tenant') : allowedTenants.join(', ')
    checks.addOfAccount('tenant', allowed, tid, typeof tid === 'string' && (allowedTenants.length === 0 || allowedTenants.includes(tid)))
  },
}

const apple: Preset = {
  issuerOf: () => 'https://appleid.apple.com',
  scopes: ['openid', 'email', 'name'],
  responseMode: 'form_post',
  userInfo: false,
  subjectOf: subject,
  proves: (claims, _email, settings) => isOfEmail(settings) && isTrue(claims.email_verified),
  isRelay: (claims, email) => isTrue(claims.is_private_email) || email.endsWith('@privaterelay.appleid.com'),
}

const oidc: Preset = {
  issuerOf: ({ issuer = '' }) => issuer,
  scopes: standardScopes,
  subjectOf: subject,
  proves(claims, email, { configuration: { emailTrust }, verifiedDomains, ...settings }) {
    if (emailTrust === 'verified_domain') return verifiedDomains.includes(domainOf(email))
    return emailTrust === 'verified_claim' && isOfEmail(settings) && claims.email_verified === true
  },
}

/** Every provider that speaks OpenID Connect. */
export const presets: Record<Exclude<Provider, 'github'>, Preset> = { google, microsoft, apple, oidc }

/** The issuer that a token with these claims has to name at a connection with these settings. */
export const issuerOfClaims = (provider: Exclude<Provider, 'github'>, configuration: UpstreamConfiguration, claims: Claims): string =>
  presets[provider].issuerOfClaims?.(configuration, claims) ?? presets[provider].issuerOf(configuration)

const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** An identifier, which fits into one line: longer values are not valid (OpenID Connect Core §8). */
export const identifierOf = (value: unknown) =>
  typeof value === 'string' && value !== '' && value.length <= identifierMax && isPlainText(value) ? value : undefined

const identifierMax = 255

export const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/**
 * The address in a claim, as accounts have theirs: in lower case, with its domain in ASCII. An invalid one counts as none, and so does one
 * with a letter beyond ASCII whose lower case is an ASCII letter, as of the Kelvin sign: that is the address of another mailbox.
 */
export function emailIn(claim: unknown): string | undefined {
  const [, sentLocal = '', sentDomain = ''] = plainAddress.exec(identifierOf(claim) ?? '') ?? []
  const [local, domain] = [sentLocal.toLowerCase(), readDomain(sentDomain.toLowerCase())]
  if (domain === undefined || [...sentLocal].some(becomesAscii)) return undefined
  return identifierOf(`${local}@${domain}`)
}

const plainAddress = /^([^\s@<>"]+)@([^\s@<>"]+)$/
const becomesAscii = (letter: string) => /[^\0-\x7f]/.test(letter) && /[\0-\x7f]/.test(letter.toLowerCase())
