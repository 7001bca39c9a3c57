import type { Outbox } from '../platform/mail/outbox.ts'

/** The dependencies of a mail with a link. */
export interface MailSender {
  outbox: Outbox
  /** The origin of the links. */
  publicUrl: string
}
