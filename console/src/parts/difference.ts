/** The first difference between two texts. */
export interface Difference {
  /** The common beginning. */
  same: string
  /** The first different character of each text; empty where the text ends there. */
  first: { one: string; other: string }
  rest: { one: string; other: string }
}

/** Finds the first different character of two texts. A character outside the basic plane is not split. */
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

/** The text in the list that has the longest common start and end with this one; undefined for an empty list. */
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
