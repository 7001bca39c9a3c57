import type { RateLimits } from '../access/rate-limits.ts'
import type { Database } from '../platform/database/database.ts'
import { countTogether } from '../platform/rate-limits/rate-limit.ts'

export interface SmsLimits {
  database: Database
  limits: RateLimits
}

interface CountedMessage {
  organisationId: string
  userId: string
  phone: string
  /** Whether the user has confirmed the number with a code. Another one may be a stranger's. */
  isConfirmed: boolean
}

/**
 * Counts a text message before it is written. Without limits, the users of an organisation could write to strangers in our name, and call
 * numbers that cost the operator money. An organisation in use sends its users as many codes as they sign in, but to unconfirmed numbers
 * no more than its limit.
 *
 * @returns a function that releases it, since nothing was sent
 * @throws Problem `too-many-requests`
 */
export async function countMessage(
  { database, limits }: SmsLimits,
  { organisationId, userId, phone, isConfirmed }: CountedMessage,
): Promise<() => Promise<void>> {
  const organisation = await database.pointReads(organisationId).selectFrom('organisations').select('status').executeTakeFirst()
  const isOnTrial = organisation?.status === 'trial'
  return countTogether(
    [limits.smsByUser, userId],
    [isConfirmed ? limits.smsByPhone : limits.smsByUnconfirmedPhone, phone],
    ...(isOnTrial ? [[limits.smsOfTrialOrganisation, organisationId] as const] : []),
    ...(isOnTrial || isConfirmed ? [] : [[limits.smsOfOrganisation, organisationId] as const]),
  )
}
