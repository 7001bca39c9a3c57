import { cannotGrant } from './refusals.ts'
import { permissionBeyond } from './rules.ts'

/**
 * Refuses to let a caller hand out more than they hold.
 *
 * @param granted slugs of permissions
 * @throws Problem `forbidden`, naming the first permission that the caller lacks
 */
export function refuseGrantBeyond(caller: Parameters<typeof permissionBeyond>[0], granted: Iterable<string>): void {
  const beyond = permissionBeyond(caller, granted)
  if (beyond !== undefined) throw cannotGrant(beyond)
}
