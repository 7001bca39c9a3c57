import { mailToUser, type Recipient } from '../mails/mail-to-user.ts'
import type { Language } from '../platform/language.ts'
import type { Letterhead } from '../platform/mail/letter.ts'
import type { Mail } from '../platform/mail/mail.ts'
import type { Recovery } from './user-schemas.ts'

/** Tells a user that the operator has restored their access: the steps, and the link unless the operator hands it over. */
export function recoveryMail(
  letterhead: Letterhead,
  asked: Language | undefined,
  to: Recipient,
  done: readonly Recovery[],
  link: string | undefined,
): Mail {
  return mailToUser(letterhead, asked, to, ({ recovery, passwordReset }) => ({
    subject: recovery.subject(letterhead.name),
    paragraphs: [
      recovery.lead(letterhead.name),
      ...(done.includes('removeSecondFactors') || done.includes('passwordLink') ? [recovery.everything] : []),
      ...done.map((thing) => recovery[thing === 'passwordLink' && !link ? 'handedOverLink' : thing]),
    ],
    ...(link && { action: { label: passwordReset.action, link } }),
    notes: [...(link ? [passwordReset.validity] : []), recovery.unexpected],
    isAwaited: true,
  }))
}

/** Tells the new owner and the former one that the operator has changed the owner. */
export function ownershipMail(letterhead: Letterhead, asked: Language | undefined, to: Recipient, newOwner: Recipient): Mail {
  return mailToUser(letterhead, asked, to, ({ ownership }) => ({
    subject: ownership.subject(letterhead.name),
    paragraphs: [to === newOwner ? ownership.given(letterhead.name) : ownership.taken(letterhead.name, newOwner.name)],
    notes: [ownership.unexpected],
  }))
}
