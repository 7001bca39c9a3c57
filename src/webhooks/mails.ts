import { letterheadOf } from '../organisations/letterhead.ts'
import { writeMail } from '../platform/mail/letter.ts'
import type { Mail } from '../platform/mail/mail.ts'

/** Tells an organisation's contact that one of its endpoints gets nothing any more. */
export function deactivationMail(
  organisation: { name: string; email: string; branding: Record<string, unknown> | null },
  endpoint: { id: string; url: string; failureCount: number },
): Mail {
  const { host } = new URL(endpoint.url)
  const happened = `The webhook endpoint ${endpoint.id} of ${organisation.name} at ${host} has failed ${endpoint.failureCount} deliveries in a row and was switched off. It receives nothing until it is activated again; what is still waiting for it is kept.`
  const next = 'Look at its deliveries to see what went wrong, then activate it and replay what failed.'
  return writeMail(letterheadOf(organisation), {
    to: organisation.email,
    subject: `Webhook to ${host} was switched off`,
    greeting: 'Hello,',
    paragraphs: [happened, next],
  })
}
