/** What a hash is for: a sign-in, or a new password, which takes many. */
export type HashLane = 'signIn' | 'choosing'

export interface HashQueueLimits {
  /** How many hashes are made at the same time. */
  atOnce: number
  /** How many of each lane may wait; who comes then is refused. */
  waitingMost: Readonly<Record<HashLane, number>>
}

/** How many sign-ins are let past those who choose a password, before one of these has its turn. */
const signInsInARow = 3

/**
 * A bounded queue of hashes. Those who choose a password, whose former ones are all compared, get half of the places and
 * at most each fourth turn: however many hashes one of them causes, a sign-in waits for few of them.
 *
 * @param refusal what is thrown when too many wait
 * @returns runs work when it is its turn
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
