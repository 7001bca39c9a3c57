import type { MfaMethod } from '../access/factors.ts'
import { mailTexts } from '../mails/texts.ts'
import type { Language } from '../platform/language.ts'
import { type Letterhead, writeMail } from '../platform/mail/letter.ts'
import type { Mail } from '../platform/mail/mail.ts'

/** To a user whose second factor an administrator has taken away. */
export function mfaDisabledMail(letterhead: Letterhead, asked: Language | undefined, to: { email: string; name: string }): Mail {
  const { language, greeting, mfaDisabled } = mailTexts(asked)
  return writeMail(letterhead, {
    language,
    to: to.email,
    subject: mfaDisabled.subject,
    greeting: greeting(to.name),
    paragraphs: [mfaDisabled.lead(letterhead.name), mfaDisabled.next],
    notes: [mfaDisabled.unexpected],
  })
}

/** To a user who has switched a second factor on: it may be an attacker's, to keep the user out. */
export function mfaEnabledMail(
  letterhead: Letterhead,
  asked: Language | undefined,
  to: { email: string; name: string },
  method: MfaMethod,
  forgotLink: string,
): Mail {
  const { language, greeting, mfaEnabled } = mailTexts(asked)
  return writeMail(letterhead, {
    language,
    to: to.email,
    subject: mfaEnabled.subject,
    greeting: greeting(to.name),
    paragraphs: [mfaEnabled.lead(letterhead.name, mfaEnabled.factors[method]), mfaEnabled.others],
    action: { label: mfaEnabled.action, link: forgotLink },
    notes: [mfaEnabled.expected],
  })
}

/** To a user who has switched their second factors off. */
export function mfaSwitchedOffMail(
  letterhead: Letterhead,
  asked: Language | undefined,
  to: { email: string; name: string },
  forgotLink: string,
): Mail {
  const { language, greeting, mfaSwitchedOff } = mailTexts(asked)
  return writeMail(letterhead, {
    language,
    to: to.email,
    subject: mfaSwitchedOff.subject,
    greeting: greeting(to.name),
    paragraphs: [mfaSwitchedOff.lead(letterhead.name)],
    action: { label: mfaSwitchedOff.action, link: forgotLink },
    notes: [mfaSwitchedOff.expected],
  })
}

/** To a user after ten wrong codes in a row: the person who enters them may know the password. */
export function wrongCodesMail(
  letterhead: Letterhead,
  asked: Language | undefined,
  to: { email: string; name: string },
  forgotLink: string,
): Mail {
  const { language, greeting, wrongCodes } = mailTexts(asked)
  return writeMail(letterhead, {
    language,
    to: to.email,
    subject: wrongCodes.subject,
    greeting: greeting(to.name),
    paragraphs: [wrongCodes.lead(letterhead.name), wrongCodes.wait, wrongCodes.unexpected],
    action: { label: wrongCodes.action, link: forgotLink },
    notes: [wrongCodes.expected, wrongCodes.once],
  })
}
