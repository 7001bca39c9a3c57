import { Problem } from '../api/problem.ts'
import { describeFieldError } from './describe-mistake.ts'
import { describeProblem, loadChangeRefusals } from './describe-problem.ts'

const atOnce = 4

/** The most items of one run. */
export const atMost = 100

/** An item that the action leaves as it is, with the reason to show. */
export class NotDone extends Error {}

/** The results of an action on many items, each list in the order of the items. */
export interface Worked<Item> {
  done: Item[]
  failed: { item: Item; reason: string }[]
  /** Items that were not started, since the action was stopped. */
  left: Item[]
}

/** Runs an action on many items, four at a time. A refusal is reported for its item, and the others continue. */
export async function workThrough<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  { onProgress, isCancelled }: { onProgress?: (settled: number) => void; isCancelled?: () => boolean } = {},
): Promise<Worked<Item>> {
  const reasons = new Map<number, string | undefined>()
  let next = 0
  const one = async () => {
    while (next < items.length && !isCancelled?.()) {
      const index = next++
      const reason = await reasonOf(work(items[index] as Item))
      reasons.set(index, reason)
      onProgress?.(reasons.size)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return {
    done: items.filter((_, index) => reasons.has(index) && reasons.get(index) === undefined),
    failed: items.flatMap((item, index) => {
      const reason = reasons.get(index)
      return reason === undefined ? [] : [{ item, reason }]
    }),
    left: items.slice(next),
  }
}

/** The reason why an item was not done: the API refused its call, or the action itself leaves it; undefined when it was done. */
async function reasonOf(call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call
    return undefined
  } catch (error) {
    if (error instanceof NotDone) return error.message
    if (!(error instanceof Problem)) throw error
    await loadChangeRefusals()
    return error.fields.length > 0 ? error.fields.map(describeFieldError).join('. ') : describeProblem(error).text
  }
}
