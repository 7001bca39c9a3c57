import { createPrivateKey } from 'node:crypto'
import { isPlainElsewhere, type OutgoingRules, whyLiteralForbidden } from '../platform/http/outgoing.ts'
import { hasPlainHost } from '../platform/http/plain-host.ts'
import type { FieldError } from '../platform/http/problem.ts'
import { invalidCharacters, invalidUrl, urlNotHttps } from '../platform/http/refusals.ts'
import { hasControlCharacters } from '../platform/text.ts'
import { hasOwnKey } from './client-key.ts'
import type { Connection } from './queries.ts'
import {
  allowedTenantsOfOne,
  appleKeyRequired,
  emailClaimOfProvider,
  invalidCertificate,
  issuerWithMore,
  notHttpsAddress,
  notOfProvider,
  providerAddressNotAllowed,
  requiredWhileActive,
  scopeWithoutOpenid,
  secretNotUsed,
} from './refusals.ts'
import { trustedCertificate } from './saml/certificates.ts'
import { isEndpoint } from './saml/read-metadata.ts'
import type { ConnectionConfiguration } from './schemas.ts'

type Provider = Connection['provider']
type Member = keyof ConnectionConfiguration

interface Settings {
  type: Connection['type']
  /** The members without which users cannot sign in. */
  needed: readonly Member[]
  /** Optional members, in addition to `clientId` and those of any provider. */
  further?: readonly Member[]
  defaults?: ConnectionConfiguration
}

const ofAny: readonly Member[] = ['allowedDomains']
const ofLogout = ['sloUrl', 'sloBinding', 'sloResponseUrl'] as const satisfies readonly Member[]
const ofOpenId: readonly Member[] = ['scopes', 'extraParameters']

const settings: Record<Provider, Settings> = {
  oidc: {
    type: 'oidc',
    needed: ['issuer', 'clientId'],
    further: ['clientAuthentication', 'userInfo', 'emailTrust'],
    defaults: {
      scopes: ['openid', 'email', 'profile'],
      clientAuthentication: 'client_secret_basic',
      userInfo: true,
      emailTrust: 'verified_claim',
    },
  },
  google: { type: 'oidc', needed: ['clientId'], further: ['allowedHostedDomains'] },
  microsoft: { type: 'oidc', needed: ['clientId', 'tenant'], further: ['allowedTenants'] },
  github: { type: 'oauth2', needed: ['clientId'], further: ['host'] },
  apple: { type: 'oidc', needed: ['clientId', 'teamId', 'keyId'] },
  saml: {
    type: 'saml',
    needed: ['entityId', 'ssoUrl', 'certificates'],
    further: ['metadataUrl', 'metadataXml', 'metadataValidUntil', 'ssoBinding', ...ofLogout, 'acceptsSignedResponse', 'subjectAttribute'],
    defaults: { ssoBinding: 'redirect', sloBinding: 'redirect', acceptsSignedResponse: false },
  },
}

export const typeOf = (provider: Provider): Connection['type'] => settings[provider].type

/** Merges the sent members into an object: null removes one. */
export function withMembers<T extends object>(stored: T, sent: T): Members<T> {
  const members = Object.entries({ ...stored, ...sent }).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(members) as Members<T>
}

type Members<T> = { [Member in keyof T]?: NonNullable<T[Member]> }

/** The configuration to store: the defaults of the provider, and what was sent. */
export function configurationOf(
  provider: Provider,
  stored: ConnectionConfiguration,
  sent: ConnectionConfiguration,
): ConnectionConfiguration {
  const configuration = withMembers({ ...settings[provider].defaults }, withMembers(stored, sent))
  const { certificates } = configuration
  // One form for what can be written in two, so that nothing seems to have changed.
  return certificates
    ? { ...configuration, certificates: certificates.map((text) => trustedCertificate(text)?.certificate ?? text) }
    : configuration
}

/** The mistakes in a configuration. Missing members are not checked here. */
export function configurationMistakes(provider: Provider, configuration: ConnectionConfiguration, rules: OutgoingRules): FieldError[] {
  const { needed, further = [], type } = settings[provider]
  const known = new Set<string>([...needed, ...further, ...ofAny, ...(type === 'saml' ? [] : ofOpenId)])
  const mistakes = Object.keys(configuration)
    .filter((member) => !known.has(member))
    .map((member) => notOfProvider(['configuration', member], provider))
  const { issuer, host, scopes, tenant, allowedTenants = [] } = configuration
  if (issuer) mistakes.push(...issuerMistakes(issuer, rules))
  if (host) mistakes.push(...destinationMistakes('host', `https://${host}/`, rules))
  if (type === 'oidc' && scopes && !scopes.includes('openid')) mistakes.push(scopeWithoutOpenid(['configuration', 'scopes']))
  const { metadataUrl, certificates } = configuration
  for (const member of ['ssoUrl', 'sloUrl', 'sloResponseUrl'] as const) {
    const address = configuration[member]
    if (address && !isEndpoint(address, rules.allowLoopback)) mistakes.push(notHttpsAddress(['configuration', member]))
  }
  if (metadataUrl) mistakes.push(...metadataUrlMistakes(metadataUrl, rules))
  for (const [position, text] of certificates?.entries() ?? [])
    if (!trustedCertificate(text)) mistakes.push(invalidCertificate(['configuration', 'certificates', position]))
  const isOfSeveral = tenant === 'organizations' || tenant === 'common'
  if (tenant && allowedTenants && allowedTenants.length > 0 && !isOfSeveral)
    mistakes.push(allowedTenantsOfOne(['configuration', 'allowedTenants']))
  return mistakes
}

/** A preset can vouch only for the claim `email`: about an address in another claim it would prove nothing. */
export function mappingMistakes(provider: Provider, { email }: { email?: string | undefined }): FieldError[] {
  return provider === 'oidc' || provider === 'saml' || email === undefined || email === 'email'
    ? []
    : [emailClaimOfProvider(['mapping', 'email'])]
}

function metadataUrlMistakes(url: string, rules: OutgoingRules): FieldError[] {
  return isEndpoint(url, rules.allowLoopback)
    ? destinationMistakes('metadataUrl', url, rules)
    : [notHttpsAddress(['configuration', 'metadataUrl'])]
}

/** RFC 8414 §2: an issuer has neither query nor fragment. */
function issuerMistakes(issuer: string, rules: OutgoingRules): FieldError[] {
  const path = ['configuration', 'issuer']
  const url = URL.parse(issuer)
  if (!url || !/^https?:\/\/[^/]/i.test(issuer) || !hasPlainHost(issuer)) return [invalidUrl(path)]
  if (isPlainElsewhere(url, rules)) return [urlNotHttps(path)]
  if (url.username || url.password || /[?#]/.test(issuer)) return [issuerWithMore(path)]
  return destinationMistakes('issuer', issuer, rules)
}

function destinationMistakes(member: Member, url: string, rules: OutgoingRules): FieldError[] {
  const reason = whyLiteralForbidden(url, rules)
  return reason === undefined ? [] : [providerAddressNotAllowed(['configuration', member], reason)]
}

/** The settings that a connection still lacks to sign users in. */
export function missingSettings(provider: Provider, configuration: ConnectionConfiguration, hasSecret: boolean): FieldError[] {
  const missing = settings[provider].needed.filter((member) => configuration[member] === undefined)
  const paths = [...missing.map((member) => ['configuration', member]), ...(hasSecret ? [] : [['secret']])]
  return paths.map((path) => requiredWhileActive(path))
}

/** The mistakes in a secret. Apple's is a key, from which the secret is made for each request. */
export function secretMistakes(provider: Provider, configuration: ConnectionConfiguration, secret: string): FieldError[] {
  if (hasOwnKey({ provider, configuration })) return [secretNotUsed(['secret'])]
  if (provider === 'apple') return isP256Key(secret) ? [] : [appleKeyRequired(['secret'])]
  return hasControlCharacters(secret) ? [invalidCharacters(['secret'], 'control')] : []
}

function isP256Key(text: string): boolean {
  try {
    return createPrivateKey(text).asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false
  }
}
