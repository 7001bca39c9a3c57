import type { KeysAfterReset } from '../api-keys/end-keys-after-reset.ts'
import { mailTexts } from '../mails/texts.ts'
import type { Language } from '../platform/language.ts'
import { type Letterhead, writeMail } from '../platform/mail/letter.ts'
import type { Mail } from '../platform/mail/mail.ts'

const listedMost = 50

/** Names in a sentence; a mail of thousands would not be read. */
const listed = (names: readonly string[]) => [...names.slice(0, listedMost), ...(names.length > listedMost ? ['…'] : [])].join(', ')

export interface Recipient {
  email: string
  name: string
}

/** To the owner of a new organisation, with the link that sets the first password. */
export function welcomeMail(letterhead: Letterhead, asked: Language | undefined, to: Recipient, link: string): Mail {
  const { language, greeting, welcome } = mailTexts(asked)
  return writeMail(letterhead, {
    language,
    to: to.email,
    subject: welcome.subject(letterhead.name),
    greeting: greeting(to.name),
    paragraphs: [welcome.lead(letterhead.name)],
    action: { label: welcome.action, link },
    notes: [welcome.validity],
  })
}

/** To a new user without a password, with the link that sets the first one. */
export function accountCreatedMail(letterhead: Letterhead, asked: Language | undefined, to: Recipient, link: string): Mail {
  const { language, greeting, accountCreated } = mailTexts(asked)
  return writeMail(letterhead, {
    language,
    to: to.email,
    subject: accountCreated.subject(letterhead.name),
    greeting: greeting(to.name),
    paragraphs: [accountCreated.lead(letterhead.name)],
    action: { label: accountCreated.action, link },
    notes: [accountCreated.validity, accountCreated.unexpected],
  })
}

/** To a user who has forgotten their password, or whose administrator has asked for a new one. */
export function passwordResetMail(letterhead: Letterhead, asked: Language | undefined, to: Recipient, link: string): Mail {
  const { language, greeting, passwordReset } = mailTexts(asked)
  return writeMail(letterhead, {
    language,
    to: to.email,
    subject: passwordReset.subject,
    greeting: greeting(to.name),
    paragraphs: [passwordReset.lead(letterhead.name)],
    action: { label: passwordReset.action, link },
    notes: [passwordReset.validity, passwordReset.unexpected],
  })
}

/** After a password has been changed, so that a change by another does not go unnoticed. */
export function passwordChangedMail(
  letterhead: Letterhead,
  asked: Language | undefined,
  to: Recipient,
  forgotLink: string,
  { ended, left }: KeysAfterReset = { ended: [], left: [] },
): Mail {
  const { language, greeting, passwordChanged } = mailTexts(asked)
  return writeMail(letterhead, {
    language,
    to: to.email,
    subject: passwordChanged.subject,
    greeting: greeting(to.name),
    paragraphs: [
      passwordChanged.lead(letterhead.name),
      ...(ended.length > 0 ? [passwordChanged.keysEnded(listed(ended))] : []),
      ...(left.length > 0 ? [passwordChanged.keysLeft(listed(left))] : []),
    ],
    action: { label: passwordChanged.action, link: forgotLink },
    notes: [passwordChanged.expected],
  })
}

/** With the link that shows that the address is its owner's. */
export function emailVerificationMail(letterhead: Letterhead, asked: Language | undefined, to: Recipient, link: string): Mail {
  const { language, greeting, emailVerification } = mailTexts(asked)
  return writeMail(letterhead, {
    language,
    to: to.email,
    subject: emailVerification.subject,
    greeting: greeting(to.name),
    paragraphs: [emailVerification.lead(letterhead.name)],
    action: { label: emailVerification.action, link },
    notes: [emailVerification.validity, emailVerification.unexpected],
  })
}
