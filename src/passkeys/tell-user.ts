import type { MailSender } from '../mails/mail-sender.ts'
import type { Recipient } from '../mails/mail-to-user.ts'
import { pageLink } from '../mails/page-link.ts'
import { findLetterhead } from '../organisations/letterhead.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import { type PasskeyNews, passkeyMail } from './mails.ts'
import type { Passkey } from './queries.ts'

/** Mails a user what has happened to one of their passkeys, with a link to all of them, in the caller's transaction. */
export async function tellOfPasskey(
  tenant: Tenant,
  { outbox, publicUrl }: MailSender,
  news: Exclude<PasskeyNews, 'passkeyTaken'>,
  { user, passkey, language }: { user: Recipient; passkey: Passkey; language: Language | undefined },
): Promise<void> {
  const link = pageLink(publicUrl, '/account/passkeys', undefined, language)
  await outbox.queue(tenant, passkeyMail(await findLetterhead(tenant), language, user, { news, passkey: passkey.name, link }))
}
