import { Socket } from 'node:net'

/**
 * A socket that sends together what is written to it in one turn of the event loop. A transaction's beginning goes with its
 * first statement, and requests that came together ask their questions together: as many system calls less, and the
 * database wakes up once.
 */
export class GatheringSocket extends Socket {
  #gathers = false

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

  override write(message: Uint8Array | string, sent?: (error?: Error | null) => void): boolean
  override write(message: Uint8Array | string, encoding?: BufferEncoding, sent?: (error?: Error | null) => void): boolean
  override write(message: Uint8Array | string, ...rest: never[]): boolean {
    this.cork()
    return super.write(message, ...rest)
  }
}
