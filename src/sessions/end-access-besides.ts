import { sql } from 'kysely'
import type { Actor } from '../activity/actor.ts'
import type { Tenant } from '../platform/database/database.ts'
import { revokeTokensBesides } from '../tokens/revoke-tokens.ts'
import { deleteChallengesOf } from './challenges.ts'
import { reportEnded, revokeSessionsBesides } from './revoke-sessions.ts'

/** Users by the domain of their address. */
export interface UsersOfDomain {
  domain: string
  /** Users who are left out while they have a second factor, as the owner always is. */
  bypassUserIds: readonly string[]
  /** What came by this connection continues. */
  connectionId: string
}

/** Ends the sessions of a domain's users, their pending sign-ins and the tokens of applications, but for what came by a connection. */
export async function endAccessBesides(
  tenant: Tenant,
  actor: Actor,
  { domain, bypassUserIds, connectionId }: UsersOfDomain,
): Promise<void> {
  const users = sql<string>`(
    select users.id from users join organisations on organisations.id = users.organisation_id
    where split_part(users.email, '@', 2) = ${domain} and users.id is distinct from organisations.owner_id
      and not (users.id = any (${bypassUserIds}::text[]) and users.mfa_enabled))`
  // In the order in which one comes of the other. Each waits for one that is being used, so that what it made is then found and ended.
  await deleteChallengesOf(tenant, users)
  const ended = await revokeSessionsBesides(tenant, users, connectionId)
  await reportEnded(tenant, actor, ended)
  await revokeTokensBesides(tenant, users, connectionId)
}
