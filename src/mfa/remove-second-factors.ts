import type { Actor } from '../activity/actor.ts'
import type { MailSender } from '../mails/mail-sender.ts'
import { findLetterhead } from '../organisations/letterhead.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import { endAccess } from '../sessions/end-access.ts'
import { mfaDisabledMail } from './mails.ts'
import { deleteCredentials } from './queries.ts'
import { tellSwitchedOff } from './tell-user.ts'

/**
 * Removes a user's second factors without asking for a code, and mails the user: an attacker with an administrator's session would start
 * here, or with the user's own. When another person removes them, the user is signed out everywhere.
 */
export async function removeSecondFactors(
  tenant: Tenant,
  mailSender: MailSender,
  user: { id: string; email: string; name: string },
  actor: Actor,
  language: Language | undefined,
): Promise<void> {
  await deleteSecondFactors(tenant, user.id, actor)
  if (actor.actorId === user.id) return tellSwitchedOff(tenant, mailSender, user, language)
  await mailSender.outbox.queue(tenant, mfaDisabledMail(await findLetterhead(tenant), language, user))
}

/** Deletes a user's second factors. When another person does it, the user is signed out everywhere. The caller mails the user. */
async function deleteSecondFactors(tenant: Tenant, userId: string, actor: Actor): Promise<void> {
  await deleteCredentials(tenant, userId)
  if (actor.actorId !== userId) await endAccess(tenant, actor, userId, { tokens: 'none' })
}
