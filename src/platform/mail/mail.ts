import type { Language } from '../language.ts'

/** A mail to one person. */
export interface Mail {
  to: string
  language: Language
  subject: string
  text: string
  html: string
  /** Whether a person waits for it, such as for a code: it is sent before the others of the organisation. */
  isAwaited?: boolean
}

/** Sends mails out of the service. */
export interface MailTransport {
  /** Resolves when the mail is accepted; throws when it may be retried, and once `signal` aborts. */
  send(mail: Omit<Mail, 'isAwaited'> & { from: string; messageId: string }, signal: AbortSignal): Promise<void>
  close(): void | Promise<void>
}
