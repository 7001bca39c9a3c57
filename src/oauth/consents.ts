import { sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import { record } from '../activity/record.ts'
import { presentClient } from '../clients/present-client.ts'
import { findClient } from '../clients/queries.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { presentTime } from '../platform/http/fields.ts'
import { revokeTokensOfUser } from '../tokens/revoke-tokens.ts'

export interface Consent {
  clientId: string
  clientName: string
  scopes: string[]
  grantedAt: Date
}

/** What the user has allowed the client before; undefined if they have allowed nothing. */
export async function findConsentedScopes(
  database: Database,
  client: { id: string; organisationId: string },
  caller: Caller,
): Promise<string[] | undefined> {
  const consent = await database
    .tenant(client.organisationId)
    .selectFrom('consents')
    .select('scopes')
    .where('userId', '=', caller.session.userId)
    .where('clientId', '=', client.id)
    .executeTakeFirst()
  return consent?.scopes
}

/** Notes that the user allows a client these scopes, besides those they allowed it before. */
export async function grantConsent(tenant: Tenant, caller: Caller, clientId: string, scopes: readonly string[]): Promise<void> {
  const client = await findClient(tenant, clientId)
  if (!client) return
  const { rows } = await sql<{ scopes: string[] }>`
    insert into consents (user_id, client_id, scopes, granted_at)
    values (${caller.session.userId}, ${clientId}, ${scopes}::text[], ${tenant.now})
    on conflict (organisation_id, user_id, client_id) do update set
      scopes = array(select distinct unnest(consents.scopes || excluded.scopes) order by 1), granted_at = excluded.granted_at
    returning scopes`.execute(tenant)
  const consent = { clientId, clientName: client.name, scopes: rows[0]?.scopes ?? [...scopes], grantedAt: presentTime(tenant.now) }
  await record(tenant, caller, { action: 'oauth2.consent.granted', client: presentClient(client), user: personOf(caller), consent })
}

/** Takes back what the caller has allowed a client, and ends the tokens that it got for it. Without a consent nothing happens. */
export async function revokeConsent(database: Database, caller: Caller, clientId: string): Promise<void> {
  await database.transaction(caller.organisationId, async (tenant) => {
    // A deleted client's consents are shown to nobody, and nothing is issued by them.
    const client = await findClient(tenant, clientId)
    if (!client) return
    const revoked = await tenant
      .deleteFrom('consents')
      .where('userId', '=', caller.session.userId)
      .where('clientId', '=', clientId)
      .returning(['scopes', 'grantedAt'])
      .executeTakeFirst()
    if (!revoked) return
    await revokeTokensOfUser(tenant, caller.session.userId, clientId)
    const consent = { clientId, clientName: client.name, scopes: revoked.scopes, grantedAt: presentTime(revoked.grantedAt) }
    await record(tenant, caller, { action: 'oauth2.consent.revoked', client: presentClient(client), user: personOf(caller), consent })
  })
}

/** The caller's consents in the order of the clients' ids, which is that of their creation. */
export async function listConsents(tenant: Tenant, userId: string, limit: number, after: string | undefined): Promise<Consent[]> {
  return consentsOf(tenant, userId)
    .select(['consents.clientId', 'clients.name as clientName', 'consents.scopes', 'consents.grantedAt'])
    .$if(after !== undefined, (query) => query.where('consents.clientId', '>', after as string))
    .orderBy('consents.clientId')
    .limit(limit)
    .execute()
}

export async function countConsents(tenant: Tenant, userId: string): Promise<number> {
  const { count } = await consentsOf(tenant, userId).select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  return count
}

/** Of clients that are there: what a deleted one was allowed means nothing any more. */
const consentsOf = (tenant: Tenant, userId: string) =>
  tenant
    .selectFrom('consents')
    .innerJoin('clients', (join) =>
      join.onRef('clients.organisationId', '=', 'consents.organisationId').onRef('clients.id', '=', 'consents.clientId'),
    )
    .where('consents.userId', '=', userId)
    .where('clients.deletedAt', 'is', null)

const personOf = ({ session, email }: Caller) => ({ id: session.userId, email })
