import { mailTexts } from '../mails/texts.ts'
import type { Language } from '../platform/language.ts'
import { type Letterhead, writeMail } from '../platform/mail/letter.ts'
import type { Mail } from '../platform/mail/mail.ts'

/** To the user in whose name an API key was created: an attacker would create one to keep access. */
export function apiKeyCreatedMail(
  letterhead: Letterhead,
  asked: Language | undefined,
  to: { email: string; name: string },
  key: { name: string; prefix: string },
  forgotLink: string,
): Mail {
  const { language, greeting, apiKeyCreated } = mailTexts(asked)
  return writeMail(letterhead, {
    language,
    to: to.email,
    subject: apiKeyCreated.subject,
    greeting: greeting(to.name),
    paragraphs: [apiKeyCreated.lead(letterhead.name, { name: key.name, prefix: key.prefix }), apiKeyCreated.next],
    action: { label: apiKeyCreated.action, link: forgotLink },
    notes: [apiKeyCreated.expected],
  })
}
