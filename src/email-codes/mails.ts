import { mailToUser, type Recipient } from '../mails/mail-to-user.ts'
import type { Language } from '../platform/language.ts'
import type { Letterhead } from '../platform/mail/letter.ts'
import type { Mail } from '../platform/mail/mail.ts'
import type { MailedCode } from './codes.ts'

/** Mails a code to a user who signs in. The code is not in the subject, which is stored in plain text and shown on locked screens. */
export function emailCodeMail(
  letterhead: Letterhead,
  asked: Language | undefined,
  to: Recipient,
  { code, link }: Pick<MailedCode, 'code'> & { link: string },
): Mail {
  return mailToUser(letterhead, asked, to, ({ emailCode }) => ({
    subject: emailCode.subject(letterhead.name),
    paragraphs: [emailCode.lead(letterhead.name)],
    code: { label: emailCode.code, code },
    action: { label: emailCode.action, link },
    notes: [emailCode.validity, emailCode.unexpected],
    isAwaited: true,
  }))
}
