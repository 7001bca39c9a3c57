/** Automatic clients at the endpoints that clients call: what was issued to such a client says of which organisation it is. */
import { type Said, say } from '../../../shared/checks/said.ts'
import { AutomaticClientRefused, type AutomaticClients } from '../../automatic-clients/automatic-client.ts'
import { isUnboundId } from '../../automatic-clients/registrations/queries.ts'
import type { OAuthExtension, OAuthExtensions } from '../../clients/extensions.ts'
import { hashSecret } from '../../platform/crypto/secrets.ts'
import type { Database } from '../../platform/database/database.ts'
import type { AccessTokens } from '../../tokens/access-tokens.ts'
import { hashesOfRefreshToken, isRefreshToken } from '../../tokens/issue-tokens.ts'
import { invalidClient, invalidGrant } from './errors.ts'
import { findAutomaticClient, findClientOfCredentials, type OAuthClient } from './queries.ts'

/** Why a client_id of a form that is of an extension is unknown: that extension is off. Undefined for any other. */
export function hintOfForm(clientId: string | undefined, extensions: OAuthExtensions): Said | undefined {
  const extension = extensionOfForm(clientId ?? '')
  return extension && !extensions.has(extension) ? say('extension-is-off', extension) : undefined
}

function extensionOfForm(clientId: string): OAuthExtension | undefined {
  if (clientId.startsWith('https://')) return 'client_metadata_documents'
  return isUnboundId(clientId) ? 'dynamic_registration' : undefined
}

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
  const client = await withCurrentKeys(automaticClients, () => findClientOfCredentials(database, held))
  if (client) return client
  if (!(await automaticClients.mayExist(clientId))) return undefined
  if (deviceCode !== undefined)
    throw invalidGrant('the device code is unknown', { name: 'device_code', expected: say('a-code-of-this-client') })
  const name = code === undefined ? 'refresh_token' : 'code'
  const expected = say(code === undefined ? 'a-refresh-token-of-this-client' : 'a-code-of-this-client')
  throw invalidGrant('nothing that was presented has been issued to this client', { name, expected })
}

/**
 * The automatic client with the keys that it has now.
 *
 * @param find finds it by what was issued to it. Keys are renewed only afterwards: a stranger presents no such thing, and so causes no request
 * @throws OAuthError `invalid_client` when its keys cannot be read
 */
async function withCurrentKeys(
  automaticClients: AutomaticClients,
  find: () => Promise<OAuthClient | undefined>,
): Promise<OAuthClient | undefined> {
  const client = await find()
  if (client?.tokenEndpointAuthMethod !== 'private_key_jwt') return client
  await automaticClients.renewKeys(client.clientId).catch((error: unknown) => refuseWithoutKeys(error, client))
  return find()
}

function refuseWithoutKeys(error: unknown, client: OAuthClient): never {
  if (!(error instanceof AutomaticClientRefused)) throw error
  const check = { name: 'client_id', expected: say('a-document-with-keys-at', client.clientId), received: error.message } as const
  throw invalidClient('the keys of the client cannot be read', check, client)
}

/**
 * The automatic client to which a token was issued.
 *
 * @returns undefined when it was not issued to it
 * @throws OAuthError `invalid_client`
 */
export async function findClientOfToken(
  { database, automaticClients, accessTokens }: { database: Database; automaticClients: AutomaticClients; accessTokens: AccessTokens },
  clientId: string,
  token: string,
): Promise<OAuthClient | undefined> {
  if (isRefreshToken(token)) {
    const { selectorHash } = hashesOfRefreshToken(token)
    const held = { clientId, codeHash: null, selectorHash, deviceCodeHash: null }
    return withCurrentKeys(automaticClients, () => findClientOfCredentials(database, held))
  }
  const claims = await accessTokens.prove(token)
  if (claims?.client_id !== clientId) return undefined
  return withCurrentKeys(automaticClients, () => findAutomaticClient(database, claims.org, clientId))
}
