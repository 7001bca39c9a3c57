import { Socket } from 'node:net'

/**
 * A socket that sends together what is written to it in one turn of the event loop. Requests that came together ask their
 * questions together: as many system calls less, and the database wakes up once.
 */
export class GatheringSocket extends Socket {
  #gathers = false

  /** Begins to gather, for whoever writes several messages and then uncorks. */
  override cork(): void {
    if (this.#gathers) return
    this.#gathers = true
    super.cork()
    setImmediate(() => {
      this.#gathers = false
      super.uncork()
    })
  }

  /** What is gathered goes at the end of the turn. */
  override uncork(): void {}
}
