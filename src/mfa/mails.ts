import { type Letterhead, writeMail } from '../platform/mail/letter.ts'
import type { Mail } from '../platform/mail/mail.ts'

/** To a user whose second factor an administrator has taken away. */
export function mfaDisabledMail(letterhead: Letterhead, to: { email: string; name: string }): Mail {
  return writeMail(letterhead, {
    to: to.email,
    subject: 'Two-factor authentication has been switched off',
    greeting: `Hello ${to.name},`,
    paragraphs: [
      `An administrator of ${letterhead.name} has switched off two-factor authentication for your account, and you have been signed out everywhere.`,
      'Sign in with your password and switch it on again as soon as you can.',
    ],
    notes: ['If you did not expect this, tell your administrator.'],
  })
}
