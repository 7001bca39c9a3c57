import { claimPasskeyOffer } from '../accounts/queries.ts'
import { secondsAfter } from '../platform/clock.ts'
import type { PasskeyDependencies } from './options.ts'

/** A user who has chosen "not now" is not asked again for this long, on any device. */
const secondsBetweenOffers = 90 * 24 * 3_600

/**
 * Whether a user who has just signed in is to be offered a passkey.
 *
 * @returns true at most once in 90 days, and only to users who have none that signs in
 */
export async function mayOfferPasskey(
  { database, relyingParty }: Pick<PasskeyDependencies, 'database' | 'relyingParty'>,
  { organisationId, userId }: { organisationId: string; userId: string },
): Promise<boolean> {
  const { id: rpId } = relyingParty
  if (rpId === undefined) return false
  const tenant = database.tenant(organisationId)
  return claimPasskeyOffer(tenant, userId, { rpId, since: secondsAfter(tenant.now, -secondsBetweenOffers) })
}
