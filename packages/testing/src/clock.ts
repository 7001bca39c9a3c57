import type { Controls } from './controls.ts'

export interface Duration {
  days?: number
  hours?: number
  minutes?: number
  seconds?: number
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
   * Reads the time of the service again. Every call of a control does so: it is needed only where another process has moved the time, and this
   * one has called no control since.
   */
  sync(): Promise<void>
  /**
   * The time of the service in milliseconds since 1970, for the `clock` option of the application's own libraries. It can be passed on
   * without the object.
   */
  now(): number
}

/** How the service says its time: `2026-01-01T00:00:00.000Z; moves=3; frozen`. */
const stated = /^(\S+); moves=(\d+)(; frozen)?$/

export function clockOf(controls: Controls): Clock {
  let offset = 0
  let frozenAt: number | undefined
  let movesHeard = -1
  controls.heard = (clock) => {
    const [, now = '', moves, frozen] = stated.exec(clock) ?? []
    // Of two responses the later one may arrive first.
    if (moves === undefined || Number(moves) <= movesHeard) return
    movesHeard = Number(moves)
    const time = Date.parse(now)
    frozenAt = frozen === undefined ? undefined : time
    offset = time - Date.now()
  }
  const move = (path: string, body?: unknown) => controls.post(`/clock/${path}`, body)
  return {
    advance: (by) => move('advance', by),
    set: (time) => move('set', { time: time.toISOString() }),
    freeze: () => move('freeze'),
    real: () => move('real'),
    now: () => frozenAt ?? Date.now() + offset,
    sync: () => controls.get('/clock'),
  }
}
