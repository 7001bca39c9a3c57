import { sql } from 'kysely'
import { runningStatuses } from '../../organisations/rules.ts'
import type { IdentityAssertions } from '../../platform/database/column-types.ts'
import type { Database, Tenant } from '../../platform/database/database.ts'
import type { ConnectionToUse } from '../federation/queries.ts'

/** A connection that takes assertions. */
export type AcceptingConnection = ConnectionToUse & { identityAssertions: IdentityAssertions }

/** The active connections of a running organisation that accept assertions. */
export async function listAcceptingConnections(database: Database, organisationId: string): Promise<AcceptingConnection[]> {
  const connections = await database
    .tenant(organisationId)
    .selectFrom('connections')
    .innerJoin('organisations', 'organisations.id', 'connections.organisationId')
    .selectAll('connections')
    .select('organisations.status as organisationStatus')
    .where('connections.isActive', '=', true)
    .where('organisations.status', 'in', runningStatuses)
    .where(sql<boolean>`(connections.identity_assertions ->> 'accepted')::boolean`)
    .orderBy('connections.id')
    .execute()
  return connections as AcceptingConnection[]
}

/** Locks the identity of a user against its removal. @returns its id; undefined when it is not the user's (any more) */
export async function holdIdentity(
  tenant: Tenant,
  { connectionId, subject, userId }: { connectionId: string; subject: string; userId: string },
): Promise<string | undefined> {
  const held = await tenant
    .selectFrom('identities')
    .select('id')
    .where('connectionId', '=', connectionId)
    .where('subject', '=', subject)
    .where('userId', '=', userId)
    .forKeyShare()
    .executeTakeFirst()
  return held?.id
}

/** Whether an endpoint has subscribed to the tokens of every client: one that has had no row until now has no endpoint of its own. */
export async function hasTokenSubscriber(tenant: Tenant): Promise<boolean> {
  const heard = await tenant
    .selectFrom('webhookEndpoints')
    .select('id')
    .where('isActive', '=', true)
    .where('clientId', 'is', null)
    .where(sql<boolean>`events && array['*', 'oauth2.token.issued']`)
    .limit(1)
    .executeTakeFirst()
  return heard !== undefined
}
