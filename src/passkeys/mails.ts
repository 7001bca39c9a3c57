import { mailToUser, type Recipient } from '../mails/mail-to-user.ts'
import type { Language } from '../platform/language.ts'
import type { Letterhead } from '../platform/mail/letter.ts'
import type { Mail } from '../platform/mail/mail.ts'

/** An event that the user is told about, such as a deletion by an administrator or a use with a counter that did not grow. */
export type PasskeyNews = 'passkeyRegistered' | 'passkeyDeleted' | 'passkeyTaken' | 'passkeyCloned'

/**
 * Tells the user of a passkey what has happened to it, since another person may have done it.
 *
 * @param link where the user can act on it; undefined where there is nothing to do
 */
export function passkeyMail(
  letterhead: Letterhead,
  asked: Language | undefined,
  to: Recipient,
  { news, passkey, link }: { news: PasskeyNews; passkey: string; link: string | undefined },
): Mail {
  return mailToUser(letterhead, asked, to, ({ [news]: texts }) => ({
    subject: texts.subject,
    paragraphs: [texts.lead(letterhead.name, passkey), ...('next' in texts && link !== undefined ? [texts.next] : [])],
    ...(link !== undefined && { action: { label: texts.action, link } }),
    notes: [texts.note],
  }))
}
