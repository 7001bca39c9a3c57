import type { RateLimits } from '../access/rate-limits.ts'
import type { Outgoing } from '../platform/http/outgoing-fetch.ts'
import { invalidInput } from '../platform/http/problem.ts'
import { metadataUnreadable } from './refusals.ts'
import type { ProviderMetadata } from './saml/read-metadata.ts'
import type { Saml } from './saml/saml.ts'
import type { ConnectionConfiguration } from './schemas.ts'
import { UpstreamRefusal } from './upstream/checks.ts'

export interface MetadataReading {
  /** Loaded with the first connection by SAML. */
  openSaml(): Promise<Saml>
  /** Decides where identity providers may be. */
  outgoing: Pick<Outgoing, 'rules'>
  limits: Pick<RateLimits, 'connectionRefreshesByOrganisation'>
}

/** A configuration to store; without a number of certificates left out, that one stays. */
export interface CompletedConfiguration {
  configuration: ConnectionConfiguration
  certificatesLeftOut?: number
}

/** Whether metadata are to be read before the configuration can be stored. */
export const namesMetadata = ({ metadataXml, metadataUrl }: ConnectionConfiguration): boolean => Boolean(metadataXml || metadataUrl)

/** A configuration as it was sent: no metadata are read for it. */
export const asItIsSent = (configuration: ConnectionConfiguration): CompletedConfiguration => ({
  configuration,
  ...(configuration.certificates && { certificatesLeftOut: 0 }),
})

/**
 * A configuration with the settings that the metadata give which it names or holds. The document itself is not stored.
 *
 * @throws Problem `bad-request` that says what cannot be read; `too-many-requests`, because any reading occupies what all organisations share
 */
export async function withMetadata(
  { openSaml, limits }: MetadataReading,
  organisationId: string,
  sent: ConnectionConfiguration,
): Promise<CompletedConfiguration> {
  const { metadataXml, ...configuration } = sent
  const { metadataUrl } = configuration
  if (!namesMetadata(sent)) return asItIsSent(configuration)
  await limits.connectionRefreshesByOrganisation.count(organisationId)
  const member = metadataXml ? 'metadataXml' : 'metadataUrl'
  try {
    const saml = await openSaml()
    const document = metadataXml ?? (await saml.fetchMetadata(metadataUrl ?? ''))
    const metadata = await saml.readMetadata(organisationId, document, undefined)
    return { configuration: { ...configuration, ...settingsIn(metadata) }, certificatesLeftOut: metadata.certificatesLeftOut }
  } catch (error) {
    if (error instanceof UpstreamRefusal) throw invalidInput([metadataUnreadable(['configuration', member], error.message)])
    throw error
  }
}

/** The members of a configuration that metadata give. */
export const givenByMetadata = [
  'entityId',
  'ssoUrl',
  'ssoBinding',
  'sloUrl',
  'sloBinding',
  'sloResponseUrl',
  'certificates',
  'metadataValidUntil',
] as const satisfies readonly (keyof ConnectionConfiguration)[]

/** The settings that a document gives. */
export const settingsIn = ({ entityId, singleSignOn, binding, singleLogout, certificates, validUntil }: ProviderMetadata) =>
  ({
    entityId,
    ssoUrl: singleSignOn,
    ssoBinding: binding,
    sloUrl: singleLogout?.location ?? null,
    sloBinding: singleLogout?.binding ?? 'redirect',
    sloResponseUrl: singleLogout?.responseLocation ?? null,
    certificates: certificates.map(({ certificate }) => certificate),
    metadataValidUntil: validUntil?.toISOString() ?? null,
  }) satisfies Record<(typeof givenByMetadata)[number], unknown>
