/** A limit on how often something may happen. */
export interface Limit {
  max: number
  /** A window opens with the first count and lasts this long. */
  windowSeconds: number
}

export type Taken = { readonly count: number } | { readonly fullUntil: Date }

/** Counts events by key, so that no more than a limit of them happen in one window. */
export interface Counters {
  /**
   * Counts one, atomically, unless the window is full. A refused attempt is not counted, so it never prolongs the wait.
   *
   * @returns the count including this one, or the end of the window if it was full
   */
  take(key: string, limit: Limit): Promise<Taken>
  /** @returns the end of the window, if it is full. It counts nothing. */
  fullUntil(key: string, limit: Limit): Promise<Date | undefined>
  /** Decrements the count. */
  release(key: string): Promise<void>
  /** Fills the window until then: for a limit that is known to be used up although its count was lost. */
  fill(key: string, limit: Limit, until: Date): Promise<void>
  /** Sets the count to zero, as if the window had ended. */
  forget(key: string): Promise<void>
  /** Forgets every key. Counters that processes share lack it. */
  forgetAll?(): void
  close(): Promise<void>
}
