import type { Actor } from '../activity/actor.ts'
import { findLetterhead } from '../organisations/letterhead.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import type { Outbox } from '../platform/mail/outbox.ts'
import { endAccess } from '../sessions/end-access.ts'
import { mfaDisabledMail } from './mails.ts'
import { deleteCredentials } from './queries.ts'

/**
 * Removes a user's second factors without asking for a code. When another person removes them, the user is signed out
 * everywhere and gets a mail: an attacker with an administrator's session would start here.
 */
export async function removeSecondFactors(
  tenant: Tenant,
  outbox: Outbox,
  user: { id: string; email: string; name: string },
  actor: Actor,
  language: Language | undefined,
): Promise<void> {
  await deleteSecondFactors(tenant, user.id, actor)
  if (actor.actorId === user.id) return
  await outbox.queue(tenant, mfaDisabledMail(await findLetterhead(tenant), language, user))
}

/** Deletes a user's second factors. When another person does it, the user is signed out everywhere. The caller mails the user. */
async function deleteSecondFactors(tenant: Tenant, userId: string, actor: Actor): Promise<void> {
  await deleteCredentials(tenant, userId)
  if (actor.actorId !== userId) await endAccess(tenant, actor, userId, { exceptApplications: true })
}
