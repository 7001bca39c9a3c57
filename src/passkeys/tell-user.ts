import type { MailSender } from '../mails/mail-sender.ts'
import type { Recipient } from '../mails/mail-to-user.ts'
import { pageLink } from '../mails/page-link.ts'
import { findLetterhead } from '../organisations/letterhead.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import { cloneSuspectedMail, passkeyRegisteredMail } from './mails.ts'
import type { Passkey } from './queries.ts'

type Teller = MailSender

/** Mails a user, in the caller's transaction, that a passkey has been registered: it may be an attacker's. */
export async function tellRegistered(
  tenant: Tenant,
  { outbox, publicUrl }: Teller,
  user: Recipient,
  { name }: Passkey,
  language: Language | undefined,
): Promise<void> {
  const link = pageLink(publicUrl, '/account/passkeys', undefined, language)
  await outbox.queue(tenant, passkeyRegisteredMail(await findLetterhead(tenant), language, user, name, link))
}

/** The same that one of their passkeys seems to have been copied. */
export async function tellCloneSuspected(
  tenant: Tenant,
  { outbox, publicUrl }: Teller,
  user: Recipient,
  { name }: Passkey,
  language: Language | undefined,
): Promise<void> {
  const link = pageLink(publicUrl, '/account/passkeys', undefined, language)
  await outbox.queue(tenant, cloneSuspectedMail(await findLetterhead(tenant), language, user, name, link))
}
