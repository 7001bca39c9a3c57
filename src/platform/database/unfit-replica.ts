/** Why lists are not read from a server that may be all right otherwise; the message goes on with what mends it. */
export class UnfitReplica extends Error {
  override readonly name = 'UnfitReplica'
}
