/** Why lists are not read from a server that may work otherwise; the message continues with the remedy. */
export class UnfitReplica extends Error {
  override readonly name = 'UnfitReplica'
}
