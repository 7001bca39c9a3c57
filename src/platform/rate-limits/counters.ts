/** How often something may happen. */
export interface Limit {
  max: number
  /** A window opens with the first count and lasts this long. */
  windowSeconds: number
}

/** Counts things by key, so that no more than a limit of them happen in one window. */
export interface Counters {
  /**
   * Counts one, atomically, unless the window is full: what is refused is not counted, so that being refused never makes
   * the wait longer.
   *
   * @returns when the window ends, if it was full; undefined when it counted
   */
  take(key: string, limit: Limit): Promise<Date | undefined>
  /** @returns when the window ends, if it is full. Counts nothing. */
  fullUntil(key: string, limit: Limit): Promise<Date | undefined>
  /** Takes one off again. */
  giveBack(key: string): Promise<void>
  close(): Promise<void>
}
