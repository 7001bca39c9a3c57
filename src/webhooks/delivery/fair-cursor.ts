import type { EndpointKey } from '../endpoints/queries.ts'
import type { ClaimLimits, ClaimPosition } from './claim.ts'

/**
 * The round-robin cursor over the queue: the position where the next claim continues its walk over the organisations, and over the
 * endpoints of each, after a claim that took all it could.
 */
export interface FairCursor {
  readonly position: ClaimPosition
  /** Moves past the deliveries that a claim has taken. @returns whether more may be claimed at once */
  advance(limits: ClaimLimits, claimed: readonly EndpointKey[]): boolean
  /** Whether the next claim sees the whole queue. */
  isAtStart(): boolean
}

export function createFairCursor(): FairCursor {
  let afterOrganisationId: string | undefined
  const afterEndpointIds = new Map<string, string>()

  return {
    get position() {
      return { afterOrganisationId, afterEndpointIds }
    },

    advance({ total, perOrganisation, organisations }, claimed) {
      const isCut = claimed.length === total
      const taken = Map.groupBy(claimed, ({ organisationId }) => organisationId)
      const last = isCut ? greatest([...taken.keys()]) : undefined
      // A walk that began in the middle has not seen the organisations before it.
      let mayHaveMore = isCut || afterOrganisationId !== undefined

      for (const organisationId of new Set([...taken.keys(), ...afterEndpointIds.keys()])) {
        const deliveries = taken.get(organisationId) ?? []
        const limit = organisations.get(organisationId) ?? perOrganisation
        const wasPassedOver = limit === 0 || (deliveries.length === 0 && !isVisited(organisationId, afterOrganisationId, last))
        if (wasPassedOver) continue
        if (deliveries.length === limit || organisationId === last) {
          afterEndpointIds.set(organisationId, greatest(deliveries.map(({ endpointId }) => endpointId)))
          mayHaveMore = true
        } else if (afterEndpointIds.delete(organisationId)) mayHaveMore = true
      }
      afterOrganisationId = last
      return mayHaveMore
    },

    isAtStart: () => afterOrganisationId === undefined && afterEndpointIds.size === 0,
  }
}

/** Whether a walk that began after one organisation, and was cut at another, reached this one. */
function isVisited(organisationId: string, begun: string | undefined, last: string | undefined): boolean {
  return organisationId > (begun ?? '') && (last === undefined || organisationId <= last)
}

const greatest = (ids: string[]) => ids.sort().at(-1) ?? ''
