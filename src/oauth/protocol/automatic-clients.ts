/** Automatic clients at the endpoints that clients call: what was issued to such a client says of which organisation it is. */
import { say } from '../../../shared/checks/said.ts'
import { hashSecret } from '../../platform/crypto/secrets.ts'
import type { Database } from '../../platform/database/database.ts'
import type { AccessTokens } from '../../tokens/access-tokens.ts'
import { hashesOfRefreshToken, isRefreshToken } from '../../tokens/issue-tokens.ts'
import { invalidGrant } from './errors.ts'
import { findAutomaticClient, findClientOfCredentials, type OAuthClient } from './queries.ts'

/** What a token request presents of its client. */
export interface PresentedGrant {
  code?: string | undefined
  refreshToken?: string | undefined
}

/**
 * The automatic client of a token request: the code or the refresh token and the client_id have to agree.
 *
 * @throws OAuthError `invalid_grant`
 */
export async function findClientOfGrant(
  database: Database,
  clientId: string,
  { code, refreshToken }: PresentedGrant,
): Promise<OAuthClient> {
  const client = await findClientOfCredentials(database, {
    clientId,
    codeHash: code === undefined ? null : hashSecret(code),
    selectorHash: refreshToken === undefined ? null : hashesOfRefreshToken(refreshToken).selectorHash,
  })
  if (client) return client
  const name = code === undefined ? 'refresh_token' : 'code'
  const expected = say(code === undefined ? 'a-refresh-token-of-this-client' : 'a-code-of-this-client')
  throw invalidGrant('nothing that was presented has been issued to this client', { name, expected })
}

/** The automatic client to which a token was issued; undefined when it was not issued to it. */
export async function findClientOfToken(
  { database, accessTokens }: { database: Database; accessTokens: AccessTokens },
  clientId: string,
  token: string,
): Promise<OAuthClient | undefined> {
  if (isRefreshToken(token)) {
    const { selectorHash } = hashesOfRefreshToken(token)
    return findClientOfCredentials(database, { clientId, codeHash: null, selectorHash })
  }
  const claims = await accessTokens.prove(token)
  return claims?.client_id === clientId ? findAutomaticClient(database, claims.org, clientId) : undefined
}
