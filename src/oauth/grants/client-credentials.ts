import { issueAccessToken } from '../../tokens/issue-tokens.ts'
import { harmless, optional } from '../protocol/parameters.ts'
import { scopeForClient } from '../protocol/scope.ts'
import { defineGrant } from './grant.ts'
import { recordIssue } from './record-issue.ts'

/** The client credentials grant (RFC 6749 §4.4): a token for the client itself. It reads nothing, and writes only for a subscriber. */
export const clientCredentialsGrant = defineGrant({
  grantType: 'client_credentials',
  forPublicClients: false,
  parameters: {
    scope: optional('scopes of the client, all of them when left out', 'reports:read', harmless),
  },
  async grant({ database, issuer }, requester, parameters) {
    const { client } = requester
    const scope = scopeForClient(parameters.scope, client.scopes)
    const { token, expiresInSeconds } = await issueAccessToken(issuer, client, undefined, scope, database.clock.now())
    if (client.isHeard) {
      await database.transaction(client.organisationId, (tenant) =>
        recordIssue(tenant, requester, { grantType: 'client_credentials', scope }),
      )
    }
    return {
      access_token: token,
      token_type: 'Bearer',
      expires_in: expiresInSeconds,
      ...(scope.length > 0 && { scope: scope.join(' ') }),
    }
  },
})
