/** How the edge of the service fails: by a status, by closing the connection, or by being slow. */
export interface Fault {
  /** The path, or its beginning if it ends in `*`. */
  path: string
  /** Any, if it is undefined. */
  method?: string | undefined
  status: number | 'reset' | 'slow'
  /** How many requests it meets. */
  times: number
  /** How long the response waits. */
  delayMilliseconds: number
}

const faultsMax = 1_000

/** The faults that are left, in the order in which they were asked for. */
export class Faults {
  #left: Fault[] = []

  /** @returns false when there are too many already */
  add(fault: Fault): boolean {
    if (this.#left.length >= faultsMax) return false
    this.#left.push({ ...fault })
    return true
  }

  /** Takes the fault that a request meets, if any. */
  take(method: string, path: string): Fault | undefined {
    const fault = this.#left.find((one) => (one.method ?? method) === method && isMet(one.path, path))
    if (!fault) return undefined
    fault.times--
    if (fault.times <= 0) this.#left = this.#left.filter((one) => one !== fault)
    return fault
  }

  get left(): readonly Fault[] {
    return this.#left
  }

  set left(faults: readonly Fault[]) {
    this.#left = faults.map((fault) => ({ ...fault }))
  }
}

const isMet = (pattern: string, path: string) => (pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern)
