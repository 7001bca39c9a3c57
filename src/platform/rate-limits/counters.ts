/** How often something may happen. */
export interface Limit {
  max: number
  /** A window opens with the first count and lasts this long. */
  windowSeconds: number
}

export type Taken = { readonly count: number } | { readonly fullUntil: Date }

/** Counts things by key, so that no more than a limit of them happen in one window. */
export interface Counters {
  /**
   * Counts one, atomically, unless the window is full: what is refused is not counted, so that being refused never makes
   * the wait longer.
   *
   * @returns how many there are with this one, or when the window ends, if it was full
   */
  take(key: string, limit: Limit): Promise<Taken>
  /** @returns when the window ends, if it is full. Counts nothing. */
  fullUntil(key: string, limit: Limit): Promise<Date | undefined>
  /** Takes one off the count. */
  release(key: string): Promise<void>
  /** Makes the window full until then: for a limit that is known to be used up by who has lost the count. */
  fill(key: string, limit: Limit, until: Date): Promise<void>
  /** Takes all off, as if the window had ended. */
  forget(key: string): Promise<void>
  close(): Promise<void>
}
