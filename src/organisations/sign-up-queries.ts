import { sql } from 'kysely'
import { refuseViolation } from '../platform/database/constraints.ts'
import type { System, Tenant } from '../platform/database/database.ts'
import { emailTaken } from '../users/refusals.ts'

/** How long the owner has to confirm the address: as long as the link works. */
export const confirmationSeconds = 7 * 24 * 3_600

export async function insertSignUp(tenant: Tenant, userId: string, email: string): Promise<void> {
  await tenant.insertInto('signUps').values({ userId, email, createdAt: tenant.now }).execute()
}

/**
 * Gives a user who has signed up the address that they have just shown to be theirs; nothing happens to anybody else.
 *
 * @throws Problem `conflict` when somebody else was first
 */
export async function confirmSignUp(tenant: Tenant, userId: string): Promise<void> {
  await sql`
    with confirmed as (delete from sign_ups where user_id = ${userId} returning email)
    update users set email = confirmed.email, updated_at = ${tenant.now} from confirmed where users.id = ${userId}`
    .execute(tenant)
    .catch(refuseViolation({ users_email_key: emailTaken }))
}

/**
 * Removes organisations whose owner has not confirmed the address in time, with all that is theirs, unless the operator has
 * activated them. What is being confirmed at this moment is left alone.
 *
 * @returns how many there were, at most `limit`
 */
export async function deleteUnconfirmed(system: System, limit: number): Promise<number> {
  const before = new Date(system.now.getTime() - confirmationSeconds * 1_000)
  const { numAffectedRows = 0n } = await sql`
    delete from organisations where status in ('trial', 'suspended') and id in (
      select organisation_id from sign_ups where created_at <= ${before} order by created_at limit ${limit} for update skip locked)`.execute(
    system,
  )
  return Number(numAffectedRows)
}
