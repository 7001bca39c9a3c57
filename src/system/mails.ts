import { mailTexts } from '../mails/texts.ts'
import type { Language } from '../platform/language.ts'
import { type Letterhead, writeMail } from '../platform/mail/letter.ts'
import type { Mail } from '../platform/mail/mail.ts'
import type { Recovery } from './user-schemas.ts'

interface Recipient {
  email: string
  name: string
}

/** To a user whose access the operator has restored: what was done, and the link if there is one. */
export function recoveryMail(
  letterhead: Letterhead,
  asked: Language | undefined,
  to: Recipient,
  done: readonly Recovery[],
  link: string | undefined,
): Mail {
  const { language, greeting, recovery, passwordReset } = mailTexts(asked)
  return writeMail(letterhead, {
    language,
    to: to.email,
    subject: recovery.subject(letterhead.name),
    greeting: greeting(to.name),
    paragraphs: [recovery.lead(letterhead.name), ...done.map((thing) => recovery[thing])],
    ...(link && { action: { label: passwordReset.action, link } }),
    notes: [...(link ? [passwordReset.validity] : []), recovery.unexpected],
  })
}

/** To the new owner and to the former one, when the operator has changed the owner. */
export function ownershipMail(letterhead: Letterhead, asked: Language | undefined, to: Recipient, newOwner: Recipient): Mail {
  const { language, greeting, ownership } = mailTexts(asked)
  const lead = to === newOwner ? ownership.given(letterhead.name) : ownership.taken(letterhead.name, newOwner.name)
  return writeMail(letterhead, {
    language,
    to: to.email,
    subject: ownership.subject(letterhead.name),
    greeting: greeting(to.name),
    paragraphs: [lead],
    notes: [ownership.unexpected],
  })
}
