import { mailTexts } from '../../mails/texts.ts'
import { letterheadOf } from '../../organisations/letterhead.ts'
import { writeMail } from '../../platform/mail/letter.ts'
import type { Mail } from '../../platform/mail/mail.ts'

/** Tells an organisation's contact that an endpoint was deactivated. No request causes it, so it has no requested language. */
export function deactivationMail(
  organisation: { name: string; email: string; branding: Record<string, unknown> | null },
  endpoint: { id: string; url: string; failureCount: number },
): Mail {
  const url = new URL(endpoint.url)
  const { language, greetingWithoutName, webhookDeactivated } = mailTexts(undefined)
  const { id, failureCount } = endpoint
  return writeMail(letterheadOf(organisation), {
    language,
    to: organisation.email,
    subject: webhookDeactivated.subject(url),
    greeting: greetingWithoutName,
    paragraphs: [webhookDeactivated.lead({ id, url, organisation: organisation.name, failures: failureCount }), webhookDeactivated.next],
  })
}
