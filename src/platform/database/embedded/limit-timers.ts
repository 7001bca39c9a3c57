/** What Node can wait. It ends a longer timer at once. */
const longestMilliseconds = 2 ** 31 - 1

/**
 * Makes timers of this thread end after at most 24 days. PostgreSQL computes from the wall clock how long it has to wait: when that had been set
 * back by more, its timer ended at once, and it set the next one, for ever.
 */
export function limitTimers(): void {
  globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
    apply: (start, self, [action, milliseconds, ...given]: Parameters<typeof setTimeout>) =>
      Reflect.apply(start, self, [action, Math.min(Number(milliseconds), longestMilliseconds), ...given]),
  })
}
