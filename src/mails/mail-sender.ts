import type { Outbox } from '../platform/mail/outbox.ts'

/** What a mail with a link takes. */
export interface MailSender {
  outbox: Outbox
  /** Origin of the links. */
  publicUrl: string
}
