import type { MfaMethod } from '../access/factors.ts'
import { mailToUser, type Recipient } from '../mails/mail-to-user.ts'
import type { Language } from '../platform/language.ts'
import type { Letterhead } from '../platform/mail/letter.ts'
import type { Mail } from '../platform/mail/mail.ts'

/** Tells a user that an administrator has removed their second factor. */
export function mfaDisabledMail(letterhead: Letterhead, asked: Language | undefined, to: Recipient): Mail {
  return mailToUser(letterhead, asked, to, ({ mfaDisabled }) => ({
    subject: mfaDisabled.subject,
    paragraphs: [mfaDisabled.lead(letterhead.name), mfaDisabled.next],
    notes: [mfaDisabled.unexpected],
  }))
}

/** Tells a user that they have enabled a second factor: an attacker may have done so, to lock the user out. */
export function mfaEnabledMail(
  letterhead: Letterhead,
  asked: Language | undefined,
  to: Recipient,
  method: MfaMethod,
  forgotLink: string,
): Mail {
  return mailToUser(letterhead, asked, to, ({ mfaEnabled }) => ({
    subject: mfaEnabled.subject,
    paragraphs: [mfaEnabled.lead(letterhead.name, mfaEnabled.factors[method]), mfaEnabled.others],
    action: { label: mfaEnabled.action, link: forgotLink },
    notes: [mfaEnabled.expected],
  }))
}

/** Tells a user that they have disabled their second factors. */
export function mfaSwitchedOffMail(letterhead: Letterhead, asked: Language | undefined, to: Recipient, forgotLink: string): Mail {
  return mailToUser(letterhead, asked, to, ({ mfaSwitchedOff }) => ({
    subject: mfaSwitchedOff.subject,
    paragraphs: [mfaSwitchedOff.lead(letterhead.name)],
    action: { label: mfaSwitchedOff.action, link: forgotLink },
    notes: [mfaSwitchedOff.expected],
  }))
}

/** Tells a user of ten consecutive wrong codes: the person who enters them may know the password. */
export function wrongCodesMail(letterhead: Letterhead, asked: Language | undefined, to: Recipient, forgotLink: string): Mail {
  return mailToUser(letterhead, asked, to, ({ wrongCodes }) => ({
    subject: wrongCodes.subject,
    paragraphs: [wrongCodes.lead(letterhead.name), wrongCodes.wait, wrongCodes.unexpected],
    action: { label: wrongCodes.action, link: forgotLink },
    notes: [wrongCodes.expected, wrongCodes.once],
  }))
}
