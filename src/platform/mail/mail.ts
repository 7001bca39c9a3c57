import type { Language } from '../language.ts'

/** A mail to one person. */
export interface Mail {
  to: string
  language: Language
  subject: string
  text: string
  html: string
}

/** Where mails leave the service. */
export interface MailTransport {
  /** Resolves when the mail has been taken over; throws when it may be tried again. */
  send(mail: Mail & { from: string; messageId: string }): Promise<void>
  close(): void | Promise<void>
}
