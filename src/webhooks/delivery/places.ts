import type { Clock } from '../../platform/clock.ts'
import type { EndpointKey } from '../endpoints/queries.ts'

const inAll = 400
const perEndpoint = 10
const failingShare = 0.5
const organisationTurn = 100
const placesPerFreeOne = 3
/** How long, and how many, endpoints whose last attempt failed are remembered: each is named in every claim. */
const failingForMilliseconds = 10 * 60_000
const retryGraceMilliseconds = 60_000
const failingMax = 1_000

/** Whether a place that has become free may have been waited for, and by whom: endpoints that answer, or ones that do not. */
export type Waiting = 'answering' | 'failing' | undefined

/**
 * How many attempts this process makes at a time, in all, to each endpoint and for each organisation.
 *
 * An endpoint whose last attempt failed gets one place instead of ten, and all such endpoints together no more than half:
 * however many receivers are dead or slow, the others find room. That an endpoint failed is forgotten ten minutes later, or a minute after its next attempt was due: it may
 * have been deleted, and a process must not remember every endpoint that ever failed. An organisation may have three places for each that is
 * free, so that whoever comes next always finds some, and it takes them by turns.
 */
export interface Places {
  readonly perEndpoint: number
  /** Begins a claim, in which it is found out anew who is left waiting; @returns how many places are free */
  beginClaim(): number
  /** What an organisation that has none may take in one turn. */
  perOrganisation(): number
  /** What the organisations that have some may take. */
  organisationRooms(): { organisationId: string; places: number }[]
  /** What the endpoints that cannot have their full number may still have. */
  endpointRooms(): { endpointId: string; places: number }[]
  isFailing(endpoint: EndpointKey): boolean
  take(endpoint: EndpointKey): void
  /** @param retryAt when the next attempt is due, if there is one */
  giveBack(endpoint: EndpointKey, outcome: 'delivered' | 'retry' | 'failed' | 'broken off', retryAt?: Date): Waiting
  /** Keeps every place from an endpoint until its rest is over. */
  rest(endpoint: EndpointKey): void
  endRest(endpoint: EndpointKey): Waiting
}

export function createPlaces(clock: Clock): Places {
  const busyOrganisations = new Map<string, number>()
  const busy = new Map<string, number>()
  /** Until when each is remembered, the one that failed last at the end. */
  const failing = new Map<string, number>()
  const resting = new Set<string>()
  let taken = 0
  let takenByFailing = 0
  /** What is left of the places that the last claim could have taken of an endpoint; with none left, it may have more to do. */
  const left = new Map<string, number>()
  let roomIsShort = false
  let roomForFailingIsShort = false

  return {
    perEndpoint,

    beginClaim() {
      left.clear()
      forgetFormerFailures()
      roomForFailingIsShort = false
      roomIsShort = taken >= inAll
      return inAll - taken
    },

    perOrganisation: () => roomOfOrganisation(0),

    organisationRooms() {
      return [...busyOrganisations].map(([organisationId, now]) => {
        const places = roomOfOrganisation(now)
        if (places === 0) roomIsShort = true
        return { organisationId, places }
      })
    },

    endpointRooms() {
      const full = takenByFailing >= inAll * failingShare
      roomForFailingIsShort = full
      const known = new Set([...busy.keys(), ...failing.keys(), ...resting])
      return [...known].map((endpointId) => {
        const most = resting.has(endpointId) ? 0 : failing.has(endpointId) ? (full ? 0 : 1) : perEndpoint
        const places = Math.max(0, most - (busy.get(endpointId) ?? 0))
        left.set(endpointId, places)
        return { endpointId, places }
      })
    },

    isFailing: ({ endpointId }) => failing.has(endpointId),

    take({ organisationId, endpointId }) {
      busy.set(endpointId, (busy.get(endpointId) ?? 0) + 1)
      left.set(endpointId, (left.get(endpointId) ?? perEndpoint) - 1)
      busyOrganisations.set(organisationId, (busyOrganisations.get(organisationId) ?? 0) + 1)
      taken++
      if (failing.has(endpointId)) takenByFailing++
      if (taken >= inAll) roomIsShort = true
    },

    giveBack({ organisationId, endpointId }, outcome, retryAt) {
      const before = takeOne(busy, endpointId)
      takeOne(busyOrganisations, organisationId)
      taken--
      if (failing.has(endpointId)) takenByFailing--
      mark(endpointId, outcome, before - 1, retryAt)
      return roomIsShort ? 'answering' : waitingFor(endpointId)
    },

    rest: ({ endpointId }) => void resting.add(endpointId),

    endRest({ endpointId }) {
      resting.delete(endpointId)
      return waitingFor(endpointId)
    },
  }

  function waitingFor(endpointId: string): Waiting {
    const isShort = (left.get(endpointId) ?? perEndpoint) <= 0
    if (failing.has(endpointId)) return isShort || roomForFailingIsShort ? 'failing' : undefined
    return isShort ? 'answering' : undefined
  }

  /** What may be added without having more than three places for each that is free then. */
  function roomOfOrganisation(now: number): number {
    const room = Math.ceil((placesPerFreeOne * (inAll - taken) - now) / (placesPerFreeOne + 1))
    return Math.max(0, Math.min(organisationTurn, room))
  }

  /** Attempts that are still under way change sides with their endpoint. */
  function mark(endpointId: string, outcome: Parameters<Places['giveBack']>[1], underWay: number, retryAt: Date | undefined): void {
    if (outcome === 'broken off') return
    const wasFailing = failing.delete(endpointId)
    if (outcome === 'delivered') {
      if (wasFailing) takenByFailing -= underWay
      return
    }
    const until = Math.max(clock.now().getTime() + failingForMilliseconds, (retryAt?.getTime() ?? 0) + retryGraceMilliseconds)
    failing.set(endpointId, until)
    if (!wasFailing) takenByFailing += underWay
  }

  /** Those with attempts under way stay: they are counted among the failing ones. */
  function forgetFormerFailures(): void {
    const now = clock.now().getTime()
    for (const [endpointId, until] of failing) {
      const isOver = until <= now || failing.size > failingMax
      if (isOver && !busy.has(endpointId)) failing.delete(endpointId)
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
