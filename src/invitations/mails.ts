import { type Letterhead, writeMail } from '../platform/mail/letter.ts'
import type { Mail } from '../platform/mail/mail.ts'

export interface InvitationLetter {
  to: string
  inviterName: string
  link: string
  expiresAt: Date
}

/** To somebody who is invited, with the link that makes them a user. */
export function invitationMail(letterhead: Letterhead, { to, inviterName, link, expiresAt }: InvitationLetter): Mail {
  return writeMail(letterhead, {
    to,
    subject: `Join ${letterhead.name}`,
    greeting: 'Hello,',
    paragraphs: [`${inviterName} invites you to join ${letterhead.name}. Accept to choose your name and password.`],
    action: { label: 'Accept the invitation', link },
    notes: [
      `The link works once, until ${expiresAt.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC.`,
      'If you do not know what this is about, you can ignore this mail.',
    ],
  })
}
