import { say } from '../../../shared/checks/said.ts'
import { jsonOf, sourcesOfTokens } from '../../claims/statements.ts'
import { hashSecret } from '../../platform/crypto/secrets.ts'
import type { Database } from '../../platform/database/database.ts'
import { type KeyedValues, statement } from '../../platform/database/statement.ts'
import { beginFamily } from '../../tokens/families.ts'
import type { TokenSubject } from '../../tokens/issue-tokens.ts'
import { clientAuthenticates, type PresentedCredentials } from '../../tokens/presented-client.ts'
import { type AuthorizedResources, resourceServersOf } from '../../tokens/resource-servers.ts'
import { type SubjectState, subjectColumns } from '../../tokens/subject.ts'
import { invalidGrant } from '../protocol/errors.ts'
import { credential, harmless, optional, required } from '../protocol/parameters.ts'
import { allowedMethods, type CodeChallengeMethod } from '../protocol/pkce.ts'
import type { OAuthClient } from '../protocol/queries.ts'
import { redirectUriExample, resource } from '../protocol/shared-parameters.ts'
import { decideCode, type StoredCode } from './decisions.ts'
import { defineGrant, type Requester } from './grant.ts'
import { revokeReused } from './record-issue.ts'
import { redeemCode } from './redeem-code.ts'
import { organisationNotRunning, refuseInvalidAuthorization } from './subject.ts'
import type { RefreshAllowed } from './token-response.ts'

/**
 * The authorization code grant (RFC 6749 §4.1.3): redeems a code once. A second use revokes what the first one issued; a
 * wrong code_verifier counts as a use.
 *
 * @throws OAuthError `invalid_grant`, `invalid_target`
 */
export const authorizationCodeGrant = defineGrant({
  grantType: 'authorization_code',
  forPublicClients: true,
  parameters: {
    code: required('the code, which works once', 'k3tX9fQe1yqfPCW0S1l2u4k6JrVbHnT8mAzDcEwG5oI', credential),
    resource,
    redirect_uri: optional('that of the authorization request, if it was sent there', redirectUriExample, harmless),
    code_verifier: optional(
      'what the code_challenge was made of, 43 to 128 characters (RFC 7636)',
      'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      { isAnyLength: true },
    ),
  },
  findEarly: (database, credentials, { code }) => (code === undefined ? undefined : findCodeEarly(database, credentials, hashSecret(code))),
  async grant(dependencies, requester, parameters, found) {
    const { database, pkcePlain, oauthExtensions } = dependencies
    const { client } = requester
    const { redirectUri, codeVerifier } = parameters
    const codeHash = hashSecret(parameters.code)
    const now = database.clock.now()
    const asked = {
      clientId: client.id,
      redirectUri,
      codeVerifier,
      challengeMethods: allowedMethods(client, pkcePlain),
      requirePkce: client.requirePkce,
      lifetimeSeconds: client.authorizationCodeTtl,
      jkt: requester.jkt,
      oauthExtensions,
    }

    const presented = found ?? (await findCode(database, client, codeHash))
    requester.noteSignIn(presented)
    const decision = decideCode(presented, asked, now)
    if (decision.kind === 'refuse') throw decision.error
    if (decision.kind === 'reuse') return refuseReuse(database, requester, decision.code)
    if (decision.kind === 'burn') {
      // If another request has claimed it, this is a second use.
      if (await burnCode(database, client, codeHash, now)) throw decision.error
      return refuseReuse(database, requester, decision.code)
    }

    const { code } = decision
    refuseInvalidAuthorization(client, code, code.createdAt)
    const response = await redeemCode(dependencies, requester, code, {
      grantType: 'authorization_code',
      resource: parameters.resource,
      nonce: code.nonce,
      now,
      claim: (first) => beginFamily(client.organisationId, codeHash, first),
    })
    if (response) return response
    const left = await findCode(database, client, codeHash)
    if (left?.usedAt === null) throw organisationNotRunning()
    return refuseReuse(database, requester, code)
  },
})

const useUpCode = statement<KeyedValues & { now: Date }, { familyId: string }>(`
  update authorization_codes set used_at = :now::timestamptz
  where organisation_id = :organisationId and code_hash = :key and used_at is null returning family_id as "familyId"`)

/** @returns whether the code had not been used */
async function burnCode(database: Database, { organisationId }: OAuthClient, codeHash: string, now: Date): Promise<boolean> {
  return (await database.keyedWrite(useUpCode, { organisationId, key: codeHash, now })) !== undefined
}

async function refuseReuse(database: Database, requester: Requester, code: CodeWithSubject): Promise<never> {
  await revokeReused(database, requester, code, 'authorization code used twice')
  throw invalidGrant('the code has been used before', { name: 'code', expected: say('a-code-used-once'), received: say('a-second-use') })
}

type CodeWithSubject = StoredCode &
  AuthorizedResources &
  TokenSubject &
  SubjectState &
  RefreshAllowed & { scope: string[]; nonce: string | null; signInId: string | null }

interface CodeRow extends Omit<CodeWithSubject, 'pkce'> {
  codeChallenge: string | null
  codeChallengeMethod: CodeChallengeMethod | null
}

/** @param mappings those of the client, as SQL */
const columnsWith = (mappings: string) => `
  k.client_id as "clientId", k.family_id as "familyId", k.session_id as "sessionId", k.redirect_uri as "redirectUri",
    k.redirect_uri_sent as "redirectUriSent", k.scope, k.resources, k.resource_scopes as "resourceScopes", ${resourceServersOf('k')}, k.nonce, k.jkt, k.code_challenge as "codeChallenge",
    k.code_challenge_method as "codeChallengeMethod", k.authenticated_at as "authenticatedAt",
    k.authentication_methods as "authenticationMethods", k.authentication_context as "authenticationContext",
    k.federated_until as "federatedUntil", k.consented_until as "consentedUntil", k.allows_refresh as "allowsRefresh", k.granted_claims as "grantedClaims", k.sign_in_id as "signInId", k.created_at as "createdAt", k.expires_at as "expiresAt",
    k.used_at as "usedAt", ${sourcesOfTokens(mappings, 'k')} as "claimSources", ${subjectColumns}`

const codeByHash = statement<{ organisationId: string; codeHash: string; claimMappings: string | null }, CodeRow>(`
  select ${columnsWith(':claimMappings::jsonb')}
  from authorization_codes k
  join users u on u.organisation_id = k.organisation_id and u.id = k.user_id
  where k.organisation_id = :organisationId and k.code_hash = :codeHash`)

async function findCode(
  database: Database,
  { organisationId, claimMappings }: OAuthClient,
  codeHash: string,
): Promise<CodeWithSubject | undefined> {
  return presentCode(await database.pointRead(codeByHash, { organisationId, codeHash, claimMappings: jsonOf(claimMappings) }))
}

const codeOfClient = statement<PresentedCredentials & { codeHash: string }, CodeRow>(
  `
  select ${columnsWith('c.claim_mappings')}
  from clients c
  join authorization_codes k on k.organisation_id = c.organisation_id and k.client_id = c.id and k.code_hash = :codeHash
  join users u on u.organisation_id = k.organisation_id and u.id = k.user_id
  where ${clientAuthenticates}`,
  { crossesOrganisations: 'a client_id alone says of which organisation a client is' },
)

/** Looks the code up before the client has authenticated; undefined also when that will fail. */
async function findCodeEarly(
  database: Database,
  credentials: PresentedCredentials,
  codeHash: string,
): Promise<CodeWithSubject | undefined> {
  return presentCode(await database.pointRead(codeOfClient, { ...credentials, codeHash }))
}

function presentCode(row: CodeRow | undefined): CodeWithSubject | undefined {
  if (!row) return undefined
  const { codeChallenge: challenge, codeChallengeMethod: method } = row
  return { ...row, pkce: challenge !== null && method !== null ? { challenge, method } : undefined }
}
