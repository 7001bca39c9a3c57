import type { MailSender } from '../mails/mail-sender.ts'
import { mailToUser, type Recipient } from '../mails/mail-to-user.ts'
import { pageLink } from '../mails/page-link.ts'
import { findLetterhead } from '../organisations/letterhead.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'

/**
 * Mails a user, in the caller's transaction, that an account at an identity provider can sign them in from now on, or no longer:
 * another person may have caused that.
 */
export async function tellOfIdentity(
  tenant: Tenant,
  { outbox, publicUrl }: MailSender,
  news: 'identityLinked' | 'identityUnlinked',
  { user, connection, language }: { user: Recipient; connection: { name: string }; language: Language | undefined },
): Promise<void> {
  const letterhead = await findLetterhead(tenant)
  const link = pageLink(publicUrl, '/account/identities', undefined, language)
  const mail = mailToUser(letterhead, language, user, ({ [news]: texts }) => ({
    subject: texts.subject,
    paragraphs: [texts.lead(letterhead.name, connection.name), texts.next],
    action: { label: texts.action, link },
    notes: [texts.note],
  }))
  await outbox.queue(tenant, mail)
}
