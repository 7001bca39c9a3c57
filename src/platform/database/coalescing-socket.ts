import { Socket, type SocketConnectOpts } from 'node:net'

/**
 * A socket that coalesces the writes of one turn of the event loop into one system call. The beginning of a transaction is sent with its
 * first statement, and concurrent requests send their statements together: the database wakes up once.
 */
export class CoalescingSocket extends Socket {
  #isCoalescing = false

  /** Node's own assigns its `write` to a socket that connects, past the one of this class. */
  override connect(options: SocketConnectOpts, connected?: () => void): this
  override connect(port: number, host: string, connected?: () => void): this
  override connect(port: number, connected?: () => void): this
  override connect(path: string, connected?: () => void): this
  override connect(...to: unknown[]): this {
    super.connect(...(to as [never]))
    Reflect.deleteProperty(this, 'write')
    return this
  }

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
  override _writev(messages: { chunk: Buffer | string; encoding: BufferEncoding }[], sent: (error?: Error | null) => void): void {
    const chunks = messages.map(({ chunk, encoding }) => (typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk))
    this._write(Buffer.concat(chunks), 'buffer' as BufferEncoding, sent)
  }

  override write(message: Uint8Array | string, sent?: (error?: Error | null) => void): boolean
  override write(message: Uint8Array | string, encoding?: BufferEncoding, sent?: (error?: Error | null) => void): boolean
  override write(message: Uint8Array | string, ...rest: never[]): boolean {
    this.cork()
    return super.write(message, ...rest)
  }
}
