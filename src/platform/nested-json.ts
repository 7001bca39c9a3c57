/** How deep JSON from outside may be nested: what writes it out again goes down level by level, until the stack is exhausted. */
export const jsonDepthMax = 64

/** Whether a value is nested too deep, decided without recursion: the sender chose the depth. */
export function isNestedTooDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > jsonDepthMax) return true
    level = level.flatMap((entry): unknown[] => (typeof entry === 'object' && entry !== null ? Object.values(entry) : []))
  }
  return false
}

/** A value from outside as JSON, for a person to read. */
export const shownJson = (value: unknown): string => (isNestedTooDeep(value) ? '…' : JSON.stringify(value))
