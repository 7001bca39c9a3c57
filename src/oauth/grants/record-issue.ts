import type { Actor, Origin } from '../../activity/actor.ts'
import { record } from '../../activity/record.ts'
import { presentClient } from '../../clients/present-client.ts'
import { findClient } from '../../clients/queries.ts'
import type { Database, Tenant } from '../../platform/database/database.ts'
import type { BoundWrite } from '../../platform/database/statement.ts'
import { endFamily } from '../../tokens/revoke-tokens.ts'
import type { OAuthClient } from '../protocol/queries.ts'
import type { Requester } from './grant.ts'

/** The tokens that are issued, in the form of their event. */
export interface Issue {
  grantType: string
  scope: readonly string[]
  user?: { id: string; email: string; name: string }
}

/**
 * Claims what the tokens are issued for, and records it if an endpoint has subscribed; otherwise the claim is
 * the one statement that issuing costs.
 *
 * @returns whether this request was the first to claim it
 */
export async function claimAndRecord(database: Database, requester: Requester, claim: BoundWrite, issue: Issue): Promise<boolean> {
  const { statement, values } = claim
  const { client } = requester
  if (!client.hasSubscriber) return (await database.keyedWrite(statement, values)) !== undefined
  return database.transaction(client.organisationId, async (tenant) => {
    const [claimed] = await tenant.run(statement, values)
    if (claimed) await recordIssue(tenant, requester, issue)
    return claimed !== undefined
  })
}

export async function recordIssue(tenant: Tenant, { client, origin }: Requester, { grantType, scope, user }: Issue): Promise<void> {
  const registered = await findClient(tenant, client.id)
  if (!registered) return
  await record(tenant, clientAsActor(client, origin), {
    action: 'oauth2.token.issued',
    client: presentClient(registered),
    ...(user && { user }),
    token: { grantType, scope: scope.join(' ') },
  })
}

/** Ends the family of something that was presented twice: one of the two callers is a thief (RFC 9700 §4.14.2). */
export async function revokeReused(
  database: Database,
  { client, origin }: Requester,
  { familyId, signInId }: { familyId: string; signInId: string | null },
  reason: string,
): Promise<void> {
  await database.transaction(client.organisationId, async (tenant) => {
    const [ended] = await tenant.run(endFamily, { organisationId: client.organisationId, key: familyId, now: tenant.now })
    if (!ended) return
    const registered = await findClient(tenant, client.id)
    if (!registered) return
    await record(tenant, clientAsActor(client, { ...origin, signInId }), {
      action: 'oauth2.token.revoked',
      client: presentClient(registered),
      token: { type: 'refresh_token', familyId },
      metadata: { reason },
    })
  })
}

/** The client as the actor of audit entries and events. */
export const clientAsActor = ({ id, name }: Pick<OAuthClient, 'id' | 'name'>, origin: Origin): Actor => ({
  actorType: 'client',
  actorId: id,
  name,
  ...origin,
})
