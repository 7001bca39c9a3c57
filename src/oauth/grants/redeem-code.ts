import type { BoundWrite } from '../../platform/database/statement.ts'
import type { FirstTokens } from '../../tokens/families.ts'
import { newSelector, nextRefreshToken, type TokenSubject } from '../../tokens/issue-tokens.ts'
import type { AuthorizedResources } from '../../tokens/resource-servers.ts'
import { narrowResources, scopeLeft } from '../protocol/resources.ts'
import { confirmationOf, keyOfFamily, requireProofFor } from './bound-tokens.ts'
import type { GrantDependencies, Requester } from './grant.ts'
import { claimAndRecord } from './record-issue.ts'
import { earnsRefreshToken, issueUserTokens, type RefreshAllowed, type TokenResponse } from './token-response.ts'

interface Redemption {
  grantType: string
  resource: string | undefined
  nonce: string | null
  now: Date
  /** The statement that claims the code and begins its family. */
  claim: (first: FirstTokens) => BoundWrite
}

/**
 * Signs what a code earns, and then claims it: between the claim and the response nothing may fail any more.
 *
 * @returns undefined when another request was first, or the organisation no longer runs
 * @throws OAuthError `invalid_target`, `invalid_dpop_proof`
 */
export async function redeemCode(
  { database, issuer, oauthExtensions }: GrantDependencies,
  requester: Requester,
  code: TokenSubject & AuthorizedResources & RefreshAllowed & { scope: readonly string[] },
  { grantType, resource, nonce, now, claim }: Redemption,
): Promise<TokenResponse | undefined> {
  const { client } = requester
  const resources = narrowResources(code, client, resource, oauthExtensions)
  requireProofFor(resources, requester, oauthExtensions)
  const scope = scopeLeft(code, client, resources)
  const refreshToken = earnsRefreshToken(client, scope, code, now) ? nextRefreshToken(newSelector()) : undefined
  const cnf = confirmationOf(requester)
  const tokens = await issueUserTokens(issuer, client, code, {
    scope,
    authorizedScope: code.scope,
    resources,
    nonce,
    refreshToken,
    cnf,
    now,
  })
  requester.noteLeftOut(tokens.leftOut)
  const first = {
    refreshToken,
    expiresAt: tokens.refreshTokenExpiresAt,
    keptUntil: tokens.keptUntil,
    jkt: keyOfFamily(requester),
    notesClient: oauthExtensions.has('backchannel_logout'),
    now,
  }
  const user = { id: code.userId, email: code.email, name: code.name }
  const isClaimed = await claimAndRecord(database, requester, claim(first), { grantType, scope, user })
  return isClaimed ? tokens.response : undefined
}
