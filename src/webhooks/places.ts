import type { EndpointKey } from './claim.ts'

const inAll = 400
const perEndpoint = 10
const failingShare = 0.5
const organisationTurn = 100
const placesPerFreeOne = 3

/**
 * How many attempts this process makes at a time, in all, to each endpoint and for each organisation.
 *
 * An endpoint whose last attempt failed gets one place instead of ten, and all such endpoints together no more than half:
 * however many receivers are dead or slow, the others find room. An organisation may have three places for each that is
 * free, so that whoever comes next always finds some, and it takes them by turns.
 */
export interface Places {
  readonly perEndpoint: number
  free(): number
  /** What an organisation that has none may take in one turn. */
  perOrganisation(): number
  /** What the organisations that have some may take. */
  organisationRooms(): { organisationId: string; places: number }[]
  /** What the endpoints that cannot have their full number may still have. */
  endpointRooms(): { endpointId: string; places: number }[]
  take(endpoint: EndpointKey): void
  giveBack(endpoint: EndpointKey, outcome: 'delivered' | 'retry' | 'failed' | 'broken off'): void
  /** Whether somebody may have been left waiting since it was last asked. */
  wasShort(): boolean
}

export function createPlaces(): Places {
  const busyOrganisations = new Map<string, number>()
  const busy = new Map<string, number>()
  const failing = new Set<string>()
  let taken = 0
  let takenByFailing = 0
  let short = false

  return {
    perEndpoint,

    free() {
      if (taken >= inAll) short = true
      return inAll - taken
    },

    perOrganisation: () => roomOfOrganisation(0),

    organisationRooms() {
      return [...busyOrganisations].map(([organisationId, now]) => {
        const places = roomOfOrganisation(now)
        if (places === 0) short = true
        return { organisationId, places }
      })
    },

    endpointRooms() {
      const full = takenByFailing >= inAll * failingShare
      const known = new Set([...busy.keys(), ...failing])
      return [...known].map((endpointId) => {
        const most = failing.has(endpointId) ? (full ? 0 : 1) : perEndpoint
        const left = Math.max(0, most - (busy.get(endpointId) ?? 0))
        if (left === 0) short = true
        return { endpointId, places: left }
      })
    },

    take({ organisationId, endpointId }) {
      const now = (busy.get(endpointId) ?? 0) + 1
      busy.set(endpointId, now)
      busyOrganisations.set(organisationId, (busyOrganisations.get(organisationId) ?? 0) + 1)
      taken++
      if (failing.has(endpointId)) takenByFailing++
      if (now >= (failing.has(endpointId) ? 1 : perEndpoint) || taken >= inAll) short = true
    },

    giveBack({ organisationId, endpointId }, outcome) {
      const before = takeOne(busy, endpointId)
      takeOne(busyOrganisations, organisationId)
      taken--
      if (failing.has(endpointId)) takenByFailing--
      mark(endpointId, outcome, before - 1)
    },

    wasShort() {
      const was = short
      short = false
      return was
    },
  }

  /** What may be added without having more than three places for each that is free then. */
  function roomOfOrganisation(now: number): number {
    const room = Math.ceil((placesPerFreeOne * (inAll - taken) - now) / (placesPerFreeOne + 1))
    return Math.max(0, Math.min(organisationTurn, room))
  }

  /** Attempts that are still under way change sides with their endpoint. */
  function mark(endpointId: string, outcome: Parameters<Places['giveBack']>[1], underWay: number): void {
    if (outcome === 'delivered' && failing.delete(endpointId)) takenByFailing -= underWay
    else if ((outcome === 'retry' || outcome === 'failed') && !failing.has(endpointId)) {
      failing.add(endpointId)
      takenByFailing += underWay
    }
  }
}

/** @returns the number as it was */
function takeOne(counts: Map<string, number>, key: string): number {
  const before = counts.get(key) ?? 1
  if (before > 1) counts.set(key, before - 1)
  else counts.delete(key)
  return before
}
