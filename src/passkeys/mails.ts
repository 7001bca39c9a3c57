import { mailToUser, type Recipient } from '../mails/mail-to-user.ts'
import type { Language } from '../platform/language.ts'
import type { Letterhead } from '../platform/mail/letter.ts'
import type { Mail } from '../platform/mail/mail.ts'

/** What has happened to a passkey: an administrator took it, or it was used with a counter that did not grow. */
export type PasskeyNews = 'passkeyRegistered' | 'passkeyDeleted' | 'passkeyTaken' | 'passkeyCloned'

/**
 * To the user of a passkey to which something has happened: it may have been somebody else.
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
