import type { MailSender } from '../mails/mail-sender.ts'
import { mailToUser, type Recipient } from '../mails/mail-to-user.ts'
import { pageLink } from '../mails/page-link.ts'
import { findLetterhead } from '../organisations/letterhead.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import type { Letterhead } from '../platform/mail/letter.ts'
import type { Mail } from '../platform/mail/mail.ts'

interface IdentityNews {
  user: Recipient
  connection: { name: string }
  language: Language | undefined
}

/**
 * Mails a user, in the caller's transaction, that an account at an identity provider can sign them in from now on, or no longer:
 * another person may have caused that.
 */
export async function tellOfIdentity(
  tenant: Tenant,
  sender: MailSender,
  news: 'identityLinked' | 'identityUnlinked',
  about: IdentityNews,
): Promise<void> {
  await sender.outbox.queue(tenant, mailOf(await findLetterhead(tenant), sender, news, about))
}

const mailsAtATime = 500

/** Mails each of any number of users what {@link tellOfIdentity} says of an account that has been linked. */
export async function tellOfLinkedIdentities(
  tenant: Tenant,
  sender: MailSender,
  users: readonly Recipient[],
  connection: { name: string },
): Promise<void> {
  if (users.length === 0) return
  const letterhead = await findLetterhead(tenant)
  for (let start = 0; start < users.length; start += mailsAtATime) {
    const some = users.slice(start, start + mailsAtATime)
    const mails = some.map((user) => mailOf(letterhead, sender, 'identityLinked', { user, connection, language: undefined }))
    await sender.outbox.queue(tenant, ...mails)
  }
}

function mailOf(
  letterhead: Letterhead,
  { publicUrl }: Pick<MailSender, 'publicUrl'>,
  news: 'identityLinked' | 'identityUnlinked',
  { user, connection, language }: IdentityNews,
): Mail {
  const link = pageLink(publicUrl, '/account/identities', undefined, language)
  return mailToUser(letterhead, language, user, ({ [news]: texts }) => ({
    subject: texts.subject,
    paragraphs: [texts.lead(letterhead.name, connection.name), texts.next],
    action: { label: texts.action, link },
    notes: [texts.note],
  }))
}
