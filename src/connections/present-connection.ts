import { presentTime } from '../platform/http/fields.ts'
import { defineVersion } from '../platform/http/versions.ts'
import { nextKeySignsFrom, signsItsRequests } from './client-key.ts'
import type { Connection } from './queries.ts'
import { ConnectionChanges, type ConnectionRecord } from './schemas.ts'

/**
 * Where an identity provider sends browsers back to: each connection has an address of its own, so that none can answer for another
 * (RFC 9700 §4.4.2.2).
 */
export const callbackUrlOf = (publicUrl: string, connectionId: string): string => `${publicUrl}/federation/${connectionId}/callback`

/** Where an identity provider reads the keys by which a connection proves itself. */
const keysUrlOf = (publicUrl: string, connectionId: string): string => `${publicUrl}/federation/${connectionId}/jwks`

/** A connection as the API shows it at a moment, without its secrets. */
export const presentConnection = (connection: Connection, publicUrl: string, now: Date): ConnectionRecord => ({
  id: connection.id,
  name: connection.name,
  slug: connection.slug,
  type: connection.type,
  provider: connection.provider,
  isActive: connection.isActive,
  configuration: connection.configuration,
  hasSecret: connection.secretEncrypted !== null,
  previousSecretExpiresAt: presentTime(connection.previousSecretExpiresAt),
  jwksUri: signsItsRequests(connection.configuration) ? keysUrlOf(publicUrl, connection.id) : null,
  nextKeySignsFrom: presentTime(nextKeySignsFrom(connection, now)),
  callbackUrl: callbackUrlOf(publicUrl, connection.id),
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
  lastUsedAt: presentTime(connection.lastUsedAt),
  status: {
    state: connection.failingSince === null ? 'ok' : 'failing',
    since: presentTime(connection.failingSince),
    error: connection.lastError,
    groupsCutSince: presentTime(connection.groupsCutSince),
  },
  certificates: [],
  createdAt: presentTime(connection.createdAt),
  updatedAt: presentTime(connection.updatedAt),
})

/** A connection in the audit log and in events: what of it is secret is not even mentioned. */
export function connectionInHistory(connection: Connection, publicUrl: string, now: Date): Omit<ConnectionRecord, 'hasSecret'> {
  const { hasSecret: _, ...shown } = presentConnection(connection, publicUrl, now)
  return shown
}

export const connectionVersion = defineVersion<ConnectionRecord>(Object.keys(ConnectionChanges.shape))
