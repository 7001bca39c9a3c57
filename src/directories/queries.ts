import { type Selectable, sql } from 'kysely'
import { refuseViolation } from '../platform/database/constraints.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { DirectoriesTable, DirectoryTokensTable } from '../platform/database/tables.ts'
import { newId } from '../platform/ids.ts'
import type { Voucher } from '../roles/vouchers.ts'
import { directoryNameTaken, directoryNotFound } from './refusals.ts'

export type Directory = Selectable<DirectoriesTable>
export type StoredToken = Omit<Selectable<DirectoryTokensTable>, 'organisationId' | 'tokenHash'>

const tokenColumns = ['id', 'directoryId', 'prefix', 'expiresAt', 'lastUsedAt', 'createdAt'] as const

/** A directory with what it manages and its tokens. */
export interface WholeDirectory {
  directory: Directory
  tokens: StoredToken[]
  counts: { users: number; groups: number }
}

type RowWithCounts = Directory & { users: number; groupCount: number }

/** All directories, the oldest first. An organisation has few. */
export async function listDirectories(tenant: Tenant): Promise<(WholeDirectory & { id: string })[]> {
  return withTokens(tenant, await withCounts(tenant).orderBy('directories.id').execute())
}

/**
 * Counts what the directory manages, which takes longer the more that is: never by `pointReads`.
 *
 * @throws Problem `not-found`
 */
export async function getDirectory(tenant: Tenant, id: string): Promise<WholeDirectory> {
  const [found] = await withTokens(tenant, await withCounts(tenant).where('directories.id', '=', id).execute())
  if (!found) throw directoryNotFound()
  return found
}

/** @throws Problem `not-found` */
export async function requireDirectory(tenant: Tenant, id: string): Promise<void> {
  const found = await tenant.selectFrom('directories').select('id').where('id', '=', id).executeTakeFirst()
  if (!found) throw directoryNotFound()
}

/** The users whom directories manage now, deleted ones left out: `managed` is the row of the directory. A condition on it may follow. */
export const managedUsers = sql`
  directory_users managed
  join users on users.organisation_id = managed.organisation_id and users.id = managed.user_id and users.deleted_at is null
  where managed.deprovisioned_at is null`

const withCounts = (tenant: Tenant) =>
  tenant
    .selectFrom('directories')
    .selectAll('directories')
    .select([
      sql<number>`(select count(*) from ${managedUsers}
        and managed.organisation_id = directories.organisation_id and managed.directory_id = directories.id)`.as('users'),
      sql<number>`(select count(*) from directory_groups sent
        where sent.organisation_id = directories.organisation_id and sent.directory_id = directories.id)`.as('groupCount'),
    ])

async function withTokens(tenant: Tenant, rows: RowWithCounts[]): Promise<(WholeDirectory & { id: string })[]> {
  const ids = rows.map(({ id }) => id)
  const tokens =
    ids.length === 0
      ? []
      : await tenant.selectFrom('directoryTokens').select(tokenColumns).where('directoryId', 'in', ids).orderBy('id').execute()
  return rows.map(({ users, groupCount, ...directory }) => ({
    id: directory.id,
    directory,
    tokens: tokens.filter(({ directoryId }) => directoryId === directory.id),
    counts: { users: Number(users), groups: Number(groupCount) },
  }))
}

/**
 * The directory, whose row stays locked until the end of the transaction.
 *
 * @throws Problem `not-found`
 */
export async function lockDirectory(tenant: Tenant, id: string): Promise<Directory> {
  const directory = await tenant.selectFrom('directories').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!directory) throw directoryNotFound()
  return directory
}

/** Counts the directories. Locks the organisation's row until the end of the transaction, so that none is added meanwhile. */
export async function lockAndCountDirectories(tenant: Tenant): Promise<number> {
  await tenant.selectFrom('organisations').select('id').forNoKeyUpdate().execute()
  const { count } = await tenant.selectFrom('directories').select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  return Number(count)
}

/** The settings of a directory that can be changed. */
export type DirectorySettings = Pick<
  Directory,
  'name' | 'isActive' | 'connectionId' | 'userMatch' | 'emailChanges' | 'deletes' | 'groups' | 'groupMappings'
>

/** @throws Problem `conflict` when the name is taken */
export async function insertDirectory(
  tenant: Tenant,
  { groupMappings, ...settings }: DirectorySettings & Pick<Directory, 'awaitsActivation' | keyof Voucher>,
): Promise<Directory> {
  return tenant
    .insertInto('directories')
    .values({
      ...settings,
      id: newId('dir', tenant.now),
      groupMappings: JSON.stringify(groupMappings),
      createdAt: tenant.now,
      updatedAt: tenant.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(refuseViolation({ directories_name_key: directoryNameTaken }))
}

/** @throws Problem `conflict` when the name is taken */
export async function updateDirectory(
  tenant: Tenant,
  id: string,
  { groupMappings, ...settings }: Partial<DirectorySettings & Voucher>,
): Promise<Directory> {
  return tenant
    .updateTable('directories')
    .set({
      ...settings,
      ...(settings.isActive && { awaitsActivation: false }),
      ...(groupMappings && { groupMappings: JSON.stringify(groupMappings) }),
      updatedAt: tenant.now,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(refuseViolation({ directories_name_key: directoryNameTaken }))
}

/** Notes who vouches for a directory from now on. Its settings stay, and so does its version. */
export async function storeVoucher(tenant: Tenant, id: string, voucher: Voucher): Promise<void> {
  await tenant.updateTable('directories').set(voucher).where('id', '=', id).execute()
}

export async function deleteDirectoryRow(tenant: Tenant, id: string): Promise<void> {
  await tenant.deleteFrom('directories').where('id', '=', id).execute()
}

export async function listTokens(tenant: Tenant, directoryId: string): Promise<StoredToken[]> {
  return tenant.selectFrom('directoryTokens').select(tokenColumns).where('directoryId', '=', directoryId).execute()
}

/** The number of tokens of a directory that still work. The directory is locked. */
export async function countLiveTokens(tenant: Tenant, directoryId: string): Promise<number> {
  const { count } = await tenant
    .selectFrom('directoryTokens')
    .select(sql<number>`count(*)`.as('count'))
    .where('directoryId', '=', directoryId)
    .where((token) => token.or([token('expiresAt', 'is', null), token('expiresAt', '>', tenant.now)]))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertToken(
  tenant: Tenant,
  token: Pick<StoredToken, 'directoryId' | 'prefix' | 'expiresAt'> & { tokenHash: string },
): Promise<StoredToken> {
  return tenant
    .insertInto('directoryTokens')
    .values({ id: newId('dtk', tenant.now), ...token, createdAt: tenant.now })
    .returning(tokenColumns)
    .executeTakeFirstOrThrow()
}

/** Has the tokens of a directory end at a time, if they do not end before. */
export async function endTokensAt(tenant: Tenant, directoryId: string, at: Date): Promise<void> {
  await tenant
    .updateTable('directoryTokens')
    .set({ expiresAt: at })
    .where('directoryId', '=', directoryId)
    .where((token) => token.or([token('expiresAt', 'is', null), token('expiresAt', '>', at)]))
    .execute()
}

/** Removes the tokens of a directory that have expired. */
export async function removeExpiredTokens(tenant: Tenant, directoryId: string): Promise<void> {
  await tenant.deleteFrom('directoryTokens').where('directoryId', '=', directoryId).where('expiresAt', '<=', tenant.now).execute()
}

/** @returns the token that this call deleted; undefined when it deleted none */
export async function claimTokenDeletion(tenant: Tenant, directoryId: string, id: string): Promise<StoredToken | undefined> {
  return tenant
    .deleteFrom('directoryTokens')
    .where('directoryId', '=', directoryId)
    .where('id', '=', id)
    .returning(tokenColumns)
    .executeTakeFirst()
}
