import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'

/** How somebody signs in for the first time. */
export interface FirstSteps {
  slug: string
  /** Of the owner. */
  email: string
  /** Whether the owner still has the password of the first start. */
  isPasswordUnchanged: boolean
}

/** Of the organisation that the first start has made: the oldest one. Undefined when there is none. */
export async function findFirstSteps(database: Database): Promise<FirstSteps | undefined> {
  const { rows } = await sql<FirstSteps>`
    select o.slug, u.email, u.password_hash is not null and u.password_changed_at = u.created_at as is_password_unchanged
    from organisations o join users u on u.organisation_id = o.id and u.id = o.owner_id
    order by o.created_at, o.id limit 1`.execute(database.system())
  return rows[0]
}
