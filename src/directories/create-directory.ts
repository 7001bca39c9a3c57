import type { Caller } from '../access/caller.ts'
import { holdCallerWith, lockUserOfCaller } from '../access/hold-caller.ts'
import { record } from '../activity/record.ts'
import { isConnection } from '../domains/queries.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { requireEveryHeldPermission } from '../roles/require-every-held-permission.ts'
import { givenByDirectory } from '../roles/rules.ts'
import { voucherOf } from '../roles/vouchers.ts'
import { namedGroupMappings } from './group-mappings.ts'
import { directoryInHistory } from './present-directory.ts'
import { type DirectorySettings, getDirectory, insertDirectory, lockAndCountDirectories, type WholeDirectory } from './queries.ts'
import { connectionNotFound, matchNeedsConnection, tooManyDirectories } from './refusals.ts'
import type { NewDirectory } from './schemas.ts'

const directoriesMax = 20

/**
 * Creates a directory, which manages nothing until it has a token.
 *
 * @throws Problem `bad-request` naming each unknown role and team, for a match without connection, and the 21st directory; `not-found` for
 *   an unknown connection; `forbidden` when the caller lacks a permission that another user than the owner holds, or that a mapping gives;
 *   `conflict` when the name is taken
 * @param andThen what belongs to the same transaction
 */
export async function createDirectory(
  database: Database,
  caller: Caller,
  input: NewDirectory,
  andThen?: (tenant: Tenant, directory: { id: string }) => Promise<void>,
): Promise<WholeDirectory> {
  return database.transaction(caller.organisationId, async (tenant) => {
    await lockUserOfCaller(tenant, caller)
    const settings = { ...input, groupMappings: await namedGroupMappings(tenant, input.groupMappings) }
    await requireMatchable(tenant, settings)
    await requireEveryHeldPermission(tenant, caller, givenByDirectory(settings))
    if ((await lockAndCountDirectories(tenant)) >= directoriesMax) throw tooManyDirectories()
    await holdCallerWith(tenant, caller, 'directories:create')
    const directory = await insertDirectory(tenant, {
      ...settings,
      ...voucherOf(caller),
      awaitsActivation: caller.kind === 'setup-link' && !settings.isActive,
    })
    await record(tenant, caller.actor, { action: 'directory.created', directory: directoryInHistory(directory) })
    await andThen?.(tenant, directory)
    return getDirectory(tenant, directory.id)
  })
}

/**
 * Refuses a match by subjects without the connection that they are of, which is locked against deletion.
 *
 * @throws Problem `not-found` for an unknown connection, `bad-request` without one
 */
export async function requireMatchable(
  tenant: Tenant,
  { userMatch, connectionId }: Pick<DirectorySettings, 'userMatch' | 'connectionId'>,
): Promise<void> {
  if (connectionId !== null && !(await isConnection(tenant, connectionId))) throw connectionNotFound()
  if (userMatch === 'externalId' && connectionId === null) throw matchNeedsConnection()
}
