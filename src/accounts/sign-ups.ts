import { sql } from 'kysely'
import { refuseViolation } from '../platform/database/constraints.ts'
import type { System, Tenant } from '../platform/database/database.ts'
import { emailTaken } from './refusals.ts'

export async function insertSignUp(tenant: Tenant, userId: string, email: string): Promise<void> {
  await tenant.insertInto('signUps').values({ userId, email, createdAt: tenant.now }).execute()
}

/**
 * Gives a user who has signed up the address that they have just verified. Other users are not affected.
 *
 * @throws Problem `conflict` when another user has claimed it first
 */
export async function confirmSignUp(tenant: Tenant, userId: string): Promise<void> {
  await sql`
    with confirmed as (delete from sign_ups where user_id = ${userId} returning email)
    update users set email = confirmed.email, updated_at = ${tenant.now} from confirmed where users.id = ${userId}`
    .execute(tenant)
    .catch(refuseViolation({ users_email_key: emailTaken }))
}

/** Deletes the sign-up of a user who has not confirmed it. @returns the address that was given, and when */
export async function deleteSignUp(
  system: System,
  { organisationId, userId }: { organisationId: string; userId: string },
): Promise<{ email: string; createdAt: Date } | undefined> {
  return system
    .deleteFrom('signUps')
    .where('organisationId', '=', organisationId)
    .where('userId', '=', userId)
    .returning(['email', 'createdAt'])
    .executeTakeFirst()
}
