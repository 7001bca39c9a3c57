/** Accounts of users at identity providers. A subject without a user is reserved for a deleted one. */
import { type Selectable, sql } from 'kysely'
import { connectionSignsIn } from '../organisations/signs-in-by-connection.ts'
import type { System, Tenant } from '../platform/database/database.ts'
import type { ConnectionsTable, IdentitiesTable } from '../platform/database/tables.ts'
import { newId } from '../platform/ids.ts'

export async function countIdentities(tenant: Tenant, connectionId: string): Promise<number> {
  const { count } = await tenant
    .selectFrom('identities')
    .select(sql<number>`count(user_id)`.as('count'))
    .where('connectionId', '=', connectionId)
    .executeTakeFirstOrThrow()
  return count
}

type IdentityOf<Connection> = Pick<Selectable<IdentitiesTable>, 'id' | 'subject' | 'email' | 'createdAt' | 'lastUsedAt'> & {
  connection: Connection
}

type NamedConnection = Pick<Selectable<ConnectionsTable>, 'id' | 'slug' | 'name' | 'provider' | 'isActive'>

/** An account of a user at an identity provider, as it is shown. */
export type PresentedIdentity = IdentityOf<NamedConnection>

/** An account of a user at an identity provider, with its connection, and whether that one is active and has its secret. */
export type Identity = IdentityOf<NamedConnection & { signsIn: boolean }>

/** The identities of a user, the oldest first. A user has few. */
export async function listIdentities(tenant: Tenant, userId: string): Promise<Identity[]> {
  return tenant
    .selectFrom('identities')
    .innerJoin('connections', (join) =>
      join.onRef('connections.organisationId', '=', 'identities.organisationId').onRef('connections.id', '=', 'identities.connectionId'),
    )
    .select(['identities.id', 'identities.subject', 'identities.email', 'identities.createdAt', 'identities.lastUsedAt'])
    .select(
      sql<Identity['connection']>`json_build_object('id', connections.id, 'slug', connections.slug, 'name', connections.name,
        'provider', connections.provider, 'isActive', connections.is_active, 'signsIn', ${connectionSignsIn()})`.as('connection'),
    )
    .where('identities.userId', '=', userId)
    .orderBy('identities.id')
    .execute()
}

export async function deleteIdentity(tenant: Tenant, id: string): Promise<void> {
  await tenant.deleteFrom('identities').where('id', '=', id).execute()
}

export interface IdentityToStore {
  connectionId: string
  subject: string
  email: string | undefined
  claims: Readonly<Record<string, unknown>>
}

/**
 * @param lastUsedAt null where no user has signed in with it yet, as with one that a directory names
 * @returns undefined when the identity has a user already, or is reserved
 */
export async function insertIdentity(
  tenant: Tenant,
  userId: string,
  { connectionId, subject, email, claims, lastUsedAt }: IdentityToStore & { lastUsedAt: Date | null },
) {
  return tenant
    .insertInto('identities')
    .values({
      id: newId('idn', tenant.now),
      connectionId,
      subject,
      userId,
      email: email ?? null,
      claims: JSON.stringify(claims),
      createdAt: tenant.now,
      lastUsedAt,
    })
    .onConflict((conflict) => conflict.constraint('identities_subject_key').doNothing())
    .returning(['id', 'email', 'createdAt', 'lastUsedAt'])
    .executeTakeFirst()
}

/** Records a sign-in with an identity. @returns whether the identity is still this user's */
export async function updateIdentity(
  tenant: Tenant,
  userId: string,
  { connectionId, subject, email, claims }: IdentityToStore,
): Promise<boolean> {
  // Lock the user first, as the deletion of a user does: the opposite order would deadlock.
  const { numAffectedRows = 0n } = await sql`
    with holder as (select id from users where id = ${userId} for update)
    update identities set email = ${email ?? null}, claims = ${JSON.stringify(claims)}, last_used_at = ${tenant.now}
    from holder
    where identities.user_id = holder.id and connection_id = ${connectionId} and subject = ${subject}`.execute(tenant)
  return numAffectedRows > 0n
}

/**
 * Gives an identity of a user another subject: the whole of a name of which a directory has said a part.
 *
 * @returns whether the user had the former one
 */
export async function renameSubject(
  tenant: Tenant,
  userId: string,
  { connectionId, from, to }: { connectionId: string; from: string; to: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tenant
    .updateTable('identities')
    .set({ subject: to })
    .where('userId', '=', userId)
    .where('connectionId', '=', connectionId)
    .where('subject', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The subjects of a connection that have a user, or are reserved. */
export async function listSubjects(tenant: Tenant, connectionId: string): Promise<string[]> {
  const rows = await tenant.selectFrom('identities').select('subject').where('connectionId', '=', connectionId).execute()
  return rows.map(({ subject }) => subject)
}

/** Whether a subject that begins so is another user's, or is reserved. */
export async function isSubjectOfAnother(
  tenant: Tenant,
  userId: string,
  { connectionId, ...named }: { connectionId: string } & ({ subject: string } | { beginning: string }),
): Promise<boolean> {
  const isNamed = 'subject' in named ? sql`subject = ${named.subject}` : sql`starts_with(subject, ${named.beginning}::text)`
  const { rows } = await sql`
    select from identities where organisation_id = ${tenant.organisationId} and connection_id = ${connectionId}
      and user_id is distinct from ${userId}::text and ${isNamed} limit 1`.execute(tenant)
  return rows.length > 0
}

/**
 * Stores an identity for each of these users, which none has used yet, but none that has a user already, or is reserved.
 *
 * @returns those that were stored
 */
export async function insertIdentities(
  tenant: Tenant,
  connectionId: string,
  given: readonly { userId: string; subject: string }[],
): Promise<{ id: string; userId: string; subject: string }[]> {
  const [userIds, subjects] = [given.map(({ userId }) => userId), given.map(({ subject }) => subject)]
  const { rows } = await sql<{ id: string; userId: string; subject: string }>`
    insert into identities (id, connection_id, subject, user_id, claims, created_at)
    select new_id('idn', ${tenant.now}), ${connectionId}, given.subject, given.user_id, '{}', ${tenant.now}::timestamptz
    from unnest(${userIds}::text[], ${subjects}::text[]) as given (user_id, subject)
    on conflict on constraint identities_subject_key do nothing
    returning id, user_id, subject`.execute(tenant)
  return rows
}

/** Reduces the identities of a user who is being deleted to their subjects, which are refused from then on. */
export async function reserveSubjects(tenant: Tenant, userId: string): Promise<void> {
  await tenant
    .updateTable('identities')
    .set({ userId: null, reservedFor: userId, email: null, claims: '{}', lastUsedAt: null })
    .where('userId', '=', userId)
    .execute()
}

/** Deletes the subjects of a user who is being restored or erased, and every account that is still linked to them. */
export async function releaseSubjects(
  reads: Tenant | System,
  { organisationId, userId }: { organisationId: string; userId: string },
): Promise<void> {
  await sql`
    delete from identities where organisation_id = ${organisationId} and ${userId} in (user_id, reserved_for)`.execute(reads)
}
