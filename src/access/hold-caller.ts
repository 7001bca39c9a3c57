import { sql } from 'kysely'
import type { OrganisationStatus } from '../platform/database/column-types.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import type { Caller, KeyCaller, SetupLinkCaller } from './caller.ts'
import { effectivePermissions } from './effective-permissions.ts'
import { isExchangedKeyValid } from './queries.ts'
import {
  cannotGrant,
  invalidApiKey,
  invalidSession,
  missingPermission,
  organisationCancelled,
  organisationNotFound,
  organisationSuspended,
  setupLinkEnded,
  setupStepTaken,
} from './refusals.ts'
import { refuseGrantBeyond } from './refuse-grant-beyond.ts'
import { findPermissionsOfSetupLink } from './setup-link-permissions.ts'

/**
 * Checks the caller's access again, inside the transaction that creates something lasting, and holds it until the commit.
 * Whatever ends the caller's access either waits, and then ends the new thing as well, or came first, and nothing is created. The
 * user's row is locked before the session's, as in everything that ends access: the opposite order would deadlock.
 *
 * @throws Problem as the next request of the caller gets: `unauthorized`, or `forbidden` for a key of a suspended organisation; for the
 *   operator as `holdOrganisation`
 */
export async function holdCaller(tenant: Tenant, caller: Caller): Promise<void> {
  if (caller.kind === 'user') await holdSession(tenant, caller.session.id)
  else if (caller.kind === 'api-key') await holdApiKey(tenant, caller)
  else if (caller.kind === 'setup-link') await holdSetupLink(tenant, caller)
  else await holdOrganisation(tenant)
}

/**
 * Holds the organisation for what the operator writes, whom no cancellation signs out: what came after the one export would be purged with
 * the rest, though it had been acknowledged. The lock is the weakest that holds the status, as for an API key.
 *
 * @throws Problem `conflict` when it is cancelled, `not-found` when it has been purged
 */
export async function holdOrganisation(tenant: Tenant): Promise<void> {
  const { rows } = await sql<{ status: OrganisationStatus }>`
    select status from organisations where id = ${tenant.organisationId} for key share`.execute(tenant)
  if (!rows[0]) throw organisationNotFound()
  if (rows[0].status === 'cancelled') throw organisationCancelled()
}

/**
 * Holds the caller of an operation that takes a permission, which they must still have.
 *
 * @throws Problem as `holdCaller`, and `forbidden` when a role with the permission was taken from the user meanwhile
 */
export async function holdCallerWith(tenant: Tenant, caller: Caller, permission: string): Promise<void> {
  await holdCaller(tenant, caller)
  // The operator may do everything; a link is for what its purposes need, whatever the operation is called.
  if (caller.kind === 'system' || caller.kind === 'setup-link') return
  const lost = await findLostPermission(tenant, caller, [permission])
  if (lost) throw missingPermission(lost)
}

/**
 * Changes the caller's organisation in one transaction, which holds the caller first: one who was blocked, or lost the permission, while
 * the request waited changes nothing. An operation on a user locks that user before it holds the caller, who may be the same, and one that
 * locks the organisation's row calls `lockUserOfCaller` before that and `holdCallerWith` after it. What still meets in the opposite order,
 * such as a suspension that ends the session of a change which refers to the organisation, is tried again.
 *
 * @throws Problem as `holdCallerWith`
 */
export async function transactionOf<T>(
  database: Database,
  caller: Caller,
  permission: string,
  work: (tenant: Tenant) => Promise<T>,
): Promise<T> {
  return database.transaction(caller.organisationId, async (tenant) => {
    await holdCallerWith(tenant, caller, permission)
    return work(tenant)
  })
}

/**
 * Refuses the visitor of a set-up link a change of what an administrator has put into use since: it would be in use without another look at it.
 *
 * @param isInUse as it is now, in a row that is locked
 * @throws Problem `conflict`
 */
export function refuseVisitorOf(caller: Caller, isInUse: boolean): void {
  if (caller.kind === 'setup-link' && isInUse) throw setupStepTaken()
}

/**
 * Locks the row of the caller's user. Call it before a lock of the organisation's row that comes before `holdCaller`: a mailed link locks
 * the user first and then the organisation, a suspension the organisation first and then its sessions.
 */
export async function lockUserOfCaller(tenant: Tenant, caller: Caller): Promise<void> {
  if (caller.responsibleUserId !== null) await sql`select from users where id = ${caller.responsibleUserId} for share`.execute(tenant)
}

/**
 * Finds a permission that the caller held when the request was admitted and has lost since; undefined when all are still held. A user who
 * is blocked or deleted has lost them all. Call it only once the caller is held: removing a role locks the user's row first.
 */
export async function findLostPermission(tenant: Tenant, caller: Caller, slugs: Iterable<string>): Promise<string | undefined> {
  const { rows } = await sql<{ slug: string }>`
    select needed as slug from users u cross join unnest(${[...slugs]}::text[]) as needed
    where u.id = ${caller.responsibleUserId} and (u.blocked_at is not null or u.deleted_at is not null
      or needed not in (${sql.raw(effectivePermissions('u.organisation_id', 'u.id'))})) limit 1`.execute(tenant)
  return rows[0]?.slug
}

/**
 * Admits the caller of an operation that gives a user permissions. Call it once the caller is held: a permission that they held when the
 * request was admitted may be gone.
 *
 * @throws Problem `forbidden`, naming the first permission that they lack, or have lost since
 */
export async function requireGranting(tenant: Tenant, caller: Caller, needed: string, granted: Iterable<string>): Promise<void> {
  const slugs = [...granted]
  refuseGrantBeyond(caller, slugs)
  const lost = await findLostPermission(tenant, caller, [needed, ...slugs])
  if (lost) throw lost === needed ? missingPermission(lost) : cannotGrant(lost)
}

// Suspending or cancelling an organisation ends its sessions, so the organisation's row need not be locked as well.
async function holdSession(tenant: Tenant, id: string): Promise<void> {
  const { rows } = await sql`
    select from sessions s join users u on u.organisation_id = s.organisation_id and u.id = s.user_id
    where s.id = ${id} and s.revoked_at is null and s.expires_at > ${tenant.now} and u.blocked_at is null and u.deleted_at is null
    for share of u, s`.execute(tenant)
  if (rows.length === 0) throw invalidSession()
}

// Every change of the organisation's status locks its row for update, which waits for this lock. It is the weakest that holds the status:
// two keys that both held the row shared, and then locked it for a limit, would deadlock.
async function holdApiKey(tenant: Tenant, { actor, exchangedKeyHash }: KeyCaller): Promise<void> {
  const { rows } = await sql<{ status: OrganisationStatus }>`
    select o.status
    from api_keys k
    join users u on u.organisation_id = k.organisation_id and u.id = k.created_by_id
    join organisations o on o.id = k.organisation_id
    where k.id = ${actor.actorId} and k.deleted_at is null and (k.expires_at is null or k.expires_at > ${tenant.now})
      and u.blocked_at is null and u.deleted_at is null and o.status <> 'cancelled'
    for share of u, k for key share of o`.execute(tenant)
  if (!rows[0]) throw invalidApiKey()
  if (rows[0].status === 'suspended') throw organisationSuspended()
  // In a statement of its own: one that waited for the key's row would still see a short-lived one that was ended meanwhile.
  if (exchangedKeyHash !== undefined && !(await isExchangedKeyValid(tenant, exchangedKeyHash))) throw invalidApiKey()
}

/**
 * Holds a set-up link with the rights of its creator. Every step takes the lock, so that one comes after the other. The user's row is locked
 * first, as above.
 */
async function holdSetupLink(tenant: Tenant, caller: SetupLinkCaller): Promise<void> {
  await lockUserOfCaller(tenant, caller)
  await sql`select from setup_links where id = ${caller.linkId} for no key update`.execute(tenant)
  const held = await findPermissionsOfSetupLink(tenant, caller.linkId)
  if (!held || !caller.neededPermissions.every((slug) => held.has(slug))) throw setupLinkEnded()
}
