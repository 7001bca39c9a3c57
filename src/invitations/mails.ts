import { mailTexts } from '../mails/texts.ts'
import type { Language } from '../platform/language.ts'
import { type Letterhead, writeMail } from '../platform/mail/letter.ts'
import type { Mail } from '../platform/mail/mail.ts'

export interface InvitationLetter {
  to: string
  inviterName: string
  link: string
  expiresAt: Date
}

/** To somebody who is invited, with the link that makes them a user. */
export function invitationMail(
  letterhead: Letterhead,
  asked: Language | undefined,
  { to, inviterName, link, expiresAt }: InvitationLetter,
): Mail {
  const { language, greetingWithoutName, invitation } = mailTexts(asked)
  return writeMail(letterhead, {
    language,
    to,
    subject: invitation.subject(letterhead.name),
    greeting: greetingWithoutName,
    paragraphs: [invitation.lead(inviterName, letterhead.name)],
    action: { label: invitation.action, link },
    notes: [invitation.validity(expiresAt), invitation.unexpected],
  })
}
