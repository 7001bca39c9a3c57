import { type Letterhead, writeMail } from '../platform/mail/letter.ts'
import type { Mail } from '../platform/mail/mail.ts'

export interface Recipient {
  email: string
  name: string
}

const greet = ({ name }: Recipient) => `Hello ${name},`

/** To the owner of a new organisation, with the link that sets the first password. */
export function welcomeMail(letterhead: Letterhead, to: Recipient, link: string): Mail {
  return writeMail(letterhead, {
    to: to.email,
    subject: `Welcome to ${letterhead.name}`,
    greeting: greet(to),
    paragraphs: [`${letterhead.name} has been set up, and you own it. Choose a password to sign in for the first time.`],
    action: { label: 'Choose your password', link },
    notes: ['The link works once, for seven days.'],
  })
}

/** To somebody who has forgotten their password, or whose administrator has asked for it. */
export function passwordResetMail(letterhead: Letterhead, to: Recipient, link: string): Mail {
  return writeMail(letterhead, {
    to: to.email,
    subject: 'Choose a new password',
    greeting: greet(to),
    paragraphs: [`A new password has been asked for your account at ${letterhead.name}.`],
    action: { label: 'Choose a new password', link },
    notes: [
      'The link works once, for one hour. When you set a new password, you are signed out everywhere.',
      'If you did not ask for it, you need not do anything: your password stays as it is.',
    ],
  })
}

/** After a password has been changed, so that nobody changes it unnoticed. */
export function passwordChangedMail(letterhead: Letterhead, to: Recipient, forgotLink: string): Mail {
  return writeMail(letterhead, {
    to: to.email,
    subject: 'Your password has been changed',
    greeting: greet(to),
    paragraphs: [`The password of your account at ${letterhead.name} has been changed.`],
    action: { label: 'This was not me', link: forgotLink },
    notes: ['If it was you, you need not do anything.'],
  })
}

/** With the link that shows that the address is its owner's. */
export function emailVerificationMail(letterhead: Letterhead, to: Recipient, link: string): Mail {
  return writeMail(letterhead, {
    to: to.email,
    subject: 'Confirm your e-mail address',
    greeting: greet(to),
    paragraphs: [`Confirm that this is the e-mail address of your account at ${letterhead.name}.`],
    action: { label: 'Confirm the address', link },
    notes: ['The link works once, for one day.', 'If you have no such account, you can ignore this mail.'],
  })
}
