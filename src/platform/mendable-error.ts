/** An error that states the remedy separately from the problem. */
export class MendableError extends Error {
  override readonly name: string = 'MendableError'
  readonly seen: string
  readonly remedy: string

  /** @param seen a sentence without its full stop, like the remedy */
  constructor(seen: string, remedy: string) {
    super(`${seen}. ${remedy}`)
    this.seen = seen
    this.remedy = remedy
  }
}
