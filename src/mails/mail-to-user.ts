import type { Language } from '../platform/language.ts'
import { type Letter, type Letterhead, writeMail } from '../platform/mail/letter.ts'
import type { Mail } from '../platform/mail/mail.ts'
import { type MailTexts, mailTexts } from './texts.ts'

export interface Recipient {
  email: string
  name: string
}

/** Writes a mail that greets a user by name. `write` adds the rest from the texts of the requested language. */
export function mailToUser(
  letterhead: Letterhead,
  asked: Language | undefined,
  to: Recipient,
  write: (texts: MailTexts) => Omit<Letter, 'language' | 'to' | 'greeting'>,
): Mail {
  const { language, greeting, ...texts } = mailTexts(asked)
  return writeMail(letterhead, { language, to: to.email, greeting: greeting(to.name), ...write({ greeting, ...texts }) })
}
