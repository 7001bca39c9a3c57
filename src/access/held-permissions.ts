import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'
import type { Caller } from './caller.ts'
import { effectivePermissions } from './effective-permissions.ts'

/** A user who is responsible for a record, and the API key of theirs that has made it; null when none has. */
export interface Responsible {
  userId: string
  keyId: string | null
}

/** The API key for which the caller's user is responsible, and beyond which nothing is done in its name. */
export const responsibleKeyId = (caller: Caller): string | null => {
  if (caller.kind === 'api-key') return caller.actor.actorId
  return caller.kind === 'setup-link' ? caller.responsibleKeyId : null
}

/**
 * SQL for the slugs of the permissions that a user holds now, within those of the API key if one has acted for them. A user who is blocked or
 * deleted holds none, nor does a key that has been deleted, has expired, or was never imported.
 */
export const permissionsHeldBy = (tenant: Tenant, { userId, keyId }: Responsible): RawBuilder<{ slug: string }> => sql`
  select own.slug from users holder
  cross join lateral (${sql.raw(effectivePermissions('holder.organisation_id', 'holder.id'))}) as own (slug)
  where holder.organisation_id = ${tenant.organisationId} and holder.id = ${userId}
    and holder.blocked_at is null and holder.deleted_at is null ${keyId === null ? sql`` : isWithinKey(tenant, keyId)}`

const isWithinKey = (tenant: Tenant, keyId: string) => sql`
  and exists (
    select from api_keys k where k.organisation_id = holder.organisation_id and k.id = ${keyId} and own.slug = any(k.permissions)
      and k.deleted_at is null and (k.expires_at is null or k.expires_at > ${tenant.now}))`

/** Locks who is responsible until the end of the transaction: whatever removes a role locks the user's row first, and a deletion the key's. */
export async function holdResponsible(tenant: Tenant, { userId, keyId }: Responsible): Promise<void> {
  await sql`select from users where id = ${userId} for share`.execute(tenant)
  if (keyId !== null) await sql`select from api_keys where id = ${keyId} for share`.execute(tenant)
}
