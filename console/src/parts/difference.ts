/** Where two texts differ. */
export interface Difference {
  /** What both begin with. */
  same: string
  /** The first character that differs, as each has it; empty where the text ends there. */
  first: { one: string; other: string }
  rest: { one: string; other: string }
}

/** Finds the first character in which two texts differ. A character outside the basic plane is not cut in two. */
export function differenceOf(one: string, other: string): Difference {
  const [ones, others] = [[...one], [...other]]
  const index = ones.findIndex((character, at) => character !== others[at])
  const at = index === -1 ? ones.length : index
  return {
    same: ones.slice(0, at).join(''),
    first: { one: ones[at] ?? '', other: others[at] ?? '' },
    rest: { one: ones.slice(at + 1).join(''), other: others.slice(at + 1).join('') },
  }
}

/** The text of the list that has most in common with this one, at its start and at its end; undefined for an empty list. */
export function nearestTo(text: string, list: readonly string[]): string | undefined {
  if (list.includes(text)) return text
  let best: { text: string; likeness: number } | undefined
  for (const candidate of list) {
    const likeness = commonStart(candidate, text) + commonStart(reversed(candidate), reversed(text))
    if (!best || likeness > best.likeness) best = { text: candidate, likeness }
  }
  return best?.text
}

const reversed = (text: string) => [...text].reverse().join('')

function commonStart(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let length = 0
  while (length < most && one[length] === other[length]) length++
  return length
}
