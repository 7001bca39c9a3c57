import { isConnectionCheck, namesOfChecks } from '../../shared/checks/names.ts'
import { presentTime } from '../platform/http/fields.ts'
import { defineVersion } from '../platform/http/versions.ts'
import { keysAt, nextKeySignsFrom, signsItsRequests } from './client-key.ts'
import type { Connection } from './queries.ts'
import { expiryOf } from './saml/certificates.ts'
import { acsUrlOf, certificatesOf, ownEntityIdOf, samlConfigurationOf } from './saml-settings.ts'
import { ConnectionChanges, type ConnectionRecord } from './schemas.ts'

/**
 * The URL to which an identity provider returns browsers. Each connection has its own, so that no provider can respond in place of
 * another (RFC 9700 §4.4.2.2).
 */
export const callbackUrlOf = (publicUrl: string, connectionId: string): string => `${publicUrl}/federation/${connectionId}/callback`

/** The URL where an identity provider reads the keys with which a connection authenticates. */
const keysUrlOf = (publicUrl: string, connectionId: string): string => `${publicUrl}/federation/${connectionId}/jwks`

/** What a provider has to know of us: by OpenID Connect one address, by SAML three. */
const addressesOf = ({ id, provider }: Connection, publicUrl: string) =>
  provider === 'saml'
    ? {
        callbackUrl: null,
        acsUrl: acsUrlOf(publicUrl, id),
        entityId: ownEntityIdOf(publicUrl, id),
        metadataUrl: ownEntityIdOf(publicUrl, id),
      }
    : { callbackUrl: callbackUrlOf(publicUrl, id), acsUrl: null, entityId: null, metadataUrl: null }

/** Null also where the check is one that only another release knows. */
export const presentCheck = (code: string | null) => (code !== null && isConnectionCheck(code) ? { code, name: namesOfChecks[code] } : null)

/** What ends soon, or has ended, of what a provider by SAML says of itself. */
function endsOf(connection: Connection, now: Date) {
  const { metadataValidUntil } = samlConfigurationOf(connection)
  const [last] = certificatesOf(connection)
  const metadata = metadataValidUntil === undefined ? undefined : { notAfter: new Date(metadataValidUntil) }
  const [certificatesExpireAt, metadataExpireAt] = [last, metadata].map((one) =>
    one && expiryOf(one, now) !== 'valid' ? presentTime(one.notAfter) : null,
  ) as [string | null, string | null]
  return { certificatesExpireAt, metadataExpireAt, certificatesLeftOut: connection.certificatesLeftOut }
}

/** Presents a connection for the API at a given time, without its secrets. */
export const presentConnection = (connection: Connection, publicUrl: string, now: Date): ConnectionRecord => ({
  id: connection.id,
  name: connection.name,
  slug: connection.slug,
  type: connection.type,
  provider: connection.provider,
  isActive: connection.isActive,
  configuration: connection.configuration,
  hasSecret: connection.secretEncrypted !== null,
  previousSecretExpiresAt: presentTime(keysAt(connection, now).formerExpiresAt),
  jwksUri: signsItsRequests(connection.configuration) ? keysUrlOf(publicUrl, connection.id) : null,
  nextKeySignsFrom: presentTime(nextKeySignsFrom(connection, now)),
  ...addressesOf(connection, publicUrl),
  linking: connection.linking,
  provisioning: connection.provisioning,
  mapping: connection.mapping,
  roleMappings: connection.roleMappings,
  teamMappings: connection.teamMappings,
  syncOn: connection.syncOn,
  trustsMfa: connection.trustsMfa,
  mfaContexts: connection.mfaContexts,
  upstreamLogout: connection.upstreamLogout,
  idpInitiated: connection.idpInitiated,
  sessionMaxAgeSeconds: connection.sessionMaxAgeSeconds,
  identityAssertions: connection.identityAssertions,
  lastUsedAt: presentTime(connection.lastUsedAt),
  status: {
    state: connection.failingSince === null ? 'ok' : 'failing',
    since: presentTime(connection.failingSince),
    error: connection.lastError,
    check: presentCheck(connection.failedCheck),
    groupsCutSince: presentTime(connection.groupsCutSince),
    ...endsOf(connection, now),
  },
  certificates: certificatesOf(connection).map(({ fingerprint, notBefore, notAfter }) => ({
    fingerprint,
    notBefore: presentTime(notBefore),
    notAfter: presentTime(notAfter),
  })),
  createdAt: presentTime(connection.createdAt),
  updatedAt: presentTime(connection.updatedAt),
})

/** Presents a connection for the audit log and events, which do not even mention its secrets. */
export function connectionInHistory(connection: Connection, publicUrl: string, now: Date): Omit<ConnectionRecord, 'hasSecret'> {
  const { hasSecret: _, ...shown } = presentConnection(connection, publicUrl, now)
  return shown
}

export const connectionVersion = defineVersion<ConnectionRecord>(Object.keys(ConnectionChanges.shape))
