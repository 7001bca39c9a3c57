import { MendableError } from '../mendable-error.ts'

/** Why lists are not read from a server that may work otherwise. */
export class UnfitReplica extends MendableError {
  override readonly name = 'UnfitReplica'
}
