let isBegun = false
const listeners = new Set<() => void>()

/** Whether the user follows the first steps in this tab. */
export const following = {
  isOn: () => isBegun,
  begin: () => set(true),
  end: () => set(false),
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

function set(next: boolean) {
  isBegun = next
  for (const listener of listeners) listener()
}
