import { findUser, lockUserWithReferences } from '../accounts/queries.ts'
import type { Actor } from '../activity/actor.ts'
import type { MailSender } from '../mails/mail-sender.ts'
import { letterheadOf } from '../organisations/letterhead.ts'
import type { Organisation } from '../organisations/present-organisation.ts'
import { lockStatusAndOwner } from '../organisations/queries.ts'
import type { Database } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import { handOver } from '../provisioning/transfer-ownership.ts'
import { ownershipMail } from './mails.ts'
import { organisationCancelled, organisationNotFound } from './refusals.ts'

/**
 * Makes another user the owner when the current owner no longer can. Both get a mail.
 *
 * @throws Problem `not-found`; `bad-request` for a blocked user; `conflict` when the organisation is cancelled
 */
export async function handOverOrganisation(
  { database, outbox, publicUrl }: MailSender & { database: Database },
  actor: Actor,
  organisationId: string,
  userId: string,
  language: Language | undefined,
): Promise<Organisation> {
  return database.transaction(organisationId, async (tenant) => {
    // Lock the user before the organisation, as blocking and deleting a user do.
    const user = await lockUserWithReferences(tenant, userId)
    const before = await lockStatusAndOwner(tenant)
    if (!before) throw organisationNotFound()
    if (before.status === 'cancelled') throw organisationCancelled()
    const organisation = await handOver(tenant, { outbox, publicUrl }, actor, before, user)
    if (!user || organisation.ownerId === before.ownerId) return organisation

    const former = before.ownerId === null ? undefined : await findUser(tenant, before.ownerId)
    for (const reader of former ? [user, former] : [user]) {
      await outbox.queue(tenant, ownershipMail(letterheadOf(organisation), language, reader, user))
    }
    return organisation
  })
}
