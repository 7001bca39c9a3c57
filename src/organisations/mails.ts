import { mailTexts } from '../mails/texts.ts'
import type { Language } from '../platform/language.ts'
import { writeMail } from '../platform/mail/letter.ts'
import type { Mail } from '../platform/mail/mail.ts'
import { serviceLetterhead } from './letterhead.ts'

/**
 * To the alleged owner of a new organisation. A stranger has entered the address and chosen the names: none of them is in
 * the mail, so that strangers cannot have us send a text of theirs.
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
  })
}
