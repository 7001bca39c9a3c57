import { mailTexts } from '../mails/texts.ts'
import type { Language } from '../platform/language.ts'
import { writeMail } from '../platform/mail/letter.ts'
import type { Mail } from '../platform/mail/mail.ts'
import { serviceLetterhead } from './letterhead.ts'

/**
 * Writes to the address that was given for the owner of a new organisation. A stranger has chosen the address and the names, so the mail
 * contains none of the names: otherwise strangers could send their own texts through us.
 *
 * @param link confirms the address, and sets the first password
 */
export function signUpMail(asked: Language | undefined, to: string, link: string): Mail {
  const { language, greetingWithoutName, signUp } = mailTexts(asked)
  return writeMail(serviceLetterhead, {
    language,
    to,
    subject: signUp.subject,
    greeting: greetingWithoutName,
    paragraphs: [signUp.lead(new URL(link))],
    action: { label: signUp.action, link },
    notes: [signUp.validity, signUp.unexpected],
    isAwaited: true,
  })
}
