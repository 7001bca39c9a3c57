import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import { effectivePermissions } from '../access/effective-permissions.ts'
import { holdResponsible, permissionsHeldBy, type Responsible, responsibleKeyId } from '../access/held-permissions.ts'
import type { Tenant } from '../platform/database/database.ts'
import { findDefaultRole, mayGrant, type Role } from './queries.ts'

/** Who vouches for a record by which another party becomes users: a user, by an API key of theirs if one has made it. */
export interface Voucher {
  /** Null for the operator, and for a record from before vouchers. */
  vouchedById: string | null
  vouchedByKeyId: string | null
}

export const voucherOf = (caller: Caller): Voucher => ({
  vouchedById: caller.responsibleUserId,
  vouchedByKeyId: responsibleKeyId(caller),
})

/** The voucher as one whose permissions bound the record; undefined for a record that is bounded by none. */
export const responsibleFor = ({ vouchedById, vouchedByKeyId }: Voucher): Responsible | undefined =>
  vouchedById === null ? undefined : { userId: vouchedById, keyId: vouchedByKeyId }

/**
 * Whether a user has a permission that the voucher of a record does not hold now: to become the user would give the voucher that permission.
 *
 * @param options.holdsVoucher whether to lock it until the end of the transaction
 */
export async function exceedsVoucher(
  tenant: Tenant,
  voucher: Voucher,
  userId: string,
  options: { holdsVoucher?: boolean } = {},
): Promise<boolean> {
  return (await findExceeding(tenant, voucher, [userId], options)).has(userId)
}

/** Those of some users who exceed the voucher of a record, as {@link exceedsVoucher} has it. */
export async function findExceeding(
  tenant: Tenant,
  voucher: Voucher,
  userIds: readonly string[],
  { holdsVoucher = false }: { holdsVoucher?: boolean } = {},
): Promise<ReadonlySet<string>> {
  const responsible = responsibleFor(voucher)
  if (!responsible) return new Set()
  if (holdsVoucher) {
    // Most users hold nothing, and a directory sends all of them: then the voucher need not be held.
    const holders = await findHolding(tenant, userIds, sql`true`)
    if (holders.size === 0) return holders
    await holdResponsible(tenant, responsible)
  }
  return findHolding(tenant, userIds, sql`not ${isHeldBy(tenant, responsible)}`)
}

/** Those of some users who hold a permission of a kind, by the condition on `held.slug`. */
async function findHolding(tenant: Tenant, userIds: readonly string[], which: RawBuilder<unknown>): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select holder.id from users holder
    where holder.id = any(${userIds}::text[]) and exists (
      select from (${sql.raw(effectivePermissions('holder.organisation_id', 'holder.id'))}) as held (slug) where ${which})`.execute(tenant)
  return new Set(rows.map(({ id }) => id))
}

/** Whether a voucher holds the permission `held.slug` now. */
export const isHeldBy = (tenant: Tenant, responsible: Responsible): RawBuilder<boolean> =>
  sql<boolean>`held.slug in (${permissionsHeldBy(tenant, responsible)})`

/**
 * The default role. The voucher of a record may have lost a permission since that it gives: they could then use it as a user whom the record
 * creates, so there is none.
 */
export async function vouchedDefaultRole(
  tenant: Tenant,
  voucher: Voucher,
  { holdsVoucher = false }: { holdsVoucher?: boolean } = {},
): Promise<Role | undefined> {
  const responsible = responsibleFor(voucher)
  if (responsible && holdsVoucher) await holdResponsible(tenant, responsible)
  const role = await findDefaultRole(tenant)
  if (!role || !responsible) return role
  return (await mayGrant(tenant, responsible, role)) ? role : undefined
}
