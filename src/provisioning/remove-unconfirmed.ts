import { sql } from 'kysely'
import type { System } from '../platform/database/database.ts'
import type { Task } from '../platform/jobs/tasks.ts'

/** How long the owner has to confirm the address: as long as the link works. */
export const confirmationSeconds = 7 * 24 * 3_600

const batch = 100

/** Removes organisations that strangers have asked for and nobody has confirmed. */
export const removeUnconfirmedOrganisations: Task = {
  name: 'remove-unconfirmed-organisations',
  everySeconds: 3_600,
  run: async (database) => (await deleteUnconfirmed(database.system(), batch)) === batch,
}

/**
 * Removes organisations whose owner has not confirmed the address in time, with all that is theirs, unless the operator has
 * activated them. What is being confirmed at this moment is left alone.
 *
 * @returns how many there were, at most `limit`
 */
async function deleteUnconfirmed(system: System, limit: number): Promise<number> {
  const before = new Date(system.now.getTime() - confirmationSeconds * 1_000)
  const { numAffectedRows = 0n } = await sql`
    delete from organisations where status in ('trial', 'suspended') and id in (
      select organisation_id from sign_ups where created_at <= ${before} order by created_at limit ${limit} for update skip locked)`.execute(
    system,
  )
  return Number(numAffectedRows)
}
