import type { Kysely } from 'kysely'
import { addPermissions, type NewPermission } from './add-permissions.ts'

/**
 * The permissions for connections to identity providers and for domains, in the catalogue and in every owner role. An operator may
 * have added one of these slugs already: then it becomes the service's own, and every role that holds it keeps it.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await addPermissions(database, 'organisation', permissions)
}

const permissions: readonly NewPermission[] = [
  ['connections:read', 'Read connections', 'List connections to identity providers'],
  ['connections:create', 'Create connections', 'Connect identity providers'],
  ['connections:update', 'Update connections', 'Change connections to identity providers, rotate their secrets'],
  ['connections:delete', 'Delete connections', 'Delete connections to identity providers'],
  ['domains:read', 'Read domains', 'List the domains of the organisation'],
  ['domains:update', 'Update domains', 'Add, verify, change and remove domains of the organisation'],
]
