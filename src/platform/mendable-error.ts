/** An error that says apart from what is wrong what mends it. */
export class MendableError extends Error {
  override readonly name = 'MendableError'
  readonly seen: string
  readonly remedy: string

  /** @param seen a sentence without its full stop, as is the remedy */
  constructor(seen: string, remedy: string) {
    super(`${seen}. ${remedy}`)
    this.seen = seen
    this.remedy = remedy
  }
}
