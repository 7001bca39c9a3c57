import { type Selectable, sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import { transactionOf } from '../access/hold-caller.ts'
import { withReason } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import { revokeAutomaticClients } from '../clients/automatic.ts'
import { refuseViolation } from '../platform/database/constraints.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import type { BlockedClientHostsTable } from '../platform/database/tables.ts'
import { presentTime } from '../platform/http/fields.ts'
import { newId } from '../platform/ids.ts'
import { blockedHostNotFound, hostAlreadyBlocked, tooManyBlockedHosts } from './refusals.ts'
import type { BlockedHostRecord, NewBlockedHost } from './schemas.ts'

const hostsMax = 1_000

type BlockedHost = Omit<Selectable<BlockedClientHostsTable>, 'organisationId'>

const columns = ['id', 'host', 'reason', 'createdById', 'createdAt'] as const

/** All blocked hosts, the oldest first. */
export const listBlockedHosts = (tenant: Tenant): Promise<BlockedHost[]> =>
  tenant.selectFrom('blockedClientHosts').select(columns).orderBy('id').execute()

export const presentBlockedHost = (blocked: BlockedHost): BlockedHostRecord => ({ ...blocked, createdAt: presentTime(blocked.createdAt) })

/** The host as the object of an audit entry. */
const inHistory = ({ id, host, reason, createdAt }: BlockedHost) => ({ id, name: host, host, reason, createdAt: presentTime(createdAt) })

/**
 * Blocks a host: its clients are revoked with all their tokens, and its documents are refused from then on.
 *
 * @throws Problem `conflict` when it is blocked already, and for the 1,001st
 */
export async function blockHost(database: Database, caller: Caller, { host, reason }: NewBlockedHost): Promise<BlockedHost> {
  return transactionOf(database, caller, 'clients:delete', async (tenant) => {
    // A user who allows a client of this host shares the row: their client is revoked below, or is refused.
    await tenant.selectFrom('organisations').select('id').forNoKeyUpdate().execute()
    const { count } = await tenant.selectFrom('blockedClientHosts').select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
    if (Number(count) >= hostsMax) throw tooManyBlockedHosts()
    const blocked = await tenant
      .insertInto('blockedClientHosts')
      .values({
        id: newId('bch', tenant.now),
        host,
        reason,
        createdById: caller.kind === 'user' ? caller.session.userId : null,
        createdAt: tenant.now,
      })
      .returning(columns)
      .executeTakeFirstOrThrow()
      .catch(refuseViolation({ blocked_client_hosts_host_key: hostAlreadyBlocked }))
    await record(tenant, caller.actor, {
      action: 'client_host.blocked',
      client_host: inHistory(blocked),
      ...withReason(reason ?? undefined),
    })
    await revokeAutomaticClients(tenant, database.clock, caller.actor, `https://${host}/`)
    return blocked
  })
}

/**
 * Lets documents of a host in again. Its clients stay revoked: an administrator activates each.
 *
 * @throws Problem `not-found`
 */
export async function unblockHost(database: Database, caller: Caller, id: string): Promise<void> {
  await transactionOf(database, caller, 'clients:delete', async (tenant) => {
    const blocked = await tenant.deleteFrom('blockedClientHosts').where('id', '=', id).returning(columns).executeTakeFirst()
    if (!blocked) throw blockedHostNotFound()
    await record(tenant, caller.actor, { action: 'client_host.unblocked', client_host: inHistory(blocked) })
  })
}

/** Whether a host is blocked, at the moment at which a user allows a client of it: none can be blocked until the transaction ends. */
export async function isBlockedForGood(tenant: Tenant, host: string): Promise<boolean> {
  await tenant.selectFrom('organisations').select('id').forShare().execute()
  const blocked = await tenant.selectFrom('blockedClientHosts').select('id').where('host', '=', host).executeTakeFirst()
  return blocked !== undefined
}
