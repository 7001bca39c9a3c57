import { issueAccessToken } from '../../tokens/issue-tokens.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { scopeForClient } from '../protocol/scope.ts'
import type { TokenAnswer } from './answer.ts'
import { type GrantDependencies, type Requester, recordIssue } from './grant.ts'

/** The client credentials grant (RFC 6749 §4.4): a token for the client itself. Nothing is read, and nothing is written unless somebody listens. */
export async function clientCredentialsGrant(
  { database, issuer }: GrantDependencies,
  requester: Requester,
  parameters: Parameters,
): Promise<TokenAnswer> {
  const { client } = requester
  const scope = scopeForClient(parameters.get('scope'), client.scopes)
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
}
