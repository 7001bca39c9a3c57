import { html } from '../platform/http/html.ts'
import type { Mail } from '../platform/mail/mail.ts'

export interface InvitationMail {
  to: string
  organisationName: string
  inviterName: string
  link: string
  expiresAt: Date
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

export function invitationMail({ to, organisationName, inviterName, link, expiresAt }: InvitationMail): Mail {
  const until = `${day.format(expiresAt)} UTC`
  return {
    to,
    subject: `Join ${organisationName}`,
    text: `Hello,\n\n${inviterName} invites you to join ${organisationName}. Choose your name and password here:\n\n${link}\n\nThe link works once, until ${until}. If you do not know what this is about, you can ignore it.\n`,
    html: html`<p>Hello,</p><p>${inviterName} invites you to join ${organisationName}.</p><p><a href="${link}">Accept the invitation</a></p><p>The link works once, until ${until}. If you do not know what this is about, you can ignore it.</p>`.toString(),
  }
}
