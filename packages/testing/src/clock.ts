import type { Controls } from './controls.ts'

export interface Duration {
  days?: number
  hours?: number
  minutes?: number
  seconds?: number
}

interface ClockState {
  now: string
  isFrozen: boolean
}

/** The time of the service. Whatever is due by a move has been done when its promise resolves. */
export interface Clock {
  advance(by: Duration): Promise<void>
  set(time: Date): Promise<void>
  /** From now on only the test moves the time. */
  freeze(): Promise<void>
  /** Returns to the real time. */
  real(): Promise<void>
  /**
   * The time of the service in milliseconds since 1970, for the `clock` option of the application's own libraries. It can be passed on
   * without the object.
   */
  now(): number
}

export function clockOf(controls: Controls): Clock & { reread(): Promise<void> } {
  let offset = 0
  let frozenAt: number | undefined
  const follow = ({ now, isFrozen }: ClockState) => {
    const time = Date.parse(now)
    frozenAt = isFrozen ? time : undefined
    offset = time - Date.now()
  }
  const move = async (path: string, body?: unknown) => follow(await controls.post<ClockState>(`/clock/${path}`, body))
  return {
    advance: (by) => move('advance', by),
    set: (time) => move('set', { time: time.toISOString() }),
    freeze: () => move('freeze'),
    real: () => move('real'),
    now: () => frozenAt ?? Date.now() + offset,
    reread: async () => follow(await controls.get<ClockState>('/clock')),
  }
}
