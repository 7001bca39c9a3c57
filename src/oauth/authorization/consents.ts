import { type RawBuilder, sql } from 'kysely'
import type { Caller, UserCaller } from '../../access/caller.ts'
import { transactionOf } from '../../access/hold-caller.ts'
import { getUser } from '../../accounts/queries.ts'
import type { Actor } from '../../activity/actor.ts'
import { record } from '../../activity/record.ts'
import { presentClient } from '../../clients/present-client.ts'
import { findClient } from '../../clients/queries.ts'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { presentTime } from '../../platform/http/fields.ts'
import { claimsWithin } from '../../tokens/claims.ts'
import { endFamiliesSooner } from '../../tokens/families.ts'
import { revokeTokensOfUser } from '../../tokens/revoke-tokens.ts'
import { type GrantedResource, ownScopes } from '../protocol/resources.ts'
import { refreshesUnasked } from '../protocol/scope.ts'
import { allNames } from './claims-parameter.ts'
import type { Consented } from './next-step.ts'
import { forgetDecisions, type StoredRequest } from './stored-requests.ts'

export interface Consent {
  clientId: string
  clientName: string
  userId: string
  userEmail: string
  userName: string
  scopes: string[]
  /** The claims that it may have by their names, besides those of the scopes. */
  claims: string[]
  /** The resource servers for which it may ask tokens, with the scopes allowed there. */
  resources: { id: string; name: string; identifier: string; scopes: string[]; expiresAt: string | null }[]
  grantedAt: Date
  /** The end that the user has chosen; null for none. */
  expiresAt: Date | null
  /** When the client last got tokens for the user; null when it has none to refresh. */
  lastUsedAt: Date | null
  /** The connection whose provider lets the application act for the user now, if any. */
  managedBy: { id: string; name: string } | null
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
    .select(['scopes', 'claims', 'clientVersion', 'allowsRefresh', isInForce(tenant.now).as('isInForce')])
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
          .where(isInForce(tenant.now))
          .execute()
  // Each resource server has an end of its own, beside that of what is of none.
  if (!consent.isInForce && ofResources.length === 0) return undefined
  const { scopes: own, claims, allowsRefresh } = consent.isInForce ? consent : { ...consent, scopes: [], claims: [] }
  return {
    ...{ scopes: own, claims, allowsRefresh },
    resources: new Map(ofResources.map(({ resourceServerId, scopes }) => [resourceServerId, scopes])),
  }
}

const isInForce = (now: Date) => sql<boolean>`(expires_at is null or expires_at > ${now})`

/**
 * What a new consent leaves of the row of an earlier one. Of one that has ended, nothing. A new end also counts for what was allowed before if
 * the user has been shown all of that again; else the sooner end counts for all.
 */
const withEarlier = (table: string, columns: readonly ('scopes' | 'claims')[], now: Date) => {
  const earlier = sql.table(table)
  const isOver = sql`${earlier}.expires_at <= ${now}`
  const names = columns.map((column) => sql.ref(column))
  const merged = names.map(
    (name) => sql`${name} = case when ${isOver} then excluded.${name}
        else array(select distinct unnest(${earlier}.${name} || excluded.${name}) order by 1) end`,
  )
  const isShownAgain = names.map((name) => sql`excluded.${name} @> ${earlier}.${name}`)
  return sql`
      ${sql.join(merged)},
      expires_at = case when ${isOver} or (${sql.join(isShownAgain, sql` and `)}) then excluded.expires_at
        else least(${earlier}.expires_at, excluded.expires_at) end,
      granted_at = excluded.granted_at`
}

type GrantedRequest = Pick<StoredRequest, 'scope' | 'resources' | 'claims' | 'refreshes' | 'clientVersion'>

/** Whether a user was asked about another version of a client than there is now: what they allow then would be allowed to that one. */
export const isOfOtherVersion = (
  { clientVersion }: Pick<StoredRequest, 'clientVersion'>,
  { consentVersion }: { consentVersion: string | null },
): boolean => clientVersion !== undefined && clientVersion !== consentVersion

/** What a consent to nothing but resource servers leaves of the row of an earlier one: what else was allowed, with its end. */
const besideOwn = sql`
      expires_at = case when consents.scopes = '{}' and consents.claims = '{}' then excluded.expires_at else consents.expires_at end,
      granted_at = excluded.granted_at`

/** Whether a request asks for more than its resource servers. */
export const asksForOwn = ({ scope, resources = [], claims }: Pick<StoredRequest, 'scope' | 'resources' | 'claims'>): boolean =>
  resources.length === 0 || ownScopes(scope, resources).length > 0 || allNames(claims).length > 0

/**
 * Records that the user allows a client these scopes and claims, in addition to those allowed before, each scope at the resource server that
 * defines it.
 *
 * @param about for the audit log: what else the user was told
 * @returns whether it could be granted: the client is there, as the user was asked about it
 */
export async function grantConsent(
  tenant: Tenant,
  caller: UserCaller,
  clientId: string,
  { expiresAt, ...request }: GrantedRequest & { expiresAt: Date | null },
  about: Readonly<Record<string, unknown>> = {},
): Promise<boolean> {
  const client = await findClient(tenant, clientId)
  if (!client || isOfOtherVersion(request, client)) return false
  const { scope, resources = [], claims, refreshes } = request
  const { userId } = caller.session
  const { consentVersion } = client
  const names = allNames(claims)
  // An administrator may have taken it from the client since the page said so.
  const allowsRefresh = refreshes === false ? false : refreshesUnasked(client)
  const isForOwn = asksForOwn({ scope, resources, claims })
  const merged = isForOwn ? withEarlier('consents', ['scopes', 'claims'], tenant.now) : besideOwn
  if (consentVersion !== null) await forgetOtherVersions(tenant, userId, clientId, consentVersion)
  await sql`
    insert into consents (user_id, client_id, scopes, claims, allows_refresh, client_version, granted_at, expires_at)
    values (${userId}, ${clientId}, ${ownScopes(scope, resources)}::text[], ${names}::text[], ${allowsRefresh}::boolean, ${consentVersion}, ${tenant.now}, ${expiresAt})
    on conflict (organisation_id, user_id, client_id) do update set allows_refresh = excluded.allows_refresh, ${merged}`.execute(tenant)
  for (const { id, scopes } of resources) await grantAtResource(tenant, { userId, clientId, id, scopes, expiresAt })
  const ended = { userId, clientId, resources: resources.map(({ id }) => id), isOfNone: isForOwn }
  if (expiresAt) await endFamiliesSooner(tenant, ended, expiresAt)
  const [granted] = await listConsents(tenant, { userId, clientId })
  if (!granted) return true
  await record(tenant, caller.actor, {
    action: 'oauth2.consent.granted',
    client: presentClient(client),
    user: personOf(caller),
    consent: presentConsent(granted),
    metadata: {
      scopes: scope,
      ...(names.length > 0 && { claims: names }),
      ...(expiresAt && { expiresAt: presentTime(expiresAt) }),
      ...(resources.length > 0 && { resources: resources.map(({ id }) => id) }),
      ...about,
    },
  })
  return true
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
  {
    userId,
    clientId,
    id,
    scopes,
    expiresAt,
  }: { userId: string; clientId: string; id: string; scopes: readonly string[]; expiresAt: Date | null },
): Promise<void> {
  await sql`
    insert into resource_consents (user_id, client_id, resource_server_id, scopes, granted_at, expires_at)
    select ${userId}, ${clientId}, id, ${scopes}::text[], ${tenant.now}, ${expiresAt} from resource_servers where id = ${id} for key share
    on conflict (organisation_id, user_id, client_id, resource_server_id) do update set ${withEarlier('resource_consents', ['scopes'], tenant.now)}`.execute(
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
  await transactionOf(database, caller, 'users:update', async (tenant) => {
    const { id, email } = await getUser(tenant, userId)
    await revokeConsent(tenant, caller.actor, { id, email }, clientId)
  })
}

/**
 * Revokes a user's consent for a client, or what the client holds without having asked them, and ends the tokens that it got for
 * it: also what is not listed, such as access tokens that cannot be refreshed. Requests that the user has allowed, and that wait for their
 * code, are asked about anew.
 */
async function revokeConsent(tenant: Tenant, actor: Actor, user: { id: string; email: string }, clientId: string): Promise<void> {
  // A deleted client's consents are not shown, and no tokens are issued for them.
  const client = await findClient(tenant, clientId)
  if (!client) return
  const [revoked] = await listConsents(tenant, { userId: user.id, clientId })
  // In the order in which a code locks them.
  await tenant.deleteFrom('consents').where('userId', '=', user.id).where('clientId', '=', clientId).execute()
  await tenant.deleteFrom('resourceConsents').where('userId', '=', user.id).where('clientId', '=', clientId).execute()
  // First, as a code is issued for a decision.
  await forgetDecisions(tenant, user.id, client)
  await revokeTokensOfUser(tenant, user.id, { clientId })
  if (!revoked) return
  const consent = presentConsent(revoked)
  await record(tenant, actor, { action: 'oauth2.consent.revoked', client: presentClient(client), user, consent })
}

/** Deletes all consents of a user. The tokens that were issued for them end with the user's access. */
export async function deleteConsents(tenant: Tenant, userId: string): Promise<void> {
  await tenant.deleteFrom('consents').where('userId', '=', userId).execute()
  await tenant.deleteFrom('resourceConsents').where('userId', '=', userId).execute()
}

/** The consents of a user, or those for a client: a person is listed once for each client, and a client once for each person. */
type ConsentsOf = { userId: string; clientId?: string } | { clientId: string; userId?: undefined }

/**
 * The consents of a user in the order of the clients' ids, or those for a client in the order of the users'. An application that does not ask
 * for consent is listed with what it was granted, as long as it can refresh its tokens, or acts by an assertion. Deleted applications are not
 * listed: consent for them has no effect any more. Nor are consents whose end has passed.
 */
export async function listConsents(
  tenant: Tenant,
  { limit, after, ...of }: ConsentsOf & { limit?: number; after?: string | undefined },
): Promise<Consent[]> {
  const key = sql.ref(of.userId === undefined ? 'u.id' : 'c.id')
  const { rows } = await sql<Consent>`
    ${consentsOf(tenant, of)} and ${after === undefined ? sql`true` : sql`${key} > ${after}`}
    order by ${key} limit ${limit ?? null}`.execute(tenant)
  return rows.map(withoutClaimsOfScopes)
}

/** A claim may have been allowed by its name before a scope was that covers it. */
function withoutClaimsOfScopes(consent: Consent): Consent {
  const covered: readonly string[] = claimsWithin(consent.scopes)
  return { ...consent, claims: consent.claims.filter((name) => !covered.includes(name)) }
}

export async function countConsents(tenant: Tenant, of: ConsentsOf): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (${consentsOf(tenant, of)}) as consents`.execute(tenant)
  return rows[0]?.count ?? 0
}

// A client that was revoked since cannot refresh the tokens that it was issued before.
function consentsOf({ now }: Tenant, { userId, clientId }: ConsentsOf): RawBuilder<Consent> {
  const concerned = sql`${userId === undefined ? sql`true` : sql`user_id = ${userId}`}
    and ${clientId === undefined ? sql`true` : sql`client_id = ${clientId}`}`
  return sql`
  select c.id as client_id, c.name as client_name, u.id as user_id, u.email as user_email, u.name as user_name,
    case when k.client_id is null then f.scopes else k.scopes || array(
      select distinct allowed.scope from resource_consents a cross join unnest(a.scopes) as allowed (scope)
      where a.organisation_id = c.organisation_id and a.user_id = u.id and a.client_id = c.id and allowed.scope <> all(k.scopes)
        and (a.expires_at is null or a.expires_at > ${now})
      order by 1
    ) end as scopes,
    coalesce(k.claims, '{}') as claims,
    (
      select coalesce(json_agg(json_build_object('id', r.id, 'name', r.name, 'identifier', r.identifier, 'scopes', coalesce(a.scopes, '{}'),
        'expiresAt', a.expires_at) order by r.id), '[]')
      from resource_servers r
      left join resource_consents a on a.organisation_id = r.organisation_id and a.resource_server_id = r.id
        and a.user_id = u.id and a.client_id = c.id and (a.expires_at is null or a.expires_at > ${now})
      where r.organisation_id = c.organisation_id and (a.user_id is not null or (k.client_id is null and r.id = any(f.resources)))
    ) as resources,
    coalesce(k.granted_at, f.granted_at) as granted_at, coalesce(k.expires_at, f.expires_at) as expires_at,
    (
      select max(t.refreshed_at) from token_families t
      where t.organisation_id = c.organisation_id and t.user_id = u.id and t.client_id = c.id
    ) as last_used_at,
    (
      select json_build_object('id', n.id, 'name', n.name)
      from token_families t join connections n on n.organisation_id = t.organisation_id and n.id = t.connection_id
      where t.organisation_id = c.organisation_id and t.user_id = u.id and t.client_id = c.id and t.identity_id is not null
        and t.revoked_at is null and t.kept_until > ${now}::timestamptz + interval '1 day'
      order by t.created_at desc limit 1
    ) as managed_by
  from (
    select organisation_id, client_id, user_id from consents where ${concerned}
    union
    select organisation_id, client_id, user_id from token_families where ${concerned} and revoked_at is null
  ) as known
  join clients c on c.organisation_id = known.organisation_id and c.id = known.client_id and c.deleted_at is null
  join users u on u.organisation_id = known.organisation_id and u.id = known.user_id and u.deleted_at is null
  left join lateral (
    select o.client_id, o.granted_at, case when own.is_in_force then o.scopes else '{}' end as scopes,
      case when own.is_in_force then o.claims else '{}' end as claims,
      case when there.active = 0 or (own.is_in_force and own.is_something) then o.expires_at else there.ends_at end as expires_at
    from consents o
    cross join lateral (
      select coalesce(o.expires_at > ${now}, true) as is_in_force, o.scopes <> '{}' or o.claims <> '{}' as is_something
    ) as own
    cross join lateral (
      select count(*) as known, count(*) filter (where coalesce(a.expires_at > ${now}, true)) as active,
        case when bool_and(a.expires_at is not null) then max(a.expires_at) end as ends_at
      from resource_consents a where a.organisation_id = o.organisation_id and a.user_id = o.user_id and a.client_id = o.client_id
    ) as there
    where o.organisation_id = c.organisation_id and o.user_id = u.id and o.client_id = c.id
      and (there.active > 0 or (own.is_in_force and (own.is_something or there.known = 0)))
  ) as k on true
  left join lateral (
    select coalesce(array_agg(distinct granted.scope order by granted.scope) filter (where granted.scope is not null), '{}') as scopes, min(t.created_at) as granted_at,
      array_agg(distinct named.resource) as resources, case when bool_and(t.consented_until is not null) then max(t.consented_until) end as expires_at
    from token_families t left join unnest(t.scope) as granted (scope) on true left join unnest(t.resources) as named (resource) on true
    where t.organisation_id = c.organisation_id and t.user_id = u.id and t.client_id = c.id and t.revoked_at is null
      and (t.refreshable_until > ${now} or (t.identity_id is not null and t.kept_until > ${now}::timestamptz + interval '1 day'))
      and (t.consented_until is null or t.consented_until > ${now})
      and (c.tokens_valid_after is null or t.created_at > c.tokens_valid_after)
  ) as f on k.client_id is null
  where (k.client_id is not null or f.granted_at is not null)`
}

/** Presents a consent for events and the audit log. */
export function presentConsent({ clientId, clientName, scopes, claims, resources, grantedAt, expiresAt, managedBy }: Consent) {
  return {
    clientId,
    clientName,
    scopes,
    claims,
    resources: resources.map((resource) => ({
      ...resource,
      expiresAt: resource.expiresAt === null ? null : presentTime(new Date(resource.expiresAt)),
    })),
    grantedAt: presentTime(grantedAt),
    expiresAt: presentTime(expiresAt),
    managedBy,
  }
}

const personOf = ({ session, email }: UserCaller) => ({ id: session.userId, email })
