/** POST /oauth2/revoke (RFC 7009). */
import { say } from '../../../shared/checks/said.ts'
import type { Occurrence } from '../../activity/catalogue.ts'
import { type AuditedChange, changeAndAudit, record, withAuditEntry } from '../../activity/record.ts'
import { presentClient } from '../../clients/present-client.ts'
import { findClient as findRegisteredClient } from '../../clients/queries.ts'
import type { Database } from '../../platform/database/database.ts'
import type { KeyedValues, Statement } from '../../platform/database/statement.ts'
import type { AccessTokens } from '../../tokens/access-tokens.ts'
import { findRefreshToken } from '../../tokens/families.ts'
import { isRefreshToken } from '../../tokens/issue-tokens.ts'
import { endAccessToken, endFamily } from '../../tokens/revoke-tokens.ts'
import type { Requester } from '../grants/grant.ts'
import { clientAsActor } from '../grants/record-issue.ts'
import { invalidRequest } from '../protocol/errors.ts'
import { type RevocationParameters, revocationParameters } from './parameters.ts'

export interface RevocationDependencies {
  database: Database
  accessTokens: AccessTokens
}

/**
 * Revokes a token of the client; an unknown or inactive one, or one of another organisation, needs nothing. A refresh token takes its family with
 * it, an access token only itself. The hint is not needed: the two look different.
 *
 * @throws OAuthError `invalid_request` for a token of another client of the organisation, which stays valid
 */
export async function revokeToken(
  dependencies: RevocationDependencies,
  requester: Requester,
  parameters: RevocationParameters,
): Promise<void> {
  const { token } = revocationParameters.complete(parameters)
  if (isRefreshToken(token)) await revokeRefreshToken(dependencies, requester, token)
  else await revokeJwt(dependencies, requester, token)
}

async function revokeRefreshToken({ database }: RevocationDependencies, requester: Requester, token: string): Promise<void> {
  const { client } = requester
  const found = await findRefreshToken(database, client.organisationId, token)
  if (!found) return
  if (found.clientId !== client.id) throw foreignToken(client.id)
  const { familyId, signInId } = found
  const values = { organisationId: client.organisationId, key: familyId, now: database.clock.now() }
  const ofSignIn = { ...requester, origin: { ...requester.origin, signInId } }
  await endAndRecord(database, ofSignIn, familyEnding, values, { type: 'refresh_token', familyId })
}

async function revokeJwt({ database, accessTokens }: RevocationDependencies, requester: Requester, token: string): Promise<void> {
  const { client } = requester
  const claims = await accessTokens.prove(token)
  // A token of another organisation is an unknown one: the response must not say that it is genuine.
  if (claims?.org !== client.organisationId || claims.exp * 1_000 <= database.clock.now().getTime()) return
  if (claims.client_id !== client.clientId) throw foreignToken(client.id)
  const { jti, exp } = claims
  const values = { organisationId: client.organisationId, key: jti, expiresAt: new Date(exp * 1_000) }
  await endAndRecord(database, requester, accessTokenEnding, values, { type: 'access_token', jti })
}

type RevokedToken = Extract<Occurrence, { action: 'oauth2.token.revoked' }>['token']

/** A statement that ends something, by itself and together with its audit entry. */
interface Ending<Values extends KeyedValues> {
  alone: Statement<Values, { id: string }>
  audited: AuditedChange<Values>
}

const familyEnding = { alone: endFamily, audited: withAuditEntry(endFamily) }
const accessTokenEnding = { alone: endAccessToken, audited: withAuditEntry(endAccessToken) }

/** Ends something and records it, unless it had ended before. Without a subscribed endpoint that is one statement. */
async function endAndRecord<Values extends KeyedValues>(
  database: Database,
  { client, origin }: Requester,
  ending: Ending<Values>,
  values: Values,
  token: RevokedToken,
): Promise<void> {
  const actor = clientAsActor(client, origin)
  const action = 'oauth2.token.revoked'
  if (!client.hasSubscriber) {
    await changeAndAudit(database, actor, { action, client: { id: client.id, name: client.name }, token }, ending.audited, values)
    return
  }
  await database.transaction(client.organisationId, async (tenant) => {
    const [ended] = await tenant.run(ending.alone, values)
    if (!ended) return
    const registered = await findRegisteredClient(tenant, client.id)
    if (registered) await record(tenant, actor, { action, client: presentClient(registered), token })
  })
}

const foreignToken = (clientId: string) =>
  invalidRequest('the token was issued to another client', {
    name: 'token_owner',
    expected: clientId,
    received: say('a-token-of-another-client'),
  })
