import { type Selectable, sql } from 'kysely'
import { connectionSignsIn } from '../organisations/signs-in-by-connection.ts'
import type { OrganisationStatus, SsoPolicy } from '../platform/database/column-types.ts'
import { refuseViolation } from '../platform/database/constraints.ts'
import type { Database, System, Tenant } from '../platform/database/database.ts'
import { statement } from '../platform/database/statement.ts'
import type { OrganisationDomainsTable } from '../platform/database/tables.ts'
import { domainNotFound, domainOfAnotherOrganisation, domainTaken } from './refusals.ts'
import { type Requirement, requiredConnectionOf, ssoWithoutProof } from './rules.ts'

export type Domain = Omit<Selectable<OrganisationDomainsTable>, 'organisationId'>

/** A domain without a connection leads nowhere: its connection was deleted. */
const ssoWithConnection = sql<SsoPolicy>`case when connection_id is null then 'off' else sso end`.as('sso')

const columns = [
  'id',
  'domain',
  'status',
  'challenge',
  'connectionId',
  ssoWithConnection,
  'bypassUserIds',
  'verifiedAt',
  'checkedAt',
  'failingSince',
  'createdAt',
  'updatedAt',
] as const

/** The fields of a verified domain that decide a sign-in. */
export interface VerifiedDomain extends Pick<Domain, 'id' | 'domain' | 'sso' | 'connectionId' | 'bypassUserIds'> {
  organisationId: string
  organisationStatus: OrganisationStatus
}

const verifiedDomain = statement<{ domain: string }, VerifiedDomain>(
  `select d.organisation_id as "organisationId", o.status as "organisationStatus", d.id, d.domain, d.connection_id as "connectionId", d.bypass_user_ids as "bypassUserIds",
    case when d.connection_id is null then 'off' else d.sso end as sso
  from organisation_domains d join organisations o on o.id = d.organisation_id
  where d.domain = :domain and d.status = 'verified' and o.status <> 'cancelled'`,
  { crossesOrganisations: 'an address says by its domain alone to which organisation its user belongs' },
)

/** The organisation that has proven a domain, and what it requires of its users. */
export const findVerifiedDomain = (database: Database, domain: string): Promise<VerifiedDomain | undefined> =>
  database.pointRead(verifiedDomain, { domain })

/**
 * The requirement of the domain of a user's address, for a query that reads `users`; null without one. Only a domain of the user's own
 * organisation counts.
 */
export const requirementOfUser = sql<Requirement | null>`(
  select json_build_object('connectionId', d.connection_id, 'bypassUserIds', d.bypass_user_ids)
  from organisation_domains d
  where d.organisation_id = users.organisation_id and d.domain = split_part(users.email, '@', 2) and d.status = 'verified'
    and d.sso = 'required' and d.connection_id is not null)`.as('requirement')

/** The only connection that a user may sign in through, if their domain requires one. */
export async function findRequiredConnection(tenant: Tenant, userId: string): Promise<string | undefined> {
  const user = await tenant
    .selectFrom('users')
    .innerJoin('organisations', 'organisations.id', 'users.organisationId')
    .select(['users.id', 'users.mfaEnabled', 'organisations.ownerId', requirementOfUser])
    .where('users.id', '=', userId)
    .executeTakeFirst()
  return user && requiredConnectionOf(user.requirement, user)
}

/** A domain whose users have to sign in by a connection by which none of them can. */
interface LockedDomain {
  organisation: string
  domain: string
  connection: string
  why: 'inactive' | 'without-secret' | 'failing'
}

/** Verified domains that require single sign-on by a connection that is off, lacks its secret or key, or fails. */
export async function findLockedDomains(database: Tenant | System): Promise<LockedDomain[]> {
  const { rows } = await sql<LockedDomain>`
    select o.slug as organisation, d.domain, c.name as connection,
      case when not c.is_active then 'inactive' when c.secret_encrypted is null then 'without-secret' else 'failing' end as why
    from organisation_domains d
    join connections c on c.organisation_id = d.organisation_id and c.id = d.connection_id
    join organisations o on o.id = d.organisation_id
    where d.status = 'verified' and d.sso = 'required' and o.status in ('trial', 'active')
      and (not c.is_active or c.secret_encrypted is null or c.failing_since is not null)
    order by o.slug, d.domain`.execute(database)
  return rows
}

/** A domain that its organisation has proven, and whose record is gone. */
interface UnprovenDomain {
  organisation: string
  domain: string
  /** Since when; null when it has lapsed. */
  since: Date | null
  requiresSso: boolean
}

/** Domains whose record is missing, those first that have not lapsed yet. */
export async function findUnprovenDomains(database: Tenant | System): Promise<UnprovenDomain[]> {
  const { rows } = await sql<UnprovenDomain>`
    select o.slug as organisation, d.domain, case when d.status = 'verified' then d.failing_since end as since,
      d.status = 'verified' and d.sso = 'required' and d.connection_id is not null as requires_sso
    from organisation_domains d join organisations o on o.id = d.organisation_id
    where (d.status = 'lapsed' or d.status = 'verified' and d.failing_since is not null) and o.status in ('trial', 'active')
    order by d.status = 'lapsed', requires_sso desc, o.slug, d.domain`.execute(database)
  return rows
}

export async function verifiedDomainsOf(tenant: Tenant): Promise<Domain[]> {
  return tenant.selectFrom('organisationDomains').select(columns).where('status', '=', 'verified').orderBy('domain').execute()
}

/** A verified domain of the organisation, if it is one. Its row is locked against changes until the end of the transaction. */
export async function holdVerifiedDomain(tenant: Tenant, domain: string): Promise<Domain | undefined> {
  const named = tenant.selectFrom('organisationDomains').select(columns).where('domain', '=', domain).where('status', '=', 'verified')
  return named.forShare().executeTakeFirst()
}

/** The domains whose users are sent to this connection. Their rows are locked until the end of the transaction: none comes to require it meanwhile. */
export async function lockDomainsOfConnection(tenant: Tenant, connectionId: string): Promise<Domain[]> {
  const sent = tenant.selectFrom('organisationDomains').select(columns).where('connectionId', '=', connectionId).orderBy('domain')
  return sent.forNoKeyUpdate().execute()
}

/** The domains of the organisation: at most a hundred. */
export const allDomains = (tenant: Tenant): Promise<Domain[]> =>
  tenant.selectFrom('organisationDomains').select(columns).orderBy('id').execute()

/** Counts the domains. Locks the organisation's row until the end of the transaction, so that no domain is added meanwhile. */
export async function lockAndCountDomains(tenant: Tenant): Promise<number> {
  await tenant.selectFrom('organisations').select('id').forNoKeyUpdate().execute()
  const { count } = await tenant.selectFrom('organisationDomains').select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  return count
}

/** @throws Problem `not-found` */
export async function getDomain(tenant: Tenant, id: string): Promise<Domain> {
  const domain = await tenant.selectFrom('organisationDomains').select(columns).where('id', '=', id).executeTakeFirst()
  if (!domain) throw domainNotFound()
  return domain
}

/** The domain, with its row locked until the end of the transaction. */
export async function lockDomain(tenant: Tenant, id: string): Promise<Domain> {
  const domain = await tenant.selectFrom('organisationDomains').select(columns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  if (!domain) throw domainNotFound()
  return domain
}

/** @throws Problem `conflict` */
export async function insertDomain(
  tenant: Tenant,
  domain: Pick<Domain, 'id' | 'domain' | 'challenge' | 'connectionId' | 'sso'>,
): Promise<Domain> {
  return tenant
    .insertInto('organisationDomains')
    .values({ ...domain, createdAt: tenant.now, updatedAt: tenant.now })
    .returning(columns)
    .executeTakeFirstOrThrow()
    .catch(refuseViolation({ organisation_domains_name_key: domainTaken }))
}

export type DomainSettings = Pick<Domain, 'connectionId' | 'sso' | 'bypassUserIds'>

export async function updateDomain(tenant: Tenant, id: string, { connectionId, sso, bypassUserIds }: DomainSettings): Promise<Domain> {
  return tenant
    .updateTable('organisationDomains')
    .set({ connectionId, sso, bypassUserIds: JSON.stringify(bypassUserIds), updatedAt: tenant.now })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Removes a user from the users who may sign in without the connection of a domain. */
export async function endBypassOf(system: System, organisationId: string, userId: string): Promise<void> {
  await sql`
    update organisation_domains set bypass_user_ids = bypass_user_ids - ${userId}::text
    where organisation_id = ${organisationId} and bypass_user_ids @> jsonb_build_array(${userId}::text)`.execute(system)
}

/**
 * Records that the record was found.
 *
 * @throws Problem `conflict` when another organisation has the domain
 */
export async function markProven(tenant: Tenant, { id, status }: Pick<Domain, 'id' | 'status'>): Promise<Domain> {
  return (
    tenant
      .updateTable('organisationDomains')
      .set({ checkedAt: tenant.now, failingSince: null })
      // A trigger locks the addresses of a domain whose status is set.
      .$if(status !== 'verified', (update) => update.set({ status: 'verified', verifiedAt: tenant.now, updatedAt: tenant.now }))
      .where('id', '=', id)
      .returning(columns)
      .executeTakeFirstOrThrow()
      .catch(refuseViolation({ organisation_domains_domain_key: domainOfAnotherOrganisation }))
  )
}

/** Records that the record of a verified domain was missing. @returns undefined when the domain is no longer verified */
export async function markMissing(tenant: Tenant, id: string): Promise<Domain | undefined> {
  return tenant
    .updateTable('organisationDomains')
    .set((domain) => ({ checkedAt: tenant.now, failingSince: domain.fn.coalesce('failingSince', sql<Date>`${tenant.now}::timestamptz`) }))
    .where('id', '=', id)
    .where('status', '=', 'verified')
    .returning(columns)
    .executeTakeFirst()
}

/** Records that the record of a verified domain still exists. */
export async function markStillProven(tenant: Tenant, id: string): Promise<void> {
  await tenant
    .updateTable('organisationDomains')
    .set({ checkedAt: tenant.now, failingSince: null })
    .where('id', '=', id)
    .where('status', '=', 'verified')
    .execute()
}

/** Records that the organisation no longer proves the domain, and so requires nothing of its users: also not once it proves it again. */
export async function markUnproven(tenant: Tenant, { id, sso }: Pick<Domain, 'id' | 'sso'>, status: 'lapsed' | 'pending'): Promise<Domain> {
  return tenant
    .updateTable('organisationDomains')
    .set({ status, sso: ssoWithoutProof(sso), updatedAt: tenant.now })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/**
 * A domain that has lapsed, or whose organisation is cancelled, with its row locked until the end of the transaction; undefined when it is
 * neither any more.
 */
export async function lockReleasable(tenant: Tenant, id: string): Promise<Domain | undefined> {
  // Held until the commit, so that the organisation is not restored meanwhile.
  const holder = await tenant.selectFrom('organisations').select('status').forShare().executeTakeFirst()
  const domain = tenant.selectFrom('organisationDomains').select(columns).where('id', '=', id)
  const releasable = holder?.status === 'cancelled' ? domain.where('status', '!=', 'pending') : domain.where('status', '=', 'lapsed')
  return releasable.forNoKeyUpdate().executeTakeFirst()
}

/** Gives domains whose record was missing a week from now: while the organisation was cancelled, the record was not looked for. */
export async function resumeDomainChecks(tenant: Tenant): Promise<void> {
  await tenant
    .updateTable('organisationDomains')
    .set({ failingSince: null })
    .where('status', '=', 'verified')
    .where('failingSince', 'is not', null)
    .execute()
}

/** @returns the domain that this call deleted */
export async function deleteDomain(tenant: Tenant, id: string): Promise<void> {
  await tenant.deleteFrom('organisationDomains').where('id', '=', id).execute()
}

/** A domain that its holder loses to the first other organisation that proves it: it has lapsed, or its organisation is cancelled. */
export async function findReleasable(
  system: System,
  domain: string,
): Promise<Pick<Selectable<OrganisationDomainsTable>, 'organisationId' | 'id'> | undefined> {
  return system
    .selectFrom('organisationDomains')
    .innerJoin('organisations', 'organisations.id', 'organisationDomains.organisationId')
    .select(['organisationDomains.organisationId', 'organisationDomains.id'])
    .where('organisationDomains.domain', '=', domain)
    .where('organisationDomains.status', '!=', 'pending')
    .where((holder) => holder.or([holder('organisationDomains.status', '=', 'lapsed'), holder('organisations.status', '=', 'cancelled')]))
    .executeTakeFirst()
}

export type DomainToCheck = Pick<Selectable<OrganisationDomainsTable>, 'organisationId' | 'id' | 'domain' | 'challenge'>

/** Verified domains of organisations that are not cancelled, and that were not checked since then, in the order of their ids. */
export async function domainsToCheck(system: System, before: Date, afterId: string, limit: number): Promise<DomainToCheck[]> {
  return system
    .selectFrom('organisationDomains')
    .innerJoin('organisations', 'organisations.id', 'organisationDomains.organisationId')
    .select(['organisationDomains.organisationId', 'organisationDomains.id', 'organisationDomains.domain', 'organisationDomains.challenge'])
    .where('organisations.status', '!=', 'cancelled')
    .where('organisationDomains.status', '=', 'verified')
    .where('organisationDomains.checkedAt', '<=', before)
    .where('organisationDomains.id', '>', afterId)
    .orderBy('organisationDomains.id')
    .limit(limit)
    .execute()
}

/** Brings forward checks that were made before the clock was set back: the next one is due a day after now. */
export async function bringDomainChecksForward(system: System): Promise<void> {
  await system.updateTable('organisationDomains').set({ checkedAt: system.now }).where('checkedAt', '>', system.now).execute()
}

/** Whether any organisation sends the users of a domain to a connection, and whether any requires that. */
export async function findUseOfDomains(system: System): Promise<{ leads: boolean; requires: boolean }> {
  const { rows } = await sql<{ leads: boolean; requires: boolean }>`
    select exists (select from organisation_domains where status = 'verified' and sso = 'required') as requires,
      exists (select from organisation_domains where status = 'verified' and sso <> 'off' and connection_id is not null) as leads`.execute(
    system,
  )
  return rows[0] ?? { leads: false, requires: false }
}

/** Whether users can sign in through a connection. */
export async function isUsableConnection(tenant: Tenant, id: string): Promise<boolean> {
  const connection = await tenant.selectFrom('connections').select('id').where('id', '=', id).where(connectionSignsIn()).executeTakeFirst()
  return connection !== undefined
}

export async function isConnection(tenant: Tenant, id: string): Promise<boolean> {
  const connection = await tenant.selectFrom('connections').select('id').where('id', '=', id).forKeyShare().executeTakeFirst()
  return connection !== undefined
}

/** The existing users among these ids, and whether they have a second factor. */
export async function findUsers(tenant: Tenant, ids: readonly string[]): Promise<{ id: string; mfaEnabled: boolean }[]> {
  if (ids.length === 0) return []
  return tenant
    .selectFrom('users')
    .select(['id', 'mfaEnabled'])
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .where('deletedAt', 'is', null)
    .execute()
}
