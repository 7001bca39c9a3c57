/** The results of the tokens that were verified last, by the hash of the token. */
export class SeenTokens<Result> {
  readonly #results = new Map<string, Result>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  get(hash: string): Result | undefined {
    const result = this.#results.get(hash)
    if (result === undefined) return undefined
    // The least recently used one is the first.
    this.#results.delete(hash)
    this.#results.set(hash, result)
    return result
  }

  set(hash: string, result: Result): void {
    this.#results.delete(hash)
    this.#results.set(hash, result)
    if (this.#results.size > this.#max) this.#results.delete(this.#results.keys().next().value as string)
  }
}
