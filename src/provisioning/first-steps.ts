import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'

/** The first sign-in to a new installation. */
export interface FirstSteps {
  slug: string
  /** The owner's address. */
  email: string
  /** Whether the owner still has the password of the first start. */
  isPasswordUnchanged: boolean
}

/** Finds the first steps for the organisation that the first start has created: the oldest one. Undefined without an organisation. */
export async function findFirstSteps(database: Database): Promise<FirstSteps | undefined> {
  const { rows } = await sql<FirstSteps>`
    select o.slug, u.email, u.password_hash is not null and u.password_changed_at = u.created_at as is_password_unchanged
    from organisations o join users u on u.organisation_id = o.id and u.id = o.owner_id
    order by o.created_at, o.id limit 1`.execute(database.system())
  return rows[0]
}
