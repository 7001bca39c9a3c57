import { widensAssertions } from './identity-assertions.ts'
import type { Connection } from './queries.ts'
import { samlConfigurationOf } from './saml-settings.ts'
import type { UpstreamConfiguration } from './upstream/settings.ts'
import type { UpstreamIdentity } from './upstream/upstream.ts'

type Settings = Pick<Connection, 'configuration' | 'mapping'>

/** The settings by which a connection proves an identity, to be compared: who its provider is, and in what it is believed. */
export function proofOf(connection: Settings): string {
  const { issuer, clientId, tenant, host, emailTrust, allowedHostedDomains, allowedTenants } = connection.configuration
  const { entityId, subjectAttribute, acceptsSignedResponse } = samlConfigurationOf(connection)
  return JSON.stringify([
    ...[issuer, clientId, tenant, host, emailTrust, allowedHostedDomains, allowedTenants],
    ...[entityId, subjectAttribute, acceptsSignedResponse],
    connection.mapping.email,
  ])
}

/**
 * Whether the connection as it is now still proves an identity: through the same provider, in the same way, and by keys that are trusted
 * still. What else it trusted by then does not matter: at the end of a change to another key, the former is dropped.
 */
export function stillProves(
  connection: Pick<Connection, 'configuration' | 'mapping'>,
  { certificates = [] }: Pick<UpstreamIdentity, 'certificates'>,
  proof: string,
): boolean {
  const trusted = new Set(samlConfigurationOf(connection).certificates)
  return proofOf(connection) === proof && certificates.every((certificate) => trusted.has(certificate))
}

const provingFields = ['configuration', 'mapping', 'trustsMfa', 'mfaContexts', 'identityAssertions'] as const

type Proving = Pick<Connection, (typeof provingFields)[number]>

/**
 * Whether a change lets another party prove who a user is, by another claim or another key, or lets what the provider says count for more. A secret does
 * neither: it proves to the provider who we are. Nor does what lets it count for less.
 */
export const changesProof = (before: Proving, after: Proving): boolean =>
  proofOf(withoutBreadth(before)) !== proofOf(withoutBreadth(after)) ||
  trustsAnotherKey(before, after) ||
  admitsMore(before, after) ||
  (samlConfigurationOf(after).acceptsSignedResponse === true && !samlConfigurationOf(before).acceptsSignedResponse) ||
  (after.trustsMfa && (!before.trustsMfa || hasNew(before.mfaContexts, after.mfaContexts))) ||
  widensAssertions(before.identityAssertions, after.identityAssertions)

/** Any difference in the rest lets another party prove who a user is, or the same one by other claims. */
const withoutBreadth = ({ configuration, mapping }: Settings): Settings => ({
  configuration: { ...configuration, emailTrust: null, allowedHostedDomains: null, allowedTenants: null, acceptsSignedResponse: null },
  mapping,
})

function trustsAnotherKey(before: Settings, after: Settings): boolean {
  const { certificates: trusted = [], metadataUrl } = samlConfigurationOf(before)
  const now = samlConfigurationOf(after)
  return hasNew(trusted, now.certificates ?? []) || (now.metadataUrl !== undefined && now.metadataUrl !== metadataUrl)
}

/** Whether a provider may say of more accounts that they are users'. Of the ways to trust an address, neither is narrower than the other. */
function admitsMore(before: Settings, after: Settings): boolean {
  const [former, now] = [upstreamOf(before), upstreamOf(after)]
  return (
    (now.emailTrust !== undefined && now.emailTrust !== former.emailTrust) ||
    admitsOthers(former.allowedHostedDomains, now.allowedHostedDomains) ||
    admitsOthers(former.allowedTenants, now.allowedTenants)
  )
}

const upstreamOf = ({ configuration }: Settings) => configuration as unknown as UpstreamConfiguration

/** An empty list admits all. */
const admitsOthers = (before: readonly string[] = [], after: readonly string[] = []): boolean =>
  before.length > 0 && (after.length === 0 || hasNew(before, after))

const hasNew = (before: readonly string[], after: readonly string[]): boolean => after.some((one) => !before.includes(one))
