import type { MailTransport } from '../platform/mail/mail.ts'
import type { SmsSender } from '../platform/sms/sms.ts'
import { Inbox } from './inbox.ts'

export interface SentText {
  to: string
  text: string
  /** The addresses in it. */
  links: string[]
  /** The first code of six to eight digits; null without one. */
  code: string | null
}

export interface SentMail extends SentText {
  subject: string
  html: string
}

/** The mails that the service has sent, in place of a mail server. */
export class Mails extends Inbox<SentMail> implements MailTransport {
  /** How many of the next mails are refused: the service tries them again. */
  failures = 0

  async send({ to, subject, text, html }: Parameters<MailTransport['send']>[0]): Promise<void> {
    if (this.failures > 0) {
      this.failures--
      throw new Error('The test mode refuses this mail')
    }
    this.add({ to, subject, text, html, ...takenOut(text) })
  }

  close(): void {}
}

/** The text messages that the service has sent, in place of a gateway. */
export class Texts extends Inbox<SentText> implements SmsSender {
  failures = 0

  async send({ to, text }: Parameters<SmsSender['send']>[0]): Promise<void> {
    if (this.failures > 0) {
      this.failures--
      throw new Error('The test mode refuses this text message')
    }
    this.add({ to, text, ...takenOut(text) })
  }
}

const takenOut = (text: string): Pick<SentText, 'links' | 'code'> => ({
  links: text.match(/https?:\/\/[^\s<>"']+/g) ?? [],
  // A number within a link is no code.
  code: /(?<![\w/=-])\d{6,8}(?![\w-])/.exec(text)?.[0] ?? null,
})
