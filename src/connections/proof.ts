import { isDeepStrictEqual } from 'node:util'
import type { Connection } from './queries.ts'
import { samlConfigurationOf } from './saml-settings.ts'
import type { UpstreamIdentity } from './upstream/upstream.ts'

/** The settings by which a connection proves an identity, to be compared: who its provider is, and in what it is believed. */
export function proofOf(connection: Pick<Connection, 'configuration' | 'mapping'>): string {
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

type Proving = Pick<Connection, 'configuration' | 'mapping' | 'trustsMfa' | 'mfaContexts' | 'identityAssertions'>

/**
 * Whether a change lets another party prove who a user is, by another claim or another key, or lets what the provider says count for more. A secret does
 * neither: it proves to the provider who we are.
 */
export function changesProof(before: Proving, after: Proving): boolean {
  const { certificates: trusted = [], metadataUrl } = samlConfigurationOf(before)
  const now = samlConfigurationOf(after)
  return (
    proofOf(before) !== proofOf(after) ||
    now.certificates?.some((certificate) => !trusted.includes(certificate)) === true ||
    (now.metadataUrl !== undefined && now.metadataUrl !== metadataUrl) ||
    (after.trustsMfa && !isDeepStrictEqual(factorsOf(before), factorsOf(after))) ||
    (after.identityAssertions?.accepted === true && !isDeepStrictEqual(before.identityAssertions, after.identityAssertions))
  )
}

const factorsOf = ({ trustsMfa, mfaContexts }: Proving) => [trustsMfa, mfaContexts]
