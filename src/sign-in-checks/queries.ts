import { sql } from 'kysely'
import type { ConnectionToUse } from '../connections/federation/queries.ts'
import type { Tenant } from '../platform/database/database.ts'

/** The name of the directory that gave a user the block that they have; undefined when anything else has blocked them. */
export async function findDeactivatingDirectory(tenant: Tenant, userId: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select directories.name from directory_users managed
    join users on users.organisation_id = managed.organisation_id and users.id = managed.user_id and users.blocked_at = managed.blocked_at
    join directories on directories.organisation_id = managed.organisation_id and directories.id = managed.directory_id
    where managed.organisation_id = ${tenant.organisationId} and managed.user_id = ${userId}`.execute(tenant)
  return rows[0]?.name
}

/** A connection by which a user may sign in. */
export interface ConnectionToCheck extends ConnectionToUse {
  /** Whether an account at its provider is linked to the user. */
  isLinked: boolean
}

/**
 * The requested connection; without one, the connections that are linked to the user's account and the one that the domain of the address
 * leads to. The oldest comes first; a user has few.
 */
export async function connectionsToCheck(
  tenant: Tenant,
  {
    userId,
    connectionId,
    domainConnectionId,
  }: { userId: string | undefined; connectionId: string | undefined; domainConnectionId: string | null },
): Promise<ConnectionToCheck[]> {
  const isLinked = sql<boolean>`exists (
    select from identities i
    where i.organisation_id = connections.organisation_id and i.connection_id = connections.id and i.user_id = ${userId ?? null}::text)`
  return tenant
    .selectFrom('connections')
    .innerJoin('organisations', 'organisations.id', 'connections.organisationId')
    .selectAll('connections')
    .select(['organisations.status as organisationStatus', isLinked.as('isLinked')])
    .$if(connectionId !== undefined, (connections) => connections.where('connections.id', '=', connectionId ?? ''))
    .$if(connectionId === undefined, (connections) =>
      connections.where(({ or, eb }) => or([eb('connections.id', '=', domainConnectionId ?? ''), isLinked])),
    )
    .orderBy('connections.id')
    .execute()
}
