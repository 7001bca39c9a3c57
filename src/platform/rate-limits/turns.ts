/**
 * Lets only so many work under the same key at a time, in this process; the others wait in line.
 *
 * @returns what runs work when it is its turn
 */
export function createTurns(atOnce: number): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const lines = new Map<string, { running: number; waiting: (() => void)[] }>()

  return async (key, work) => {
    const line = lines.get(key) ?? { running: 0, waiting: [] }
    lines.set(key, line)
    if (line.running >= atOnce) await new Promise<void>((resolve) => line.waiting.push(resolve))
    else line.running++
    try {
      return await work()
    } finally {
      const next = line.waiting.shift()
      if (next) next()
      else line.running--
      if (line.running === 0) lines.delete(key)
    }
  }
}
