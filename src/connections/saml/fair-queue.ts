/** Items that wait, each for an owner. Owners take turns: what one of them adds holds up another by one item at a time. */
export interface FairQueue<Item> {
  readonly length: number
  /**
   * Adds an item.
   *
   * @returns the item that there is no room for: of a full queue the latest one of the owner with the most, which may be the added one
   */
  add(owner: string, item: Item): Item | undefined
  /** Takes the next item out. */
  take(): Item | undefined
  takeAll(): Item[]
}

export function createFairQueue<Item>(max: number): FairQueue<Item> {
  /** The owner whose turn it is comes first. */
  const queues = new Map<string, Item[]>()
  let length = 0

  function push(owner: string, item: Item): void {
    const own = queues.get(owner)
    if (own) own.push(item)
    else queues.set(owner, [item])
    length++
  }

  return {
    get length() {
      return length
    },
    add(owner, item) {
      if (length < max) {
        push(owner, item)
        return undefined
      }
      const own = queues.get(owner)?.length ?? 0
      const longest = [...queues.values()].reduce((one, other) => (other.length > one.length ? other : one), [])
      // An owner alone may use all of it, but gives way until the others have as much.
      if (longest.length <= own + 1) return item
      const displaced = longest.pop()
      length--
      push(owner, item)
      return displaced
    },
    take() {
      const [next] = queues
      if (!next) return undefined
      const [owner, own] = next
      const item = own.shift()
      length--
      queues.delete(owner)
      if (own.length > 0) queues.set(owner, own)
      return item
    },
    takeAll() {
      const items = [...queues.values()].flat()
      queues.clear()
      length = 0
      return items
    },
  }
}
