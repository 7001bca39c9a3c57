/** Why lists are not read from a server that may work otherwise. */
export class UnfitReplica extends Error {
  override readonly name = 'UnfitReplica'
  readonly seen: string
  readonly remedy: string

  /** @param seen a sentence without its full stop, like the remedy */
  constructor(seen: string, remedy: string) {
    super(`${seen}. ${remedy}`)
    this.seen = seen
    this.remedy = remedy
  }
}
