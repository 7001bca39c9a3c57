import { sql } from 'kysely'
import type { Actor } from '../activity/actor.ts'
import type { Tenant } from '../platform/database/database.ts'
import { revokeTokensBesides } from '../tokens/revoke-tokens.ts'
import { endPendingSignIns } from './challenges.ts'
import { reportEnded, revokeSessionsBesides } from './revoke-sessions.ts'

/** The users whose addresses are in a domain. */
export interface UsersOfDomain {
  domain: string
  /** Users who are left out while they have a second factor, as the owner always is. */
  bypassUserIds: readonly string[]
  /** Access by this connection continues. */
  connectionId: string
}

/** Ends the sessions of a domain's users, their pending sign-ins and the tokens of applications, except those by a connection. */
export async function endAccessBesides(
  tenant: Tenant,
  actor: Actor,
  { domain, bypassUserIds, connectionId }: UsersOfDomain,
): Promise<void> {
  const users = sql<string>`(
    select users.id from users join organisations on organisations.id = users.organisation_id
    where split_part(users.email, '@', 2) = ${domain} and users.id is distinct from organisations.owner_id
      and not (users.id = any (${bypassUserIds}::text[]) and users.mfa_enabled))`
  // This is the order in which one creates the other. Each statement waits for a row in use, so that its result is then found and ended.
  await endPendingSignIns(tenant, users)
  const ended = await revokeSessionsBesides(tenant, users, connectionId)
  await reportEnded(tenant, actor, ended)
  await revokeTokensBesides(tenant, users, connectionId)
}
