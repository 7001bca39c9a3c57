import { coolDownMilliseconds } from './policies.ts'
import { type StartTimer, startTimer } from './timer.ts'

/** The endpoints that get no attempt for a moment, since two consecutive ones got no response. */
export interface CoolDowns {
  begin(endpointId: string): void
  has(endpointId: string): boolean
  ids(): readonly string[]
  /** Ends every cool-down now. */
  endAll(): void
}

/** @param onEnd called when an endpoint's cool-down is over */
export function createCoolDowns(onEnd: (endpointId: string) => void, start: StartTimer = startTimer): CoolDowns {
  const cancels = new Map<string, () => void>()

  function end(endpointId: string): void {
    cancels.get(endpointId)?.()
    cancels.delete(endpointId)
    onEnd(endpointId)
  }

  return {
    begin(endpointId) {
      if (!cancels.has(endpointId))
        cancels.set(
          endpointId,
          start(coolDownMilliseconds, () => end(endpointId)),
        )
    },
    has: (endpointId) => cancels.has(endpointId),
    ids: () => [...cancels.keys()],
    endAll() {
      for (const endpointId of [...cancels.keys()]) end(endpointId)
    },
  }
}
