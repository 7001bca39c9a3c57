import { mailTexts } from '../mails/texts.ts'
import type { Language } from '../platform/language.ts'
import { type Letterhead, writeMail } from '../platform/mail/letter.ts'
import type { Mail } from '../platform/mail/mail.ts'

/** To a user whose second factor an administrator has taken away. */
export function mfaDisabledMail(letterhead: Letterhead, asked: Language | undefined, to: { email: string; name: string }): Mail {
  const { language, greeting, mfaDisabled } = mailTexts(asked)
  return writeMail(letterhead, {
    language,
    to: to.email,
    subject: mfaDisabled.subject,
    greeting: greeting(to.name),
    paragraphs: [mfaDisabled.lead(letterhead.name), mfaDisabled.next],
    notes: [mfaDisabled.unexpected],
  })
}
