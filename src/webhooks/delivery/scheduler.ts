import type { Clock } from '../../platform/clock.ts'
import { startWorker } from '../../platform/jobs/worker.ts'
import { claimPolicy } from './policies.ts'
import type { Demand } from './slots.ts'
import { type StartTimer, startTimer } from './timer.ts'

/** Decides when the engine claims: when it is woken or polled, when slots were released, and when a retry is due. */
export interface Scheduler {
  /** Claims as soon as the running claim is done. */
  wake(): void
  /** Claims for endpoints that may need a released slot, once for all slots released within a short time. */
  claimFor(demand: Demand): void
  /** Claims when a retry is due, if that is soon; the poll finds the others, and those of other processes. */
  claimAt(time: Date): void
  /** Makes one claim; @returns whether there may be more to claim at once */
  claimNow(): Promise<boolean>
  /** Lets the running claim finish and starts no other. */
  stop(): Promise<void>
}

export function startScheduler(
  claim: () => Promise<boolean>,
  { clock, onError, start = startTimer }: { clock: Clock; onError: (error: unknown) => void; start?: StartTimer },
): Scheduler {
  let running: Promise<boolean> = Promise.resolve(false)
  const debounced = new Set<Demand>()
  const { pollMilliseconds, debounceMilliseconds, timerMaxMilliseconds } = claimPolicy
  const worker = startWorker(claimNow, { pollMilliseconds, onError })

  /** Runs one claim at a time: a second walk over the queue would meet the locks of the first. */
  function claimNow(): Promise<boolean> {
    const next = running.then(claim)
    running = next.catch(() => false)
    return next
  }

  return {
    wake: worker.wake,
    claimFor(demand) {
      if (!demand || debounced.has(demand)) return
      debounced.add(demand)
      start(debounceMilliseconds[demand], () => {
        debounced.delete(demand)
        worker.wake()
      })
    },
    claimAt(time) {
      const wait = time.getTime() - clock.now().getTime()
      if (wait < timerMaxMilliseconds) start(Math.max(0, wait), worker.wake)
    },
    claimNow,
    stop: worker.stop,
  }
}
