interface Entry<Message> {
  message: Message
  isTaken: boolean
}

/** Messages in the order of their arrival. A test takes each of them once, and may wait for the next. */
export class Inbox<Message> {
  #messages: Entry<Message>[] = []
  readonly #waiting = new Set<() => void>()

  add(message: Message): void {
    this.#messages.push({ message, isTaken: false })
    if (this.#messages.length > messagesMax) this.#messages.shift()
    for (const look of this.#waiting) look()
  }

  /** Those that match, taken or not, the oldest first. */
  all(isMeant: (message: Message) => boolean): Message[] {
    return this.#messages.map(({ message }) => message).filter(isMeant)
  }

  /** Takes the oldest that matches and has not been taken; undefined without one. */
  take(isMeant: (message: Message) => boolean): Message | undefined {
    const found = this.#messages.find(({ message, isTaken }) => !isTaken && isMeant(message))
    if (found) found.isTaken = true
    return found?.message
  }

  /** As {@link take}, but waits for one for as long as this. */
  async next(isMeant: (message: Message) => boolean, timeoutMilliseconds: number): Promise<Message | undefined> {
    const { promise, resolve } = Promise.withResolvers<Message | undefined>()
    const look = () => {
      const message = this.take(isMeant)
      if (message !== undefined) resolve(message)
    }
    const timer = setTimeout(resolve, timeoutMilliseconds, undefined)
    this.#waiting.add(look)
    look()
    try {
      return await promise
    } finally {
      this.#waiting.delete(look)
      clearTimeout(timer)
    }
  }

  clear(): void {
    this.#messages = []
  }

  /** The state for a snapshot. */
  state(): unknown {
    return this.#messages.map((entry) => ({ ...entry }))
  }

  restore(state: unknown): void {
    this.#messages = (state as Entry<Message>[]).map((entry) => ({ ...entry }))
  }
}

/** A long test run must not fill the memory. */
const messagesMax = 10_000
