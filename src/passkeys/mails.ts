import { mailToUser, type Recipient } from '../mails/mail-to-user.ts'
import type { Language } from '../platform/language.ts'
import type { Letterhead } from '../platform/mail/letter.ts'
import type { Mail } from '../platform/mail/mail.ts'

/** To a user for whom a passkey has been registered: it opens the account without the password. */
export function passkeyRegisteredMail(
  letterhead: Letterhead,
  asked: Language | undefined,
  to: Recipient,
  passkey: string,
  link: string,
): Mail {
  return mailToUser(letterhead, asked, to, ({ passkeyRegistered }) => ({
    subject: passkeyRegistered.subject,
    paragraphs: [passkeyRegistered.lead(letterhead.name, passkey), passkeyRegistered.next],
    action: { label: passkeyRegistered.action, link },
    notes: [passkeyRegistered.expected],
  }))
}

/** To a user whose passkey has been used with a counter that did not grow. */
export function cloneSuspectedMail(
  letterhead: Letterhead,
  asked: Language | undefined,
  to: Recipient,
  passkey: string,
  link: string,
): Mail {
  return mailToUser(letterhead, asked, to, ({ passkeyCloned }) => ({
    subject: passkeyCloned.subject,
    paragraphs: [passkeyCloned.lead(letterhead.name, passkey), passkeyCloned.next],
    action: { label: passkeyCloned.action, link },
    notes: [passkeyCloned.expected],
  }))
}

/** To a user who has deleted a passkey. */
export function passkeyDeletedMail(
  letterhead: Letterhead,
  asked: Language | undefined,
  to: Recipient,
  passkey: string,
  link: string,
): Mail {
  return mailToUser(letterhead, asked, to, ({ passkeyDeleted }) => ({
    subject: passkeyDeleted.subject,
    paragraphs: [passkeyDeleted.lead(letterhead.name, passkey)],
    action: { label: passkeyDeleted.action, link },
    notes: [passkeyDeleted.expected],
  }))
}

/** To a user whose passkey an administrator has deleted. @param passwordLink where the user has no other way to sign in */
export function passkeyTakenMail(
  letterhead: Letterhead,
  asked: Language | undefined,
  to: Recipient,
  passkey: string,
  passwordLink: string | undefined,
): Mail {
  return mailToUser(letterhead, asked, to, ({ passkeyTaken }) => ({
    subject: passkeyTaken.subject,
    paragraphs: [passkeyTaken.lead(letterhead.name, passkey), ...(passwordLink === undefined ? [] : [passkeyTaken.next])],
    ...(passwordLink !== undefined && { action: { label: passkeyTaken.action, link: passwordLink } }),
    notes: [passkeyTaken.unexpected],
  }))
}
