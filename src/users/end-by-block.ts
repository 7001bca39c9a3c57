import type { Actor } from '../activity/actor.ts'
import { endAddressLinks, endMailedLinks } from '../passwords/action-links.ts'
import type { Tenant } from '../platform/database/database.ts'
import { endAccess } from '../sessions/end-access.ts'
import { endSetupLinks } from '../sessions/end-setup-links.ts'

/**
 * Ends what a block ends: sessions, tokens, authorization codes, set-up links, and the links that were mailed. None of it works again when
 * the block is lifted. The caller has locked the row of the user.
 *
 * @param exceptFirstPassword leaves the link that sets a password: by it a user begins who was blocked until their first day
 */
export async function endByBlock(tenant: Tenant, actor: Actor, userId: string, { exceptFirstPassword = false } = {}): Promise<void> {
  await endAccess(tenant, actor, userId)
  await endSetupLinks(tenant, actor, { because: 'right_lost', userId })
  await (exceptFirstPassword ? endAddressLinks : endMailedLinks)(tenant, userId)
}
