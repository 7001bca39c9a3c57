/** Automatic clients at the endpoints that clients call: what was issued to such a client says of which organisation it is. */
import { say } from '../../../shared/checks/said.ts'
import { AutomaticClientRefused, type AutomaticClients } from '../../automatic-clients/automatic-client.ts'
import { hashSecret } from '../../platform/crypto/secrets.ts'
import type { Database } from '../../platform/database/database.ts'
import type { AccessTokens } from '../../tokens/access-tokens.ts'
import { hashesOfRefreshToken, isRefreshToken } from '../../tokens/issue-tokens.ts'
import { invalidClient, invalidGrant } from './errors.ts'
import { findAutomaticClient, findClientOfCredentials, type OAuthClient } from './queries.ts'

/** What a token request presents of its client. */
export interface PresentedGrant {
  code?: string | undefined
  refreshToken?: string | undefined
  deviceCode?: string | undefined
}

/**
 * The automatic client of a token request: the code or the refresh token and the client_id have to agree.
 *
 * @returns undefined for a registration that has been deleted or forgotten: as an unknown client (RFC 6749 §5.2), it learns to register anew
 * @throws OAuthError `invalid_grant`
 */
export async function findClientOfGrant(
  { database, automaticClients }: { database: Database; automaticClients: AutomaticClients },
  clientId: string,
  { code, refreshToken, deviceCode }: PresentedGrant,
): Promise<OAuthClient | undefined> {
  const held = {
    clientId,
    codeHash: code === undefined ? null : hashSecret(code),
    selectorHash: refreshToken === undefined ? null : hashesOfRefreshToken(refreshToken).selectorHash,
    deviceCodeHash: deviceCode === undefined ? null : hashSecret(deviceCode),
  }
  const client = await findClientOfCredentials(database, held)
  if (client?.tokenEndpointAuthMethod === 'private_key_jwt') {
    // Only now: a stranger has no code, and so causes no request.
    await automaticClients.renewKeys(clientId).catch((error: unknown) => refuseWithoutKeys(error, client))
    const renewed = await findClientOfCredentials(database, held)
    if (renewed) return renewed
  } else if (client) return client
  if (!(await automaticClients.mayExist(clientId))) return undefined
  if (deviceCode !== undefined)
    throw invalidGrant('the device code is unknown', { name: 'device_code', expected: say('a-code-of-this-client') })
  const name = code === undefined ? 'refresh_token' : 'code'
  const expected = say(code === undefined ? 'a-refresh-token-of-this-client' : 'a-code-of-this-client')
  throw invalidGrant('nothing that was presented has been issued to this client', { name, expected })
}

function refuseWithoutKeys(error: unknown, client: OAuthClient): never {
  if (!(error instanceof AutomaticClientRefused)) throw error
  const check = { name: 'client_id', expected: say('a-document-with-keys-at', client.clientId), received: error.message } as const
  throw invalidClient('the keys of the client cannot be read', check, client)
}

/** The automatic client to which a token was issued; undefined when it was not issued to it. */
export async function findClientOfToken(
  { database, accessTokens }: { database: Database; accessTokens: AccessTokens },
  clientId: string,
  token: string,
): Promise<OAuthClient | undefined> {
  if (isRefreshToken(token)) {
    const { selectorHash } = hashesOfRefreshToken(token)
    return findClientOfCredentials(database, { clientId, codeHash: null, selectorHash, deviceCodeHash: null })
  }
  const claims = await accessTokens.prove(token)
  return claims?.client_id === clientId ? findAutomaticClient(database, claims.org, clientId) : undefined
}
