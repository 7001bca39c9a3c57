import { type RawBuilder, sql } from 'kysely'
import type { Caller, UserCaller } from '../../access/caller.ts'
import { getUser } from '../../accounts/queries.ts'
import type { Actor } from '../../activity/actor.ts'
import { record } from '../../activity/record.ts'
import { presentClient } from '../../clients/present-client.ts'
import { findClient } from '../../clients/queries.ts'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { presentTime } from '../../platform/http/fields.ts'
import { revokeTokensOfUser } from '../../tokens/revoke-tokens.ts'
import { type GrantedResource, ownScopes } from '../protocol/resources.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import type { Consented } from './next-step.ts'

export interface Consent {
  clientId: string
  clientName: string
  scopes: string[]
  /** The resource servers for which it may ask tokens, with the scopes allowed there. */
  resources: { id: string; name: string; identifier: string; scopes: string[] }[]
  grantedAt: Date
}

/**
 * What the user has allowed the client before; undefined if they have allowed nothing.
 *
 * @param resources those that a request is for: nothing is read of others
 */
export async function findConsented(
  database: Database,
  client: { id: string; organisationId: string; consentVersion: string | null },
  userId: string,
  resources: readonly GrantedResource[] = [],
): Promise<Consented | undefined> {
  const tenant = database.tenant(client.organisationId)
  const consent = await tenant
    .selectFrom('consents')
    .select(['scopes', 'clientVersion'])
    .where('userId', '=', userId)
    .where('clientId', '=', client.id)
    .executeTakeFirst()
  // What was allowed to another version of the client says nothing about this one.
  if (!consent || consent.clientVersion !== client.consentVersion) return undefined
  const ofResources =
    resources.length === 0
      ? []
      : await tenant
          .selectFrom('resourceConsents')
          .select(['resourceServerId', 'scopes'])
          .where('userId', '=', userId)
          .where('clientId', '=', client.id)
          .execute()
  return { scopes: consent.scopes, resources: new Map(ofResources.map(({ resourceServerId, scopes }) => [resourceServerId, scopes])) }
}

/**
 * Records that the user allows a client these scopes, in addition to those allowed before, each at the resource server that defines it.
 *
 * @param about for the audit log: what else the user was told
 */
export async function grantConsent(
  tenant: Tenant,
  caller: UserCaller,
  clientId: string,
  { scope, resources = [] }: Pick<AuthorizationRequest, 'scope' | 'resources'>,
  about: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const client = await findClient(tenant, clientId)
  if (!client) return
  const { consentVersion } = client
  if (consentVersion !== null) await forgetOtherVersions(tenant, caller.session.userId, clientId, consentVersion)
  await sql`
    insert into consents (user_id, client_id, scopes, client_version, granted_at)
    values (${caller.session.userId}, ${clientId}, ${ownScopes(scope, resources)}::text[], ${consentVersion}, ${tenant.now})
    on conflict (organisation_id, user_id, client_id) do update set
      scopes = array(select distinct unnest(consents.scopes || excluded.scopes) order by 1), granted_at = excluded.granted_at`.execute(
    tenant,
  )
  for (const { id, scopes } of resources) await grantAtResource(tenant, { userId: caller.session.userId, clientId, id, scopes })
  const [granted] = await listConsents(tenant, caller.session.userId, { clientId })
  if (!granted) return
  await record(tenant, caller.actor, {
    action: 'oauth2.consent.granted',
    client: presentClient(client),
    user: personOf(caller),
    consent: { ...granted, grantedAt: presentTime(granted.grantedAt) },
    metadata: { scopes: scope, ...(resources.length > 0 && { resources: resources.map(({ id }) => id) }), ...about },
  })
}

/** Deletes what was allowed to another version of the client, so that nothing is added to it. */
async function forgetOtherVersions(tenant: Tenant, userId: string, clientId: string, version: string): Promise<void> {
  const former = await tenant
    .deleteFrom('consents')
    .where('userId', '=', userId)
    .where('clientId', '=', clientId)
    .where(sql<boolean>`client_version is distinct from ${version}`)
    .returning('clientId')
    .executeTakeFirst()
  if (!former) return
  await tenant.deleteFrom('resourceConsents').where('userId', '=', userId).where('clientId', '=', clientId).execute()
}

/** A resource server that has been deleted since the request is left out: no token is issued for it. */
async function grantAtResource(
  tenant: Tenant,
  { userId, clientId, id, scopes }: { userId: string; clientId: string; id: string; scopes: readonly string[] },
): Promise<void> {
  await sql`
    insert into resource_consents (user_id, client_id, resource_server_id, scopes, granted_at)
    select ${userId}, ${clientId}, id, ${scopes}::text[], ${tenant.now} from resource_servers where id = ${id} for key share
    on conflict (organisation_id, user_id, client_id, resource_server_id) do update set
      scopes = array(select distinct unnest(resource_consents.scopes || excluded.scopes) order by 1), granted_at = excluded.granted_at`.execute(
    tenant,
  )
}

/** Revokes the caller's consent for a client: {@link revokeConsent}. */
export async function revokeOwnConsent(database: Database, caller: UserCaller, clientId: string): Promise<void> {
  await database.transaction(caller.organisationId, (tenant) => revokeConsent(tenant, caller.actor, personOf(caller), clientId))
}

/**
 * Revokes the consent of a user of the caller's organisation for a client: {@link revokeConsent}.
 *
 * @throws Problem `not-found` when no such user exists
 */
export async function revokeConsentOfUser(database: Database, caller: Caller, userId: string, clientId: string): Promise<void> {
  await database.transaction(caller.organisationId, async (tenant) => {
    const { id, email } = await getUser(tenant, userId)
    await revokeConsent(tenant, caller.actor, { id, email }, clientId)
  })
}

/**
 * Revokes a user's consent for a client, or what the client holds without having asked them, and ends the tokens that it got for
 * it. If the client holds neither, nothing happens.
 */
async function revokeConsent(tenant: Tenant, actor: Actor, user: { id: string; email: string }, clientId: string): Promise<void> {
  // A deleted client's consents are not shown, and no tokens are issued for them.
  const client = await findClient(tenant, clientId)
  if (!client) return
  const [revoked] = await listConsents(tenant, user.id, { clientId })
  if (!revoked) return
  await tenant.deleteFrom('resourceConsents').where('userId', '=', user.id).where('clientId', '=', clientId).execute()
  await tenant.deleteFrom('consents').where('userId', '=', user.id).where('clientId', '=', clientId).execute()
  await revokeTokensOfUser(tenant, user.id, { clientId })
  const consent = { ...revoked, grantedAt: presentTime(revoked.grantedAt) }
  await record(tenant, actor, { action: 'oauth2.consent.revoked', client: presentClient(client), user, consent })
}

/** Deletes all consents of a user. The tokens that were issued for them end with the user's access. */
export async function deleteConsents(tenant: Tenant, userId: string): Promise<void> {
  await tenant.deleteFrom('resourceConsents').where('userId', '=', userId).execute()
  await tenant.deleteFrom('consents').where('userId', '=', userId).execute()
}

/**
 * The consents of a user, in the order of the clients' ids, which is that of their creation. An application that does not ask
 * for consent is listed with what it was granted, as long as it can refresh its tokens. Deleted applications are not listed: consent
 * for them has no effect any more.
 */
export async function listConsents(
  tenant: Tenant,
  userId: string,
  { limit, after, clientId }: { limit?: number; after?: string | undefined; clientId?: string },
): Promise<Consent[]> {
  const { rows } = await sql<Consent>`
    ${consentsOf(tenant, userId)}
      and ${after === undefined ? sql`true` : sql`c.id > ${after}`}
      and ${clientId === undefined ? sql`true` : sql`c.id = ${clientId}`}
    order by c.id limit ${limit ?? null}`.execute(tenant)
  return rows
}

export async function countConsents(tenant: Tenant, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (${consentsOf(tenant, userId)}) as consents`.execute(tenant)
  return rows[0]?.count ?? 0
}

// A client that was revoked since cannot refresh the tokens that it was issued before.
const consentsOf = (tenant: Tenant, userId: string): RawBuilder<Consent> => sql`
  select c.id as client_id, c.name as client_name,
    case when k.client_id is null then f.scopes else k.scopes || array(
      select distinct allowed.scope from resource_consents a cross join unnest(a.scopes) as allowed (scope)
      where a.organisation_id = c.organisation_id and a.user_id = ${userId} and a.client_id = c.id and allowed.scope <> all(k.scopes)
      order by 1
    ) end as scopes,
    (
      select coalesce(json_agg(json_build_object('id', r.id, 'name', r.name, 'identifier', r.identifier, 'scopes', coalesce(a.scopes, '{}'))
        order by r.id), '[]')
      from resource_servers r
      left join resource_consents a on a.organisation_id = r.organisation_id and a.resource_server_id = r.id
        and a.user_id = ${userId} and a.client_id = c.id
      where r.organisation_id = c.organisation_id and (a.user_id is not null or (k.client_id is null and r.id = any(f.resources)))
    ) as resources,
    coalesce(k.granted_at, f.granted_at) as granted_at
  from (
    select organisation_id, client_id from consents where user_id = ${userId}
    union
    select organisation_id, client_id from token_families where user_id = ${userId} and revoked_at is null
  ) as known
  join clients c on c.organisation_id = known.organisation_id and c.id = known.client_id and c.deleted_at is null
  left join consents k on k.organisation_id = c.organisation_id and k.user_id = ${userId} and k.client_id = c.id
  left join lateral (
    select array_agg(distinct granted.scope order by granted.scope) as scopes, min(t.created_at) as granted_at,
      array_agg(distinct named.resource) as resources
    from token_families t cross join unnest(t.scope) as granted (scope) left join unnest(t.resources) as named (resource) on true
    where t.organisation_id = c.organisation_id and t.user_id = ${userId} and t.client_id = c.id and t.revoked_at is null
      and t.refreshable_until > ${tenant.now} and (c.tokens_valid_after is null or t.created_at > c.tokens_valid_after)
  ) as f on k.client_id is null
  where (k.client_id is not null or f.granted_at is not null)`

const personOf = ({ session, email }: UserCaller) => ({ id: session.userId, email })
