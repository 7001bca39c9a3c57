import { issueAccessToken } from '../../tokens/issue-tokens.ts'
import { harmless, optional } from '../protocol/parameters.ts'
import { audienceOf, findAskedResources, scopesForResources } from '../protocol/resources.ts'
import { scopeForClient, scopeForClientAt } from '../protocol/scope.ts'
import { resource } from '../protocol/shared-parameters.ts'
import { addedToAccessToken } from './added-claims.ts'
import { confirmationOf, requireProofFor } from './bound-tokens.ts'
import { defineGrant } from './grant.ts'
import { recordIssue } from './record-issue.ts'
import { tokenTypeOf } from './token-response.ts'

/**
 * The client credentials grant (RFC 6749 §4.4): a token for the client itself. It reads nothing but resource servers, and writes
 * only for a subscriber.
 */
export const clientCredentialsGrant = defineGrant({
  grantType: 'client_credentials',
  forPublicClients: false,
  parameters: {
    resource,
    scope: optional('scopes of the client, all of them when left out', 'reports:read', harmless),
  },
  async grant({ database, issuer, oauthExtensions }, requester, parameters) {
    const { client } = requester
    const resources = await findAskedResources(database, client, parameters.resource, oauthExtensions)
    const scope = resources
      ? scopeForClientAt(scopesForResources(resources, client.scopes), parameters.scope)
      : scopeForClient(parameters.scope, client.scopes)
    requireProofFor(resources, requester, oauthExtensions)
    const audience = audienceOf(resources, { client, scope, issuer: issuer.issuer })
    const now = database.clock.now()
    const added = addedToAccessToken(client, undefined, scope, resources)
    if (added) requester.noteLeftOut(added.tooLarge)
    const { token, expiresInSeconds } = await issueAccessToken(
      issuer,
      client,
      undefined,
      scope,
      now,
      audience,
      added?.claims,
      confirmationOf(requester),
    )
    if (client.hasSubscriber) {
      await database.transaction(client.organisationId, (tenant) =>
        recordIssue(tenant, requester, { grantType: 'client_credentials', scope }),
      )
    }
    return {
      access_token: token,
      token_type: tokenTypeOf(confirmationOf(requester)),
      expires_in: expiresInSeconds,
      ...(scope.length > 0 && { scope: scope.join(' ') }),
    }
  },
})
