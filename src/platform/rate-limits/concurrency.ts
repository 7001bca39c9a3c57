/**
 * Limits how much work with the same key runs at a time in this process; the rest is queued.
 *
 * @returns a function that runs work when its key has a free slot
 */
export function limitConcurrency(max: number): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const queues = new Map<string, { running: number; waiting: (() => void)[] }>()

  return async (key, work) => {
    const queue = queues.get(key) ?? { running: 0, waiting: [] }
    queues.set(key, queue)
    if (queue.running >= max) await new Promise<void>((resolve) => queue.waiting.push(resolve))
    else queue.running++
    try {
      return await work()
    } finally {
      const next = queue.waiting.shift()
      if (next) next()
      else queue.running--
      if (queue.running === 0) queues.delete(key)
    }
  }
}
