import type { UserCaller } from '../access/caller.ts'
import { presentUser } from '../accounts/present-user.ts'
import { getUser } from '../accounts/queries.ts'
import { record } from '../activity/record.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import { endAccess } from '../sessions/end-access.ts'
import { checkNewPassword, withinLimit } from './check-new-password.ts'
import { matchOwnPassword, withOwnPassword } from './own-password.ts'
import { wrongCurrentPassword } from './refusals.ts'
import { type PasswordReplacement, replacePassword } from './replace-password.ts'
import type { PasswordChange } from './schemas.ts'
import { sendChangeNotice } from './send-links.ts'

/**
 * Changes the caller's password, and ends the other sessions and the applications' access in the caller's name. A wrong current password
 * counts as a failed sign-in.
 *
 * @throws Problem `bad-request` for a wrong current password, without one, or with everything that is wrong with the new one;
 *   `too-many-requests`
 */
export async function changePassword(
  dependencies: PasswordReplacement,
  caller: UserCaller,
  { currentPassword, newPassword }: PasswordChange,
  language: Language | undefined,
): Promise<void> {
  const { database, limits, passwordHasher } = dependencies
  const { userId, id: sessionId } = caller.session
  const own = database.tenant(caller.organisationId)
  const matchCurrent = () => matchOwnPassword(dependencies, caller, currentPassword, 'wrong current password')
  const currentHash = await matchCurrent()
  if (currentHash === undefined) throw wrongCurrentPassword()
  const user = await getUser(own, userId)

  await withinLimit(limits.passwordChangesByUser, userId, () => checkNewPassword(dependencies, own, user, newPassword, 'newPassword'))
  const passwordHash = await passwordHasher.hash(newPassword)
  const change = async (tenant: Tenant) => {
    await replacePassword(tenant, userId, passwordHash)
    await endAccess(tenant, caller.actor, userId, { exceptSessionId: sessionId })
    await sendChangeNotice(tenant, dependencies, user, language)
    await record(tenant, caller.actor, { action: 'user.password_changed', user: presentUser(await getUser(tenant, userId)) })
    return { isChanged: true }
  }
  if (!(await withOwnPassword(dependencies, caller, matchCurrent, change, currentHash))) throw wrongCurrentPassword()
}
