import type { EndpointKey } from '../endpoints/queries.ts'
import type { ClaimLimits } from './claim.ts'
import type { CoolDowns } from './cool-downs.ts'
import type { FailingEndpoints } from './failing-endpoints.ts'
import { slotPolicy } from './policies.ts'

const { total, perEndpoint, perFailingEndpoint, failingShare, perOrganisationAndClaim, perFreeSlot } = slotPolicy

/** The kind of endpoints that may have deliveries for a free slot, if any: ones that respond, or only failing ones. */
export type Demand = 'healthy' | 'failing' | undefined

/**
 * Bounds the number of concurrent attempts of this process: in total, to each endpoint and for each organisation.
 *
 * A failing endpoint gets one slot instead of ten, and all failing endpoints together get at most half: however many
 * receivers are down or slow, the others find a free slot. An organisation may use three slots for each one that is free,
 * so that another organisation always finds some.
 */
export interface Slots {
  /** Begins a claim, which determines anew where demand is left. @returns what it may take, at most `max` in total */
  beginClaim(max: number): ClaimLimits
  take(endpoint: EndpointKey): void
  /** @returns the demand for the released slot */
  release(endpoint: EndpointKey): Demand
  /** The demand of an endpoint for which the last claim may not have taken everything. */
  demandOf(endpointId: string): Demand
}

export function createSlots(
  failing: Pick<FailingEndpoints, 'has' | 'ids' | 'forgetOld'>,
  coolDowns: Pick<CoolDowns, 'has' | 'ids'>,
): Slots {
  const usedByEndpoint = new Map<string, number>()
  const usedByOrganisation = new Map<string, number>()
  let used = 0
  /** The rest of each endpoint's limit after the last claim. If it is zero, the claim may not have taken everything. */
  const left = new Map<string, number>()
  let isEverySlotWanted = false
  let isFailingShareUsed = false

  return {
    beginClaim(max) {
      left.clear()
      failing.forgetOld((endpointId) => usedByEndpoint.has(endpointId))
      const failingUsed = failing.ids().reduce((sum, endpointId) => sum + (usedByEndpoint.get(endpointId) ?? 0), 0)
      isFailingShareUsed = failingUsed >= total * failingShare
      for (const endpointId of [...usedByEndpoint.keys(), ...failing.ids(), ...coolDowns.ids()]) left.set(endpointId, freeOf(endpointId))
      const organisations = new Map([...usedByOrganisation].map(([organisationId, count]) => [organisationId, organisationLimit(count)]))
      isEverySlotWanted = used >= total || [...organisations.values()].includes(0)
      return {
        total: Math.min(max, total - used),
        perOrganisation: organisationLimit(0),
        organisations,
        perEndpoint,
        endpoints: new Map(left),
      }
    },

    take({ organisationId, endpointId }) {
      add(usedByEndpoint, endpointId, 1)
      add(usedByOrganisation, organisationId, 1)
      left.set(endpointId, (left.get(endpointId) ?? perEndpoint) - 1)
      used++
      if (used >= total) isEverySlotWanted = true
    },

    release({ organisationId, endpointId }) {
      add(usedByEndpoint, endpointId, -1)
      add(usedByOrganisation, organisationId, -1)
      used--
      return isEverySlotWanted ? 'healthy' : demandOf(endpointId)
    },

    demandOf,
  }

  function demandOf(endpointId: string): Demand {
    const isShort = (left.get(endpointId) ?? perEndpoint) <= 0
    if (failing.has(endpointId)) return isShort || isFailingShareUsed ? 'failing' : undefined
    return isShort ? 'healthy' : undefined
  }

  function freeOf(endpointId: string): number {
    return Math.max(0, endpointLimit(endpointId) - (usedByEndpoint.get(endpointId) ?? 0))
  }

  function endpointLimit(endpointId: string): number {
    if (coolDowns.has(endpointId)) return 0
    if (failing.has(endpointId)) return isFailingShareUsed ? 0 : perFailingEndpoint
    return perEndpoint
  }

  /** The number that an organisation may add without using more than three slots for each one that is then free. */
  function organisationLimit(count: number): number {
    const most = Math.ceil((perFreeSlot * (total - used) - count) / (perFreeSlot + 1))
    return Math.max(0, Math.min(perOrganisationAndClaim, most))
  }
}

function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
