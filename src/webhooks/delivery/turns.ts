import type { ClaimedDelivery, ClaimRequest } from './claim.ts'
import type { Places } from './places.ts'

type Turn = Omit<ClaimRequest, 'leaseSeconds'>

/**
 * Whose turn it is: where the walk over the organisations goes on after a claim that took all it could, and where the one
 * over the endpoints of each goes on.
 */
export interface Turns {
  next(places: Places, limit: number): Turn
  /** @returns whether there may be more to claim at once */
  remember(turn: Turn, claimed: readonly ClaimedDelivery[]): boolean
  /** Whether the next walk sees everything. */
  areAtTheBeginning(): boolean
}

export function createTurns(): Turns {
  let afterOrganisationId: string | undefined
  const afterEndpointIds = new Map<string, string>()

  return {
    next(places, limit) {
      const perOrganisation = places.perOrganisation()
      const rooms = new Map(places.organisationRooms().map(({ organisationId, places }) => [organisationId, places]))
      const known = new Set([...rooms.keys(), ...afterEndpointIds.keys()])
      return {
        limit,
        perOrganisation,
        organisations: [...known].map((organisationId) => ({
          organisationId,
          places: rooms.get(organisationId) ?? perOrganisation,
          afterEndpointId: afterEndpointIds.get(organisationId),
        })),
        perEndpoint: places.perEndpoint,
        endpoints: places.endpointRooms(),
        afterOrganisationId,
      }
    },

    remember({ limit, perOrganisation, organisations, afterOrganisationId: begun }, claimed) {
      const isCut = claimed.length === limit
      const taken = Map.groupBy(claimed, ({ organisationId }) => organisationId)
      const last = isCut ? greatest([...taken.keys()]) : undefined
      let more = isCut || begun !== undefined

      const asked = new Map(organisations.map((one) => [one.organisationId, one]))
      for (const organisationId of new Set([...taken.keys(), ...afterEndpointIds.keys()])) {
        const deliveries = taken.get(organisationId) ?? []
        const places = asked.get(organisationId)?.places ?? perOrganisation
        const hadNoTurn = places === 0 || (deliveries.length === 0 && !isSeen(organisationId, begun, last))
        if (hadNoTurn) continue
        if (deliveries.length === places || organisationId === last) {
          afterEndpointIds.set(organisationId, greatest(deliveries.map(({ endpointId }) => endpointId)))
          more = true
        } else if (afterEndpointIds.delete(organisationId)) more = true
      }
      afterOrganisationId = last
      // A walk that began in the middle has not seen those before it.
      return more
    },

    areAtTheBeginning: () => afterOrganisationId === undefined && afterEndpointIds.size === 0,
  }
}

/** Whether a walk that began after one organisation, and was cut at another, has come by. */
function isSeen(organisationId: string, begun: string | undefined, last: string | undefined): boolean {
  return organisationId > (begun ?? '') && (last === undefined || organisationId <= last)
}

const greatest = (ids: string[]) => ids.sort().at(-1) ?? ''
