import { plainName } from '../mails/names.ts'
import { mailTexts } from '../mails/texts.ts'
import type { Language } from '../platform/language.ts'
import { type Letterhead, writeMail } from '../platform/mail/letter.ts'
import type { Mail } from '../platform/mail/mail.ts'

export interface InvitationLetter {
  to: string
  inviterName: string
  /** Undefined when the invitation gives no role. */
  role: string | undefined
  teams: readonly string[]
  application: string | undefined
  link: string
  expiresAt: Date
}

/** The mail to an invited person, with the link that creates their user. */
export function invitationMail(
  letterhead: Letterhead,
  asked: Language | undefined,
  { to, inviterName, role, teams, application, link, expiresAt }: InvitationLetter,
): Mail {
  const { language, greetingWithoutName, invitation } = mailTexts(asked)
  return writeMail(letterhead, {
    language,
    to,
    subject: invitation.subject(letterhead.name),
    greeting: greetingWithoutName,
    paragraphs: [
      invitation.lead(inviterName, letterhead.name),
      [
        role !== undefined && invitation.role(role),
        teams.length > 0 && invitation.teams(listOf(teams, language)),
        application !== undefined && invitation.application(application),
      ]
        .filter((sentence) => sentence !== false)
        .join(' '),
    ].filter((paragraph) => paragraph !== ''),
    action: { label: invitation.action, link },
    notes: [invitation.validity(expiresAt), invitation.unexpected],
  })
}

const namedTeamsMax = 10

/** Joins names as a sentence lists them. Of too many, only the first ones. */
function listOf(names: readonly string[], language: Language): string {
  const shown = names.slice(0, namedTeamsMax).map(plainName)
  const list = names.length > shown.length ? [...shown, '…'] : shown
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(list)
}
