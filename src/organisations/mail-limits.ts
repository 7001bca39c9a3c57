import type { RateLimits } from '../access/rate-limits.ts'
import type { Database } from '../platform/database/database.ts'
import { countTogether } from '../platform/rate-limits/rate-limit.ts'

export interface MailLimits {
  database: Database
  limits: RateLimits
}

/**
 * Runs work that mails an address which an organisation has chosen. Without limits, an organisation could use invitations
 * and password links to write to strangers in our name. Refused work is released, since nothing was mailed.
 *
 * @throws Problem `too-many-requests`
 */
export async function withinMailLimits<T>(
  { database, limits }: MailLimits,
  organisationId: string,
  address: string,
  work: () => Promise<T>,
): Promise<T> {
  const organisation = await database.pointReads(organisationId).selectFrom('organisations').select('status').executeTakeFirst()
  const ofOrganisation = organisation?.status === 'trial' ? limits.mailsOfTrialOrganisation : limits.mailsOfOrganisation
  return limits.mailsToAddress.runQueued(address, async () => {
    const release = await countTogether([limits.mailsToAddress, address], [ofOrganisation, organisationId])
    try {
      return await work()
    } catch (error) {
      await release()
      throw error
    }
  })
}
