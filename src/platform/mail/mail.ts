import type { Language } from '../language.ts'

/** A mail to one person. */
export interface Mail {
  to: string
  language: Language
  subject: string
  text: string
  html: string
}

/** Sends mails out of the service. */
export interface MailTransport {
  /** Resolves when the mail is accepted; throws when it may be retried. */
  send(mail: Mail & { from: string; messageId: string }): Promise<void>
  close(): void | Promise<void>
}
