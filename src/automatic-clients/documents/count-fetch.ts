import type { RateLimits } from '../../access/rate-limits.ts'
import { countTogether } from '../../platform/rate-limits/rate-limit.ts'

/** A request to the host of a document. */
interface Fetch {
  host: string
  /** Whether it reads anew what is stored of an application that an organisation has, and could be read the last time. */
  isKnown: boolean
}

/**
 * Counts a fetch. What any stranger can cause has limits of its own, and never uses up those of the documents that are in use.
 *
 * @throws Problem `too-many-requests`
 */
export async function countFetch(limits: RateLimits, { host, isKnown }: Fetch): Promise<void> {
  const ofStranger = [[limits.newClientDocumentsByHost, host] as const, [limits.newClientDocuments, ''] as const]
  await countTogether(...(isKnown ? [] : ofStranger), [limits.clientDocumentsByHost, host], [limits.clientDocuments, ''])
}
