import type { Caller } from '../access/caller.ts'
import { holdCallerWith } from '../access/hold-caller.ts'
import { presentUser } from '../accounts/present-user.ts'
import { getUser, lockUserWithReferences } from '../accounts/queries.ts'
import { userNotFound } from '../accounts/refusals.ts'
import type { Origin } from '../activity/actor.ts'
import { record } from '../activity/record.ts'
import { findSsoRequirement, type SsoDependencies } from '../domains/sso-requirement.ts'
import { type MailLimits, withinMailLimits } from '../organisations/mail-limits.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import { holdAddressee } from './action-links.ts'
import { findForgetfulUser } from './queries.ts'
import { type LinkSender, sendPasswordLink, sendPasswordLinkAgain } from './send-links.ts'

export interface LinkRequests extends LinkSender, MailLimits, SsoDependencies {}

/**
 * Mails a link that sets a new password to the user with this address, if one exists and may sign in by a password. The caller must not
 * learn whether: the response neither waits for it nor depends on it. A second request within ten minutes mails the same link again: the
 * mails may arrive in any order, and all of them work.
 */
export async function requestPasswordLink(
  requests: LinkRequests,
  origin: Origin,
  email: string,
  language: Language | undefined,
): Promise<void> {
  const { database } = requests
  const user = await findForgetfulUser(database, email)
  if (!user) return
  const requirement = await findSsoRequirement(requests, email)
  const isAddressee = user.isAddressee && !requirement?.binds(user)
  const send = async (tenant: Tenant) => {
    // The user may have been blocked since. In vain, it does not matter who it is.
    if (!(await holdAddressee(tenant, user.id)) && isAddressee) return
    await sendPasswordLinkAgain(tenant, requests, user, language)
    await record(
      tenant,
      { actorType: 'user', actorId: null, ...origin },
      { action: 'auth.password_reset_requested', user: { id: user.id, email: user.email, name: user.name } },
    )
  }
  // It must take as long in vain: the caller's next request, or the database's load, would otherwise reveal who has an account.
  await (isAddressee ? database.transaction(user.organisationId, send) : database.rehearse(user.organisationId, send))
}

/**
 * Mails a user of the caller's organisation a link that sets a new password.
 *
 * @throws Problem `not-found`, `too-many-requests` when too much has been mailed
 */
export async function sendPasswordLinkTo(
  requests: LinkRequests,
  caller: Caller,
  userId: string,
  language: Language | undefined,
): Promise<void> {
  const { database } = requests
  const { email } = await getUser(database.pointReads(caller.organisationId), userId)
  await withinMailLimits(requests, caller.organisationId, email, () =>
    database.transaction(caller.organisationId, async (tenant) => {
      const user = await lockUserWithReferences(tenant, userId)
      if (!user) throw userNotFound()
      await holdCallerWith(tenant, caller, 'users:update')
      await sendPasswordLink(tenant, requests, user, language)
      await record(tenant, caller.actor, { action: 'auth.password_reset_requested', user: presentUser(user) })
    }),
  )
}
