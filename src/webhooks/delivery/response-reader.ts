import type { Dispatcher } from 'undici'

const keptMaxBytes = 2_048

/** What a receiver answered. */
export interface Answer {
  status: number
  retryAfter: string | undefined
  /** The first 2 KiB of the body. */
  body: string
}

/**
 * Reads as much of an answer as is kept, and says once how the exchange ended. It stands where undici's `request` would put
 * a stream for the body, an abort signal with its listeners and an asynchronous resource, which cost more than the rest of
 * an attempt.
 */
export class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #onEnd: (answer: Answer | undefined, failure: unknown) => void
  readonly #chunks: Buffer[] = []
  #bytes = 0
  #controller: Dispatcher.DispatchController | undefined
  #head: Pick<Answer, 'status' | 'retryAfter'> | undefined
  #hasEnded = false

  /** @param onEnd gets the answer, or why there was none; a body that breaks off changes nothing, since the status has come */
  constructor(onEnd: (answer: Answer | undefined, failure: unknown) => void) {
    this.#onEnd = onEnd
  }

  /** Ends the exchange where it stands. */
  giveUp(failure?: Error): void {
    this.#end(failure)
    this.#controller?.abort(failure ?? new Error('Enough has been read'))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // Given up while it was waiting for a connection.
    if (this.#hasEnded) controller.abort(new Error('Too late'))
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, { 'retry-after': retryAfter }: Record<string, unknown>): void {
    const isInterim = status < 200
    if (!isInterim) this.#head = { status, retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined }
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes >= keptMaxBytes) this.giveUp()
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
    // PostgreSQL's text holds every character but this one.
    return Buffer.concat(this.#chunks).subarray(0, keptMaxBytes).toString('utf8').replaceAll('\0', '')
  }
}
