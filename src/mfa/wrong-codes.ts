import { presentUser } from '../accounts/present-user.ts'
import { getUser } from '../accounts/queries.ts'
import { incrementWrongCodes, refuseCodesUntil } from '../accounts/wrong-codes.ts'
import type { Actor } from '../activity/actor.ts'
import { record } from '../activity/record.ts'
import { pageLink } from '../mails/page-link.ts'
import { findLetterhead } from '../organisations/letterhead.ts'
import { secondsAfter } from '../platform/clock.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import type { Outbox } from '../platform/mail/outbox.ts'
import { wrongCodesMail } from './mails.ts'
import { secondsToWaitAfter, wrongCodesBeforeWait } from './rules.ts'

export interface CodeAttempt {
  userId: string
  /** The person who entered the code. */
  actor: Actor
  language: Language | undefined
}

/**
 * Counts a wrong code of a user, in the caller's transaction. After ten in a row codes are refused for a while; the audit
 * log records it and the user gets a mail. Later refusals are only recorded: an attacker who continues would fill the mailbox.
 */
export async function countWrongCode(
  tenant: Tenant,
  { outbox, publicUrl }: { outbox: Outbox; publicUrl: string },
  { userId, actor, language }: CodeAttempt,
): Promise<void> {
  const wrongCodes = await incrementWrongCodes(tenant, userId)
  const waitSeconds = secondsToWaitAfter(wrongCodes)
  if (waitSeconds === 0) return
  const lockedUntil = secondsAfter(tenant.now, waitSeconds)
  await refuseCodesUntil(tenant, userId, lockedUntil)
  const user = presentUser(await getUser(tenant, userId))
  const metadata = { because: 'wrong codes', wrongCodes, lockedUntil: lockedUntil.toISOString() }
  await record(tenant, actor, { action: 'login.locked', user, metadata })
  if (wrongCodes > wrongCodesBeforeWait) return
  const forgotLink = pageLink(publicUrl, '/password/forgot', undefined, language)
  await outbox.queue(tenant, wrongCodesMail(await findLetterhead(tenant), language, user, forgotLink))
}
