import { Socket } from 'node:net'

/**
 * A socket that coalesces the writes of one turn of the event loop into one system call. The beginning of a transaction is sent with its
 * first statement, and concurrent requests send their statements together: the database wakes up once.
 */
export class CoalescingSocket extends Socket {
  #isCoalescing = false

  override cork(): void {
    if (this.#isCoalescing) return
    this.#isCoalescing = true
    super.cork()
    setImmediate(() => {
      this.#isCoalescing = false
      super.uncork()
    })
  }

  /** Uncorked at the end of the turn. */
  override uncork(): void {}

  /**
   * Flushes first, as every socket does. A stream that is flushed after its end does not notice that it has nothing left to send: it would
   * never close, and a query that awaits a response on it would hang for ever.
   */
  override end(sent?: () => void): this
  override end(message: Uint8Array | string, sent?: () => void): this
  override end(message: string, encoding?: BufferEncoding, sent?: () => void): this
  override end(...message: never[]): this {
    super.uncork()
    return super.end(...message)
  }

  /** Joins the chunks: passing many small ones to the system costs Node more than copying them. */
  override _writev(messages: { chunk: Buffer }[], sent: (error?: Error | null) => void): void {
    this._write(Buffer.concat(messages.map(({ chunk }) => chunk)), 'buffer' as BufferEncoding, sent)
  }

  override write(message: Uint8Array | string, sent?: (error?: Error | null) => void): boolean
  override write(message: Uint8Array | string, encoding?: BufferEncoding, sent?: (error?: Error | null) => void): boolean
  override write(message: Uint8Array | string, ...rest: never[]): boolean {
    this.cork()
    return super.write(message, ...rest)
  }
}
