import { mailToUser, type Recipient } from '../mails/mail-to-user.ts'
import type { Language } from '../platform/language.ts'
import type { Letterhead } from '../platform/mail/letter.ts'
import type { Mail } from '../platform/mail/mail.ts'

/** Tells a user that an API key was created in their name: an attacker would create one to retain access. */
export function apiKeyCreatedMail(
  letterhead: Letterhead,
  asked: Language | undefined,
  to: Recipient,
  key: { name: string; prefix: string },
  forgotLink: string,
): Mail {
  return mailToUser(letterhead, asked, to, ({ apiKeyCreated }) => ({
    subject: apiKeyCreated.subject,
    paragraphs: [apiKeyCreated.lead(letterhead.name, { name: key.name, prefix: key.prefix }), apiKeyCreated.next],
    action: { label: apiKeyCreated.action, link: forgotLink },
    notes: [apiKeyCreated.expected],
  }))
}

/** Tells a user that workloads were added to an API key of theirs: an attacker would add one to retain access. */
export function apiKeyTrustedMail(
  letterhead: Letterhead,
  asked: Language | undefined,
  to: Recipient,
  { name, added }: { name: string; added: readonly { name: string }[] },
  forgotLink: string,
): Mail {
  const workloads = added.map((credential) => credential.name).join(', ')
  return mailToUser(letterhead, asked, to, ({ apiKeyTrusted }) => ({
    subject: apiKeyTrusted.subject,
    paragraphs: [apiKeyTrusted.lead(letterhead.name, { name, workloads }), apiKeyTrusted.next],
    action: { label: apiKeyTrusted.action, link: forgotLink },
    notes: [apiKeyTrusted.expected],
  }))
}
