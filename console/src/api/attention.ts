/** Longer than the pause between two readings of the profile: each input is followed by a read that counts as a use. */
const lastsMilliseconds = 90_000

let last = Date.now()

// Browsers also send movements of a pointer that rests, when the page moves below it. A screen reader that reads the page sends no key: it
// moves the selection, and scrolls.
for (const type of ['keydown', 'pointerdown', 'wheel', 'focus', 'visibilitychange', 'selectionchange', 'scroll'])
  addEventListener(
    type,
    ({ isTrusted }) => {
      if (isTrusted && document.visibilityState === 'visible') last = Date.now()
    },
    { capture: true, passive: true },
  )

/** Whether the user has done anything in this tab lately. What the page reads by itself otherwise is no use of the session. */
export const isAttended = (): boolean => Date.now() - last < lastsMilliseconds
