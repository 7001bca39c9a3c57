import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { beginningOfNameId, type NamingConnection, subjectNamed } from '../../connections/named-by-directory.ts'
import { getConnection } from '../../connections/queries.ts'
import { refuseViolation } from '../../platform/database/constraints.ts'
import type { Tenant } from '../../platform/database/database.ts'
import { plannedEachTime } from '../../platform/database/planned-each-time.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { Directory } from './directory.ts'
import { externalIdTaken, userNameTaken } from './scim-refusals.ts'

/** A user as a directory sees them, with what it has stored of them if it manages them. */
export interface SeenUser {
  id: string
  email: string
  firstName: string
  lastName: string
  name: string
  phone: string | null
  blockedAt: Date | null
  createdAt: Date
  updatedAt: Date
  isOwner: boolean
  managed: ManagedUser | undefined
  /** Undefined when they have not been read. */
  groups: readonly GroupOfUser[] | undefined
}

export interface ManagedUser {
  userName: string
  externalId: string | null
  attributes: JsonObject
  version: number
  /** The `blockedAt` that the directory gave the user. One that is later than that of the account awaits the end of another's block. */
  blockedAt: Date | null
  updatedAt: Date
}

interface GroupOfUser {
  value: string
  display: string
}

type SeenRow = Omit<SeenUser, 'managed' | 'groups'> & {
  managedUserName: string | null
  managedExternalId: string | null
  managedAttributes: JsonObject | null
  managedVersion: number | null
  managedBlockedAt: Date | null
  managedUpdatedAt: Date | null
  groups: GroupOfUser[] | null
}

/** The users `u` of the organisation, and what a directory manages of them as `m`. */
const ofOrganisation = ({ id, organisationId }: Directory) => sql`
  from users u
  left join directory_users m on m.organisation_id = u.organisation_id and m.user_id = u.id and m.directory_id = ${id}
  where u.organisation_id = ${organisationId}`

/** Whether a directory sees one of these users. */
const isSeen = ({ organisationId }: Directory) => sql`
  u.deleted_at is null and m.deprovisioned_at is null and (
    m.user_id is not null
    or split_part(u.email, '@', 2) in (
      select d.domain from organisation_domains d where d.organisation_id = ${organisationId} and d.status = 'verified')
    or u.id = (select o.owner_id from organisations o where o.id = ${organisationId}))`

const seenBy = (directory: Directory) => sql`${ofOrganisation(directory)} and ${isSeen(directory)}`

const groupsOf = ({ id }: Directory) => sql`(
  select coalesce(json_agg(json_build_object('value', g.id, 'display', g.display_name) order by g.id), '[]')
  from directory_group_members gm join directory_groups g on g.organisation_id = gm.organisation_id and g.id = gm.group_id
  where gm.organisation_id = u.organisation_id and gm.user_id = u.id and g.directory_id = ${id})`

interface UsersToRead {
  condition: RawBuilder<SqlBool>
  offset?: number
  limit: number
  withGroups: boolean
}

export async function readUsers(
  tenant: Tenant,
  directory: Directory,
  { condition, offset = 0, limit, withGroups }: UsersToRead,
): Promise<SeenUser[]> {
  const { rows } = await sql<SeenRow>`${sql.raw(plannedEachTime)}
    select u.id, u.email, u.first_name, u.last_name, u.name, u.phone, u.blocked_at, u.created_at, u.updated_at,
      u.id = (select o.owner_id from organisations o where o.id = u.organisation_id) as is_owner,
      m.user_name as managed_user_name, m.external_id as managed_external_id, m.attributes as managed_attributes,
      m.version as managed_version, m.blocked_at as managed_blocked_at, m.updated_at as managed_updated_at,
      ${withGroups ? groupsOf(directory) : sql`null`} as groups
    ${seenBy(directory)} and ${condition}
    order by u.id limit ${limit} offset ${offset}`.execute(tenant)
  return rows.map(seenUserOf)
}

function seenUserOf(row: SeenRow): SeenUser {
  const { managedUserName, managedExternalId, managedAttributes, managedVersion, managedBlockedAt, managedUpdatedAt, groups, ...user } = row
  const managed =
    managedUserName === null
      ? undefined
      : {
          userName: managedUserName,
          externalId: managedExternalId,
          attributes: managedAttributes as JsonObject,
          version: managedVersion as number,
          blockedAt: managedBlockedAt,
          updatedAt: managedUpdatedAt as Date,
        }
  return { ...user, managed, groups: groups ?? undefined }
}

export async function countUsers(tenant: Tenant, directory: Directory, condition: RawBuilder<SqlBool>): Promise<number> {
  const { rows } = await sql<{ total: number }>`${sql.raw(plannedEachTime)}
    select count(*)::int as total ${seenBy(directory)} and ${condition}`.execute(tenant)
  return rows[0]?.total ?? 0
}

const isUser = (id: string): RawBuilder<SqlBool> => sql<SqlBool>`u.id = ${id}`

export async function findSeenUser(tenant: Tenant, directory: Directory, id: string, withGroups: boolean): Promise<SeenUser | undefined> {
  const [user] = await readUsers(tenant, directory, { condition: isUser(id), limit: 1, withGroups })
  return user
}

/**
 * Locks these users until the end of the transaction, also those whom the directory does not see: a deleted member who is restored meanwhile
 * locks the groups, too.
 *
 * @returns those whom the directory sees
 */
export async function lockMembers(
  tenant: Tenant,
  directory: Directory,
  ids: readonly string[],
): Promise<{ id: string; isOwner: boolean }[]> {
  if (ids.length === 0) return []
  await sql`
    select from users u where u.organisation_id = ${tenant.organisationId} and u.id = any(${ids}::text[]) order by u.id for update`.execute(
    tenant,
  )
  const { rows } = await sql<{ id: string; isOwner: boolean }>`
    select u.id, u.id = (select o.owner_id from organisations o where o.id = u.organisation_id) as is_owner
    ${seenBy(directory)} and u.id = any(${ids}::text[])`.execute(tenant)
  return rows
}

/** The name of another directory that manages the user. */
export async function findOtherManager(tenant: Tenant, directory: Directory, userId: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select d.name from directory_users m join directories d on d.organisation_id = m.organisation_id and d.id = m.directory_id
    where m.organisation_id = ${tenant.organisationId} and m.user_id = ${userId} and m.directory_id <> ${directory.id}
      and m.deprovisioned_at is null`.execute(tenant)
  return rows[0]?.name
}

/** Which users the names of a new user mean, by the name that means them. Deprovisioned ones are among them. */
export interface MeantUsers {
  byExternalId: string | null
  byIdentity: string | null
  byUserName: string | null
  byAddress: string | null
}

export async function findMeant(
  tenant: Tenant,
  { id, connectionId, userMatch }: Directory,
  { userName, externalId, email }: { userName: string; externalId: string | null; email: string },
): Promise<MeantUsers> {
  const managed = sql`
    select m.user_id from directory_users m
    join users u on u.organisation_id = m.organisation_id and u.id = m.user_id and u.deleted_at is null
    where m.organisation_id = ${tenant.organisationId} and m.directory_id = ${id}`
  const isAccount =
    userMatch === 'externalId' && externalId !== null && connectionId !== null
      ? isAccountNamed(await getConnection(tenant, connectionId), externalId)
      : sql`false`
  const { rows } = await sql<MeantUsers>`
    select (${managed} and m.external_id = ${externalId}::text) as by_external_id,
      (select i.user_id from identities i
        where i.organisation_id = ${tenant.organisationId} and i.connection_id = ${connectionId}::text and i.user_id is not null
          and ${isAccount} limit 1
      ) as by_identity,
      (${managed} and m.user_name_key = lower(${userName}::text)) as by_user_name,
      (select u.id from users u where u.organisation_id = ${tenant.organisationId} and u.email = ${email} and u.deleted_at is null
      ) as by_address`.execute(tenant)
  return rows[0] as MeantUsers
}

/** Whether an identity `i` of a connection is the account that a directory calls so. */
function isAccountNamed(connection: NamingConnection, externalId: string): RawBuilder<unknown> {
  const isSubject = sql`i.subject = ${subjectNamed(connection, externalId)}::text`
  const beginning = beginningOfNameId(connection, externalId)
  return beginning === undefined ? isSubject : sql`(${isSubject} or starts_with(i.subject, ${beginning}::text))`
}

export interface ManagedToStore {
  userName: string
  externalId: string | null
  attributes: JsonObject
  blockedAt: Date | null
}

/**
 * Stores what the directory says of a user, who is managed by it from then on.
 *
 * @param former the names that the user has had so far
 * @returns the deprovisioned user from whom the `externalId` was taken
 * @throws ScimError `uniqueness`
 */
export async function storeManaged(
  tenant: Tenant,
  directoryId: string,
  userId: string,
  stored: ManagedToStore,
  former?: Pick<ManagedUser, 'userName' | 'externalId'>,
): Promise<string | undefined> {
  const { userName, externalId, attributes, blockedAt } = stored
  const isRenamed = former?.userName !== userName || former.externalId !== externalId
  const formerHolder = isRenamed ? await freeNames(tenant, directoryId, userId, stored) : undefined
  await sql`
    insert into directory_users (directory_id, user_id, user_name, external_id, attributes, blocked_at, created_at, updated_at)
    values (${directoryId}, ${userId}, ${userName}, ${externalId}, ${JSON.stringify(attributes)}::jsonb, ${blockedAt}, ${tenant.now}, ${tenant.now})
    on conflict (organisation_id, directory_id, user_id) do update set user_name = excluded.user_name, external_id = excluded.external_id,
      attributes = excluded.attributes, blocked_at = excluded.blocked_at, deprovisioned_at = null, version = directory_users.version + 1,
      updated_at = excluded.updated_at`
    .execute(tenant)
    .catch(
      refuseViolation({
        directory_users_user_name_key: userNameTaken,
        directory_users_external_id_key: externalIdTaken,
      }),
    )
  return formerHolder
}

/**
 * Takes these names from users who are deleted for the directory: RFC 7644 §3.6 leaves them out of conflicts. A deprovisioned one is found
 * by their address from then on, and one whom an administrator has deleted is managed no more, so that two users never have a name.
 *
 * @returns the deprovisioned user who had the `externalId`
 */
async function freeNames(
  tenant: Tenant,
  directoryId: string,
  userId: string,
  { userName, externalId }: Pick<ManagedToStore, 'userName' | 'externalId'>,
): Promise<string | undefined> {
  const ofGone = sql`
    from directory_users m join users u on u.organisation_id = m.organisation_id and u.id = m.user_id
    where m.organisation_id = ${tenant.organisationId} and m.directory_id = ${directoryId} and m.user_id <> ${userId}
      and (m.user_name_key = lower(${userName}::text) or m.external_id = ${externalId}::text)
      and (m.deprovisioned_at is not null or u.deleted_at is not null)`
  // Locked by a statement of its own: the next one sees whom another request has provisioned again or restored meanwhile. Who they are is
  // known only once the organisation is held: beside a change of it and of them, the database lets one of the two begin again.
  const { rows: locked } = await sql`select ${ofGone} order by u.id for update of u`.execute(tenant)
  if (locked.length === 0) return undefined
  const { rows } = await sql<{ id: string; hasId: boolean | null }>`
    with gone as (
      select m.user_id, u.deleted_at, m.user_name_key = lower(${userName}::text) as has_name, m.external_id = ${externalId}::text as has_id
      ${ofGone}
    ), forgotten as (
      delete from directory_users m using gone
      where m.organisation_id = ${tenant.organisationId} and m.directory_id = ${directoryId} and m.user_id = gone.user_id
        and gone.deleted_at is not null
    )
    update directory_users m set user_name = case when gone.has_name then m.user_id else m.user_name end,
      external_id = case when gone.has_id then null else m.external_id end
    from gone
    where m.organisation_id = ${tenant.organisationId} and m.directory_id = ${directoryId} and m.user_id = gone.user_id
      and m.deprovisioned_at is not null and gone.deleted_at is null
    returning m.user_id as id, gone.has_id`.execute(tenant)
  return rows.find(({ hasId }) => hasId)?.id
}

/** What is stored of a user whom the directory manages, or has managed. */
export async function findFormerlyManaged(
  tenant: Tenant,
  directoryId: string,
  userId: string,
): Promise<(ManagedUser & { isManaged: boolean }) | undefined> {
  const row = await tenant
    .selectFrom('directoryUsers')
    .select(['userName', 'externalId', 'attributes', 'version', 'blockedAt', 'updatedAt', 'deprovisionedAt'])
    .where('directoryId', '=', directoryId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row && { ...row, attributes: row.attributes as JsonObject, isManaged: row.deprovisionedAt === null }
}

/** Notes a block of a user that the directory cannot lift. @returns whether it was not noted before */
export async function noteIgnoredBlock(
  tenant: Tenant,
  directoryId: string,
  { id: userId, blockedAt }: { id: string; blockedAt: Date | null },
): Promise<boolean> {
  const { numUpdatedRows } = await tenant
    .updateTable('directoryUsers')
    .set({ ignoredBlockAt: blockedAt })
    .where('directoryId', '=', directoryId)
    .where('userId', '=', userId)
    .where('ignoredBlockAt', 'is distinct from', blockedAt)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends the management of a user, whom the directory finds again when it sends them once more. */
export async function markDeprovisioned(tenant: Tenant, directoryId: string, userId: string, blockedAt: Date | null): Promise<void> {
  await tenant
    .updateTable('directoryUsers')
    .set({ deprovisionedAt: tenant.now, blockedAt, updatedAt: tenant.now })
    .where('directoryId', '=', directoryId)
    .where('userId', '=', userId)
    .execute()
}

/** Notes the `blockedAt` that a directory has given a user, or gives them once the block of another is lifted; null once it has lifted its block. */
export async function storeOwnBlock(tenant: Tenant, directoryId: string, userId: string, blockedAt: Date | null): Promise<void> {
  await tenant
    .updateTable('directoryUsers')
    .set({ blockedAt })
    .where('directoryId', '=', directoryId)
    .where('userId', '=', userId)
    .execute()
}

export async function forgetManaged(tenant: Tenant, directoryId: string, userId: string): Promise<void> {
  await tenant.deleteFrom('directoryUsers').where('directoryId', '=', directoryId).where('userId', '=', userId).execute()
}

/** Removes a user from the groups of a directory, which are new versions then. */
export async function leaveGroups(tenant: Tenant, directoryId: string, userId: string): Promise<void> {
  await sql`
    with held as (
      select g.id from directory_groups g
      join directory_group_members gm on gm.organisation_id = g.organisation_id and gm.group_id = g.id
      where g.organisation_id = ${tenant.organisationId} and g.directory_id = ${directoryId} and gm.user_id = ${userId}
      order by g.id for update of g
    ), renewed as (
      update directory_groups g set version = g.version + 1, updated_at = ${tenant.now} from held
      where g.organisation_id = ${tenant.organisationId} and g.id = held.id
    )
    delete from directory_group_members gm using held
    where gm.organisation_id = ${tenant.organisationId} and gm.group_id = held.id and gm.user_id = ${userId}`.execute(tenant)
}

/** Whether the organisation has verified the domain of an address. It stays as it is until the commit. */
export async function isOfVerifiedDomain(tenant: Tenant, email: string): Promise<boolean> {
  const domain = await tenant
    .selectFrom('organisationDomains')
    .select('id')
    .where('domain', '=', email.slice(email.lastIndexOf('@') + 1))
    .where('status', '=', 'verified')
    .forShare()
    .executeTakeFirst()
  return domain !== undefined
}
