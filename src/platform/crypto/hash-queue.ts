/** The purpose of a hash: a sign-in, or a new password, which takes many. */
export type HashLane = 'signIn' | 'choosing'

export interface HashQueueLimits {
  /** The number of hashes that run concurrently. */
  atOnce: number
  /** The most hashes of each lane that may be queued; further ones are refused. */
  waitingMost: Readonly<Record<HashLane, number>>
}

/** The number of sign-ins that overtake a new password before its turn. */
const signInsInARow = 3

/**
 * A bounded queue of hashes. New passwords, which are compared with all former ones, get half of the slots and at most every fourth turn:
 * however many hashes one of them causes, a sign-in waits for few of them.
 *
 * @param refusal creates the error for work that exceeds the queue
 * @returns a function that runs work at its turn
 */
export function createHashQueue({ atOnce, waitingMost }: HashQueueLimits, refusal: () => Error) {
  const waiting: Record<HashLane, (() => void)[]> = { signIn: [], choosing: [] }
  const running: Record<HashLane, number> = { signIn: 0, choosing: 0 }
  const choosingAtOnce = Math.max(1, Math.floor(atOnce / 2))
  let inARow = 0

  const hasPlace = (lane: HashLane) =>
    running.signIn + running.choosing < atOnce && (lane === 'signIn' || running.choosing < choosingAtOnce)

  function startNext(): void {
    const mayChoose = waiting.choosing.length > 0 && hasPlace('choosing')
    const lane: HashLane = waiting.signIn.length === 0 || (mayChoose && inARow >= signInsInARow) ? 'choosing' : 'signIn'
    if (!hasPlace(lane)) return
    const start = waiting[lane].shift()
    if (!start) return
    inARow = lane === 'signIn' ? inARow + 1 : 0
    running[lane]++
    start()
  }

  return async <T>(lane: HashLane, work: () => Promise<T>): Promise<T> => {
    if (hasPlace(lane) && waiting[lane].length === 0) running[lane]++
    else {
      if (waiting[lane].length >= waitingMost[lane]) throw refusal()
      await new Promise<void>((resolve) => waiting[lane].push(resolve))
    }
    try {
      return await work()
    } finally {
      running[lane]--
      startNext()
    }
  }
}
