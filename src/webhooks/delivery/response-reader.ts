import type { Dispatcher } from 'undici'

const storedMaxBytes = 2_048

/** The stored part of a receiver's response. */
export interface ReceivedResponse {
  status: number
  retryAfter: string | undefined
  /** The first 2 KiB of the body. */
  body: string
}

/**
 * Reads the stored part of a response, and reports once how the exchange ended. It replaces undici's `request`, whose body stream, abort
 * signal and asynchronous resource cost more than everything else in an attempt.
 */
export class ResponseReader implements Dispatcher.DispatchHandler {
  readonly #onEnd: (response: ReceivedResponse | undefined, failure: unknown) => void
  readonly #chunks: Buffer[] = []
  #bytes = 0
  #controller: Dispatcher.DispatchController | undefined
  #head: Pick<ReceivedResponse, 'status' | 'retryAfter'> | undefined
  #hasEnded = false

  /** @param onEnd gets the response, or the reason for its absence; an incomplete body is no failure, since the status has arrived */
  constructor(onEnd: (response: ReceivedResponse | undefined, failure: unknown) => void) {
    this.#onEnd = onEnd
  }

  /** Ends the exchange now. */
  abort(failure?: Error): void {
    this.#end(failure)
    this.#controller?.abort(failure ?? new Error('Enough has been read'))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // It was aborted before it had a connection.
    if (this.#hasEnded) controller.abort(new Error('Too late'))
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, { 'retry-after': retryAfter }: Record<string, unknown>): void {
    const isInterim = status < 200
    if (!isInterim) this.#head = { status, retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined }
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes >= storedMaxBytes) this.abort()
  }

  onResponseEnd(): void {
    this.#end()
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#end(error)
  }

  #end(failure?: Error): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#onEnd(this.#head && { ...this.#head, body: this.#body() }, failure)
  }

  #body(): string {
    // PostgreSQL's text type stores every character except this one.
    return Buffer.concat(this.#chunks).subarray(0, storedMaxBytes).toString('utf8').replaceAll('\0', '')
  }
}
