import type { Caller } from '../access/caller.ts'
import { holdCallerWith } from '../access/hold-caller.ts'
import { removePasskey } from '../mfa/delete-passkey.ts'
import { findLetterhead } from '../organisations/letterhead.ts'
import { passkeyMail } from '../passkeys/mails.ts'
import { ownerPasskeysOnlyByTheOwner } from '../passkeys/refusals.ts'
import type { RelyingParty } from '../passkeys/relying-party.ts'
import { type LinkSender, makePasswordLink } from '../passwords/send-links.ts'
import type { Database } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import { endAccess } from '../sessions/end-access.ts'

export interface PasskeyAdministration extends LinkSender {
  database: Database
  relyingParty: RelyingParty
}

/**
 * Deletes a passkey of a user of the caller's organisation, ends the user's sessions and tells them by mail. A user who has no
 * other way to sign in gets a link that sets a password.
 *
 * @throws Problem `not-found`, or `forbidden` for the owner's unless the owner is the caller
 */
export async function deletePasskeyOfUser(
  dependencies: PasskeyAdministration,
  caller: Caller,
  { userId, id }: { userId: string; id: string },
  language: Language | undefined,
): Promise<void> {
  const { database, outbox, relyingParty } = dependencies
  await database.transaction(caller.organisationId, async (tenant) => {
    const { passkey, holder, isLastWay } = await removePasskey(tenant, caller.actor, { userId, id, rpId: relyingParty.id })
    await holdCallerWith(tenant, caller, 'users:update')
    if (holder.isOwner && caller.actor.actorId !== userId) throw ownerPasskeysOnlyByTheOwner()
    await endAccess(tenant, caller.actor, userId, { tokens: 'none' })
    const link = isLastWay ? await makePasswordLink(tenant, dependencies, userId, language) : undefined
    await outbox.queue(
      tenant,
      passkeyMail(await findLetterhead(tenant), language, holder, { news: 'passkeyTaken', passkey: passkey.name, link }),
    )
  })
}
