import type { UserCaller } from '../access/caller.ts'
import { findRequiredConnection } from '../domains/queries.ts'
import { type Identity, listIdentities } from '../identities/queries.ts'
import { signsIn } from '../organisations/signs-in-by-connection.ts'
import type { Database } from '../platform/database/database.ts'
import { type Connection, listConnections } from './queries.ts'

export type { Identity } from '../identities/queries.ts'
export type LinkableConnection = Pick<Connection, 'id' | 'name' | 'provider'>

export interface OwnIdentities {
  identities: readonly Identity[]
  /** The active connections through which the caller has no identity yet and may link one. */
  linkable: readonly LinkableConnection[]
}

/** The caller's accounts at identity providers, and the connections that can still be linked. There are few of both. */
export async function findOwnIdentities(database: Database, caller: UserCaller): Promise<OwnIdentities> {
  const tenant = database.tenant(caller.organisationId)
  const [identities, connections, required] = await Promise.all([
    listIdentities(tenant, caller.session.userId),
    listConnections(tenant),
    findRequiredConnection(tenant, caller.session.userId),
  ])
  const linked = new Set(identities.map(({ connection }) => connection.id))
  const isLinkable = (connection: Connection) =>
    signsIn(connection) && !linked.has(connection.id) && (required ?? connection.id) === connection.id
  return { identities, linkable: connections.filter(isLinkable) }
}
