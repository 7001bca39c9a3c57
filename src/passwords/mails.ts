import { mailToUser, type Recipient } from '../mails/mail-to-user.ts'
import type { Language } from '../platform/language.ts'
import type { Letterhead } from '../platform/mail/letter.ts'
import type { Mail } from '../platform/mail/mail.ts'

/** The names of the credentials that a reset has ended, and of those that it has left. */
interface EndedAndLeft {
  ended: readonly string[]
  left: readonly string[]
}

/** The effect of a password reset on the other ways into an account. */
export interface AfterReset {
  keys: EndedAndLeft
  /** The API keys that lost credentials of platforms. */
  credentials: EndedAndLeft
  passkeys: EndedAndLeft
  accounts: EndedAndLeft
}

/** Whether there is anything for the user to review. */
export const hasNews = (after: AfterReset): boolean =>
  Object.values(after).some(({ ended, left }: EndedAndLeft) => ended.length > 0 || left.length > 0)

const nothing: EndedAndLeft = { ended: [], left: [] }

const listedMost = 50

/** Names in a sentence; a mail with thousands would not be read. */
const listed = (names: readonly string[]) => [...names.slice(0, listedMost), ...(names.length > listedMost ? ['…'] : [])].join(', ')

/** Welcomes the owner of a new organisation, with the link that sets the first password. */
export function welcomeMail(letterhead: Letterhead, asked: Language | undefined, to: Recipient, link: string): Mail {
  return mailToUser(letterhead, asked, to, ({ welcome }) => ({
    subject: welcome.subject(letterhead.name),
    paragraphs: [welcome.lead(letterhead.name)],
    action: { label: welcome.action, link },
    notes: [welcome.validity],
  }))
}

/** Welcomes a new user without a password, with the link that sets the first one. */
export function accountCreatedMail(letterhead: Letterhead, asked: Language | undefined, to: Recipient, link: string): Mail {
  return mailToUser(letterhead, asked, to, ({ accountCreated }) => ({
    subject: accountCreated.subject(letterhead.name),
    paragraphs: [accountCreated.lead(letterhead.name)],
    action: { label: accountCreated.action, link },
    notes: [accountCreated.validity, accountCreated.unexpected],
  }))
}

/** Mails a user who has forgotten their password, or whose administrator has asked for a new one. */
export function passwordResetMail(letterhead: Letterhead, asked: Language | undefined, to: Recipient, link: string): Mail {
  return mailToUser(letterhead, asked, to, ({ passwordReset }) => ({
    subject: passwordReset.subject,
    paragraphs: [passwordReset.lead(letterhead.name)],
    action: { label: passwordReset.action, link },
    notes: [passwordReset.validity, passwordReset.unexpected],
    isAwaited: true,
  }))
}

/** Tells a user that their password has changed, so that a change by another person does not go unnoticed. */
export function passwordChangedMail(
  letterhead: Letterhead,
  asked: Language | undefined,
  to: Recipient,
  links: { forgot: string; passkeys: string; identities: string },
  { keys, credentials, passkeys, accounts }: AfterReset = { keys: nothing, credentials: nothing, passkeys: nothing, accounts: nothing },
): Mail {
  return mailToUser(letterhead, asked, to, ({ passwordChanged }) => ({
    subject: passwordChanged.subject,
    paragraphs: [
      passwordChanged.lead(letterhead.name),
      ...(keys.ended.length > 0 ? [passwordChanged.keysEnded(listed(keys.ended))] : []),
      ...(credentials.ended.length > 0 ? [passwordChanged.credentialsEnded(listed(credentials.ended))] : []),
      ...(passkeys.ended.length > 0 ? [passwordChanged.passkeysEnded(listed(passkeys.ended))] : []),
      ...(accounts.ended.length > 0 ? [passwordChanged.accountsEnded(listed(accounts.ended))] : []),
      ...(keys.left.length > 0 ? [passwordChanged.keysLeft(listed(keys.left))] : []),
      ...(passkeys.left.length > 0 ? [`${passwordChanged.passkeysLeft(listed(passkeys.left))} ${links.passkeys}`] : []),
      ...(accounts.left.length > 0 ? [`${passwordChanged.accountsLeft(listed(accounts.left))} ${links.identities}`] : []),
    ],
    action: { label: passwordChanged.action, link: links.forgot },
    notes: [passwordChanged.expected],
  }))
}

/** Warns a user who has signed in with a password that is known from a data breach. */
export function passwordBreachedMail(letterhead: Letterhead, asked: Language | undefined, to: Recipient, forgotLink: string): Mail {
  return mailToUser(letterhead, asked, to, ({ passwordBreached }) => ({
    subject: passwordBreached.subject,
    paragraphs: [passwordBreached.lead(letterhead.name), passwordBreached.next],
    action: { label: passwordBreached.action, link: forgotLink },
    notes: [passwordBreached.once],
  }))
}

export function passwordRemovedMail(letterhead: Letterhead, asked: Language | undefined, to: Recipient, forgotLink: string): Mail {
  return mailToUser(letterhead, asked, to, ({ passwordRemoved }) => ({
    subject: passwordRemoved.subject,
    paragraphs: [passwordRemoved.lead(letterhead.name)],
    action: { label: passwordRemoved.action, link: forgotLink },
    notes: [passwordRemoved.expected],
  }))
}

/** Mails the link that verifies the address. */
export function emailVerificationMail(letterhead: Letterhead, asked: Language | undefined, to: Recipient, link: string): Mail {
  return mailToUser(letterhead, asked, to, ({ emailVerification }) => ({
    subject: emailVerification.subject,
    paragraphs: [emailVerification.lead(letterhead.name)],
    action: { label: emailVerification.action, link },
    notes: [emailVerification.validity, emailVerification.unexpected],
    isAwaited: true,
  }))
}
