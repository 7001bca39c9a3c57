import { say } from '../../shared/checks/said.ts'
import type { Connection } from './queries.ts'
import { type TrustedCertificate, trustedCertificate } from './saml/certificates.ts'
import type { SignOnBinding } from './saml/read-metadata.ts'
import { checkOf, UpstreamRefusal } from './upstream/checks.ts'

/** The members of the configuration of a connection by SAML. */
interface SamlConfiguration {
  entityId?: string
  ssoUrl?: string
  ssoBinding?: SignOnBinding
  sloUrl?: string
  sloBinding?: SignOnBinding
  sloResponseUrl?: string
  certificates?: readonly string[]
  metadataUrl?: string
  metadataValidUntil?: string
  acceptsSignedResponse?: boolean
  subjectAttribute?: string
}

/** What is needed to speak with the identity provider of a connection. */
export interface SamlSettings {
  entityId: string
  ssoUrl: string
  ssoBinding: SignOnBinding
  certificates: readonly string[]
  acceptsSignedResponse: boolean
  subjectAttribute: string | undefined
}

export const samlConfigurationOf = ({ configuration }: Pick<Connection, 'configuration'>) => configuration as SamlConfiguration

/** The certificates of a connection, the one that expires last first. */
export const certificatesOf = (connection: Pick<Connection, 'configuration'>): TrustedCertificate[] =>
  (samlConfigurationOf(connection).certificates ?? [])
    .flatMap((text) => trustedCertificate(text) ?? [])
    .sort((left, right) => right.notAfter.getTime() - left.notAfter.getTime())

/** Our entity id for a connection, and where its metadata are. */
export const ownEntityIdOf = (publicUrl: string, connectionId: string): string => `${publicUrl}/saml/${connectionId}/metadata`

/** The id of a request follows from its verifier, as the nonce of OpenID Connect does: no browser can choose it. */
export const requestIdOf = (nonce: string): string => `_${nonce}`

/** Where its identity provider sends responses to. */
export const acsUrlOf = (publicUrl: string, connectionId: string): string => `${publicUrl}/saml/${connectionId}/acs`

/** Where its identity provider sends messages of single logout to. */
export const sloUrlOf = (publicUrl: string, connectionId: string): string => `${publicUrl}/saml/${connectionId}/slo`

export interface SamlLogoutEndpoint {
  location: string
  responseLocation: string
  binding: SignOnBinding
}

/** Where the provider takes messages of single logout; undefined where it takes none. */
export function logoutEndpointOf(connection: Pick<Connection, 'configuration'>): SamlLogoutEndpoint | undefined {
  const {
    sloUrl: location,
    sloResponseUrl: responseLocation = location,
    sloBinding: binding = 'redirect',
  } = samlConfigurationOf(connection)
  return location === undefined || responseLocation === undefined ? undefined : { location, responseLocation, binding }
}

/** Since when no user can sign in, because the provider has said that its metadata end then, and the refusal that says so. */
export function endedMetadata(
  connection: Pick<Connection, 'configuration'>,
  now: Date,
): { since: Date; refusal: UpstreamRefusal } | undefined {
  const { metadataValidUntil } = samlConfigurationOf(connection)
  if (metadataValidUntil === undefined || new Date(metadataValidUntil) > now) return undefined
  const check = checkOf('valid_until', say('after', now.toISOString()), metadataValidUntil, false)
  return { since: new Date(metadataValidUntil), refusal: new UpstreamRefusal([check], 'upstream') }
}

/** @throws UpstreamRefusal when the provider has said that its metadata have ended */
export function samlSettingsOf(connection: Pick<Connection, 'configuration'>, now: Date): SamlSettings {
  const { entityId = '', ssoUrl = '', ssoBinding = 'redirect', certificates = [], ...more } = samlConfigurationOf(connection)
  const { acceptsSignedResponse = false, subjectAttribute } = more
  const ended = endedMetadata(connection, now)
  if (ended) throw ended.refusal
  return { entityId, ssoUrl, ssoBinding, certificates, acceptsSignedResponse, subjectAttribute }
}
