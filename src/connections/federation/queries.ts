import { type Selectable, sql } from 'kysely'
import type { ConnectionCheck } from '../../../shared/checks/names.ts'
import { requirementOfUser } from '../../domains/queries.ts'
import { type Requirement, requiredConnectionOf } from '../../domains/rules.ts'
import { runningStatuses } from '../../organisations/rules.ts'
import { secondsBefore } from '../../platform/clock.ts'
import type { OrganisationStatus } from '../../platform/database/column-types.ts'
import type { Database, SharedReads, System, Tenant } from '../../platform/database/database.ts'
import type { ConnectionsTable } from '../../platform/database/tables.ts'
import { isHeldBy, responsibleFor, type Voucher } from '../../roles/vouchers.ts'
import type { KnownUser } from '../decide-identity.ts'
import { valueOfNameId } from '../named-by-directory.ts'
import type { Connection } from '../queries.ts'

/** A connection with the state of its organisation. */
export interface ConnectionToUse extends Selectable<ConnectionsTable> {
  organisationStatus: OrganisationStatus
}

/** A connection, whose id alone determines the organisation. */
export async function findConnectionToUse(database: Database, id: string): Promise<ConnectionToUse | undefined> {
  return database
    .system()
    .selectFrom('connections')
    .innerJoin('organisations', 'organisations.id', 'connections.organisationId')
    .selectAll('connections')
    .select('organisations.status as organisationStatus')
    .where('connections.id', '=', id)
    .where('organisations.status', '!=', 'cancelled')
    .executeTakeFirst()
}

/**
 * Locks a connection against changes until the end of the transaction. The session that follows locks the organisation.
 *
 * @returns undefined when it cannot be used
 */
export async function holdConnection(tenant: Tenant, id: string): Promise<Connection | undefined> {
  return tenant
    .selectFrom('connections')
    .innerJoin('organisations', 'organisations.id', 'connections.organisationId')
    .selectAll('connections')
    .where('connections.id', '=', id)
    .where('connections.isActive', '=', true)
    .where('organisations.status', 'in', runningStatuses)
    .forShare('connections')
    .executeTakeFirst()
}

/** Claims a logout token of an identity provider, once. @returns whether this is its first use */
export async function claimLogoutToken(
  tenant: Tenant,
  token: { connectionId: string; jtiHash: string; expiresAt: Date },
): Promise<boolean> {
  const inserted = await tenant
    .insertInto('logoutTokens')
    .values(token)
    .onConflict((conflict) => conflict.doNothing())
    .returning('jtiHash')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Claims an assertion or a request to sign out of an identity provider by SAML, once. @returns whether this is its first use */
export async function claimSamlMessage(
  tenant: Tenant,
  message: { connectionId: string; assertionHash: string; expiresAt: Date },
): Promise<boolean> {
  const inserted = await tenant
    .insertInto('samlUsed')
    .values(message)
    .onConflict((conflict) => conflict.doNothing())
    .returning('assertionHash')
    .executeTakeFirst()
  return inserted !== undefined
}

/** The names of sessions at a provider that begin so, by which access here has begun; a thousand at most. */
export async function listUpstreamSessions(tenant: Tenant, connectionId: string, beginning: string): Promise<string[]> {
  const { rows } = await sql<{ upstreamSession: string }>`
    select upstream_session from (
      select upstream_session from sessions where connection_id = ${connectionId} and revoked_at is null
      union select upstream_session from authorization_codes where connection_id = ${connectionId} and used_at is null
      union select upstream_session from device_codes where connection_id = ${connectionId} and used_at is null
      union select upstream_session from token_families where connection_id = ${connectionId} and revoked_at is null
      union select factor -> 'upstream' ->> 'sessionId'
        from mfa_challenges cross join lateral jsonb_array_elements(proven_factors) as factor
        where expires_at > ${tenant.now}::timestamptz and factor -> 'upstream' ->> 'connectionId' = ${connectionId}
    ) as begun (upstream_session)
    where starts_with(upstream_session, ${beginning}) limit 1000`.execute(tenant)
  return rows.map(({ upstreamSession }) => upstreamSession)
}

/**
 * The users who have begun anything by a subject of a connection: the one whose account it is, and those whose it was and who are still signed in by
 * it. After an identity is unlinked, the session of that request may remain, and another user may link it then.
 */
export async function findUsersOfSubject(tenant: Tenant, connectionId: string, subject: string): Promise<string[]> {
  const { rows } = await sql<{ userId: string }>`
    select user_id from identities where connection_id = ${connectionId} and subject = ${subject} and user_id is not null
    union select user_id from sessions
    where connection_id = ${connectionId} and upstream_subject = ${subject} and revoked_at is null and expires_at > ${tenant.now}::timestamptz
    order by user_id`.execute(tenant)
  return rows.map(({ userId }) => userId)
}

const knownUsers = (reads: SharedReads) =>
  reads
    .selectFrom('users')
    .innerJoin('organisations', 'organisations.id', 'users.organisationId')
    .select([
      'users.id',
      'users.organisationId',
      sql<boolean>`organisations.owner_id is not distinct from users.id`.as('isOwner'),
      sql<boolean>`users.blocked_at is not null`.as('isBlocked'),
      sql<boolean>`users.deleted_at is not null`.as('isDeleted'),
      sql<boolean>`users.email_verified_at is not null`.as('emailIsVerified'),
      'users.mfaEnabled',
      'organisations.ownerId',
      requirementOfUser,
    ])

type StoredUser = Omit<KnownUser, 'requiredConnectionId'> & { mfaEnabled: boolean; ownerId: string | null; requirement: Requirement | null }

function knownUser(stored: StoredUser | undefined): KnownUser | undefined {
  if (!stored) return undefined
  const { mfaEnabled, ownerId, requirement, ...user } = stored
  return { ...user, requiredConnectionId: requiredConnectionOf(requirement, { id: user.id, ownerId, mfaEnabled }) }
}

/**
 * The user of a stored identity, or the deleted user for whom its subject is reserved. One who has not signed in yet may be stored by the
 * name that a directory has for them.
 */
export async function findIdentityUser(
  database: Database,
  connection: Pick<ConnectionToUse, 'organisationId' | 'id' | 'provider' | 'configuration'>,
  subject: string,
): Promise<KnownUser | undefined> {
  const { organisationId, id } = connection
  const nameAtDirectory = valueOfNameId(connection, subject)
  const found = await knownUsers(database.system())
    .innerJoin('identities', (join) =>
      join
        .onRef('identities.organisationId', '=', 'users.organisationId')
        .on('users.id', '=', sql<string>`coalesce(identities.user_id, identities.reserved_for)`),
    )
    .where('identities.organisationId', '=', organisationId)
    .where('identities.connectionId', '=', id)
    .where('identities.subject', 'in', nameAtDirectory === undefined ? [subject] : [subject, nameAtDirectory])
    .$if(nameAtDirectory !== undefined, (identities) =>
      identities
        .where((identity) =>
          identity.or([identity('identities.subject', '=', subject), identity('identities.userId', 'is', null), isNamedByDirectory]),
        )
        .orderBy(sql`identities.subject = ${subject}`, 'desc')
        .limit(1),
    )
    .executeTakeFirst()
  return knownUser(found)
}

/**
 * Whether a directory that compares subjects calls the user of an identity by its subject. Nothing is asked of one that is reserved: the directory may
 * be gone as well, and the name that it had for a deleted user is refused like a whole subject.
 */
const isNamedByDirectory = sql<boolean>`exists (
  select from directory_users managed
  join directories on directories.organisation_id = managed.organisation_id and directories.id = managed.directory_id
  where managed.organisation_id = identities.organisation_id and managed.user_id = identities.user_id
    and managed.external_id = identities.subject and managed.deprovisioned_at is null
    and directories.connection_id = identities.connection_id and directories.user_match = 'externalId')`

/** The user who has an address, in any organisation: the address of a deleted user stays reserved. */
export async function findAddressHolder(database: Database, email: string): Promise<KnownUser | undefined> {
  return findHolderAmong(database.system(), email)
}

/** The same among the users of one organisation. */
export async function findHolderAmong(reads: SharedReads, email: string): Promise<KnownUser | undefined> {
  return knownUser(await knownUsers(reads).where('users.email', '=', email).executeTakeFirst())
}

export async function findKnownUser(tenant: Tenant, id: string): Promise<KnownUser | undefined> {
  const found = knownUsers(tenant).where('users.organisationId', '=', tenant.organisationId).where('users.id', '=', id)
  return knownUser(await found.executeTakeFirst())
}

/**
 * Whether an invitation would give a permission that the voucher of a connection does not hold now: by its role, or by the default role, which
 * takes the place of one that has been deleted.
 */
export async function invitationExceedsVoucher(tenant: Tenant, voucher: Voucher, invitationId: string): Promise<boolean> {
  const responsible = responsibleFor(voucher)
  if (!responsible) return false
  const { rows } = await sql`
    select from invitations
    join roles on roles.organisation_id = invitations.organisation_id
      and (roles.id = invitations.role_id or invitations.role_id is null and roles.is_default)
    cross join lateral unnest(roles.permission_slugs) as held (slug)
    where invitations.id = ${invitationId} and not ${isHeldBy(tenant, responsible)}
    limit 1`.execute(tenant)
  return rows.length > 0
}

/**
 * Records that the provider of a connection works: it has proven an identity, whatever becomes of that here. A sign-in is recorded at most once a
 * minute: concurrent ones must not wait for its row.
 *
 * @param use.cutsGroups whether the user came with more groups than are read
 * @param use.hasSignedIn whether the user was signed in
 */
export async function noteUse(
  tenant: Tenant,
  id: string,
  { cutsGroups, hasSignedIn }: { cutsGroups: boolean; hasSignedIn: boolean },
): Promise<void> {
  const isDue = sql<boolean>`${hasSignedIn}::boolean and (last_used_at is null or last_used_at < ${tenant.now}::timestamptz - interval '1 minute')`
  await tenant
    .updateTable('connections')
    .set({ failures: 0, failingSince: null, lastError: null, failedCheck: null, ...(hasSignedIn && { lastUsedAt: tenant.now }) })
    .set({ groupsCutSince: cutsGroups ? sql`coalesce(groups_cut_since, ${tenant.now}::timestamptz)` : null })
    .where('id', '=', id)
    .where(sql<boolean>`(failures > 0 or (groups_cut_since is not null) <> ${cutsGroups}::boolean or ${isDue})`)
    .execute()
}

/** How many consecutive failures at an identity provider make its connection count as failing. */
const failuresMax = 3

/**
 * Counts a failure of an active connection's provider. The row decides: of any number of concurrent failures one is the third.
 *
 * @returns the connection if it counts as failing from now on
 */
export async function noteFailure(
  tenant: Tenant,
  id: string,
  { error, check }: { error: string; check: string | undefined },
): Promise<Connection | undefined> {
  const connection = await tenant
    .updateTable('connections')
    .set({
      failures: sql`failures + 1`,
      lastError: error,
      failedCheck: check ?? null,
      failingSince: sql`case when failures + 1 >= ${failuresMax}::integer then coalesce(failing_since, ${tenant.now}::timestamptz) end`,
    })
    .where('id', '=', id)
    .where('isActive', '=', true)
    .returningAll()
    .executeTakeFirst()
  return connection?.failures === failuresMax ? connection : undefined
}

/** The checks of a provider's documents, with which a sign-in begins. The previous release wrote the name of the second. */
const documentChecks = ['discovery', 'discovery_issuer', 'keys', 'discovery issuer', 'metadata', 'valid_until'] satisfies (
  | ConnectionCheck
  | 'discovery issuer'
)[]

/**
 * Records that the documents could be read. If they failed last, the connection works again; nothing else is known of it.
 *
 * @returns undefined for a connection that was deleted meanwhile
 */
export async function noteDocuments(tenant: Tenant, id: string): Promise<Connection | undefined> {
  const areMended = sql`coalesce(failed_check = any(${documentChecks}::text[]), false)`
  return tenant
    .updateTable('connections')
    .set({
      documentsCheckedAt: tenant.now,
      failures: sql`case when ${areMended} then 0 else failures end`,
      failingSince: sql`case when ${areMended} then null else failing_since end`,
      lastError: sql`case when ${areMended} then null else last_error end`,
      failedCheck: sql`case when ${areMended} then null else failed_check end`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Begins a reading of a connection's metadata that is not its turn yet, if the last was ten minutes ago, or longer. */
export async function beginMetadataReading(tenant: Tenant, id: string): Promise<void> {
  await tenant
    .updateTable('connections')
    .set({ documentsCheckedAt: tenant.now })
    .where('id', '=', id)
    .where(sql<boolean>`coalesce(documents_checked_at, created_at) <= ${secondsBefore(tenant.now, 10 * 60)}::timestamptz`)
    .execute()
}

/** Postpones the next reading of documents, as if the last had been at this time. */
export async function putOffDocuments(tenant: Tenant, id: string, checkedAt: Date): Promise<void> {
  await tenant.updateTable('connections').set({ documentsCheckedAt: checkedAt }).where('id', '=', id).execute()
}

/** Brings forward readings of documents that were made before the clock was set back: the next one is due half a day after now. */
export async function bringDocumentsForward(system: System): Promise<void> {
  await system.updateTable('connections').set({ documentsCheckedAt: system.now }).where('documentsCheckedAt', '>', system.now).execute()
}

/** Active connections of running organisations that existed at this time and whose documents have not been read since; the oldest first. */
export async function connectionsToRefresh(
  system: System,
  before: Date,
  limit: number,
  except: readonly string[] = [],
): Promise<Connection[]> {
  return (
    system
      .selectFrom('connections')
      .innerJoin('organisations', 'organisations.id', 'connections.organisationId')
      .selectAll('connections')
      .where('organisations.status', 'in', runningStatuses)
      // As connections_with_documents_index has it.
      .where(
        sql<boolean>`connections.is_active and connections.provider <> 'github'
        and (connections.provider <> 'saml' or connections.configuration ? 'metadataUrl')`,
      )
      .where(sql<boolean>`coalesce(connections.documents_checked_at, connections.created_at) <= ${before}`)
      .where(sql<boolean>`connections.id <> all(${except}::text[])`)
      .orderBy(sql`coalesce(connections.documents_checked_at, connections.created_at)`)
      .limit(limit)
      .execute()
  )
}

/** Active connections by SAML of running organisations, in the order of their ids. */
export async function listSamlConnections(system: System, afterId: string, limit: number): Promise<Connection[]> {
  return system
    .selectFrom('connections')
    .innerJoin('organisations', 'organisations.id', 'connections.organisationId')
    .selectAll('connections')
    .where('organisations.status', 'in', runningStatuses)
    .where('connections.isActive', '=', true)
    .where('connections.provider', '=', 'saml')
    .where('connections.id', '>', afterId)
    .orderBy('connections.id')
    .limit(limit)
    .execute()
}

/**
 * Claims a warning about a connection, once, unless the connection has been changed since it was read.
 *
 * @returns whether this call did
 */
export async function claimCertificateWarning(
  tenant: Tenant,
  { id, updatedAt }: Pick<Connection, 'id' | 'updatedAt'>,
  certificateWarning: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tenant
    .updateTable('connections')
    .set({ certificateWarning })
    .where('id', '=', id)
    .where('isActive', '=', true)
    .where('updatedAt', '=', updatedAt)
    .where('certificateWarning', 'is distinct from', certificateWarning)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
