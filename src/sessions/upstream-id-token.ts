import type { Keyring } from '../platform/crypto/keyring.ts'
import type { ProvenFactor } from './proven-factors.ts'

const contextOf = (connectionId: string) => `upstream id token ${connectionId}`

/** Encrypts the ID token of an identity provider until the session begins: a second factor may be required first. */
export const sealIdToken = (keyring: Keyring, connectionId: string, idToken: string): string =>
  keyring.encrypt(idToken, contextOf(connectionId))

/** The ID token among the proven factors, encrypted for the row of a session. */
export function idTokenForSession(keyring: Keyring, factors: readonly ProvenFactor[], sessionId: string): string | undefined {
  const upstream = factors.find((factor) => factor.upstream)?.upstream
  if (upstream?.idTokenEncrypted === undefined) return undefined
  return keyring.encrypt(keyring.decrypt(upstream.idTokenEncrypted, contextOf(upstream.connectionId)), sessionId)
}
