import type { RateLimits } from '../access/rate-limits.ts'
import type { Database } from '../platform/database/database.ts'
import { countTogether } from '../platform/rate-limits/rate-limit.ts'

export interface MailLimits {
  database: Database
  limits: RateLimits
}

/**
 * Does what mails an address that an organisation has named: with invitations and password links it could write to
 * strangers, in our name. What is refused is released, since nothing was mailed.
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
  const release = await countTogether([limits.mailsToAddress, address], [ofOrganisation, organisationId])
  try {
    return await work()
  } catch (error) {
    await release()
    throw error
  }
}
