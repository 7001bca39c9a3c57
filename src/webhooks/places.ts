const inAll = 400
const perEndpoint = 10
const failingShare = 0.5

/**
 * How many attempts this process makes at a time, in all and to each endpoint. An endpoint whose last attempt failed
 * gets one place instead of ten, and all such endpoints together no more than half: however many receivers are dead or
 * slow, the others find room.
 */
export interface Places {
  readonly perEndpoint: number
  free(): number
  /** What the endpoints that cannot have their full number may still have. */
  rooms(): { endpointId: string; places: number }[]
  take(endpointId: string): void
  giveBack(endpointId: string, outcome: 'delivered' | 'retry' | 'failed' | 'broken off'): void
  /** Whether somebody may have been left waiting since it was last asked. */
  wasShort(): boolean
}

export function createPlaces(): Places {
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

    rooms() {
      const full = takenByFailing >= inAll * failingShare
      const known = new Set([...busy.keys(), ...failing])
      return [...known].map((endpointId) => {
        const most = failing.has(endpointId) ? (full ? 0 : 1) : perEndpoint
        const left = Math.max(0, most - (busy.get(endpointId) ?? 0))
        if (left === 0) short = true
        return { endpointId, places: left }
      })
    },

    take(endpointId) {
      const now = (busy.get(endpointId) ?? 0) + 1
      busy.set(endpointId, now)
      taken++
      if (failing.has(endpointId)) takenByFailing++
      if (now >= (failing.has(endpointId) ? 1 : perEndpoint) || taken >= inAll) short = true
    },

    giveBack(endpointId, outcome) {
      const before = busy.get(endpointId) ?? 1
      if (before > 1) busy.set(endpointId, before - 1)
      else busy.delete(endpointId)
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

  /** Attempts that are still under way change sides with their endpoint. */
  function mark(endpointId: string, outcome: Parameters<Places['giveBack']>[1], underWay: number): void {
    if (outcome === 'delivered' && failing.delete(endpointId)) takenByFailing -= underWay
    else if ((outcome === 'retry' || outcome === 'failed') && !failing.has(endpointId)) {
      failing.add(endpointId)
      takenByFailing += underWay
    }
  }
}
