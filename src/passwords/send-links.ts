import { pageLink } from '../mails/page-link.ts'
import { findLetterhead } from '../organisations/letterhead.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import type { Outbox } from '../platform/mail/outbox.ts'
import { issueActionLink } from './action-links.ts'
import { emailVerificationMail, passwordChangedMail, passwordResetMail } from './mails.ts'

export interface LinkSender {
  outbox: Outbox
  /** Origin of the links. */
  publicUrl: string
}

export interface Addressee {
  id: string
  email: string
  name: string
}

const passwordLinkLifetimeSeconds = 3_600
const verificationLinkLifetimeSeconds = 24 * 3_600

/** Mails a user a link that sets a new password, with the caller's transaction. */
export async function sendPasswordLink(
  tenant: Tenant,
  { outbox, publicUrl }: LinkSender,
  user: Addressee,
  language: Language | undefined,
): Promise<void> {
  const token = await issueActionLink(tenant, user.id, 'password_reset', passwordLinkLifetimeSeconds)
  const link = pageLink(publicUrl, '/password/reset', token, language)
  await outbox.queue(tenant, passwordResetMail(await findLetterhead(tenant), language, user, link))
}

/** Mails a user a link that shows the address to be theirs, with the caller's transaction. */
export async function sendVerificationLink(
  tenant: Tenant,
  { outbox, publicUrl }: LinkSender,
  user: Addressee,
  language: Language | undefined,
): Promise<void> {
  const token = await issueActionLink(tenant, user.id, 'email_verification', verificationLinkLifetimeSeconds)
  const link = pageLink(publicUrl, '/email/verify', token, language)
  await outbox.queue(tenant, emailVerificationMail(await findLetterhead(tenant), language, user, link))
}

/** Tells a user that the password is another one now, so that nobody changes it unnoticed. */
export async function sendChangeNotice(
  tenant: Tenant,
  { outbox, publicUrl }: LinkSender,
  user: Addressee,
  language: Language | undefined,
): Promise<void> {
  const forgotLink = pageLink(publicUrl, '/password/forgot', undefined, language)
  await outbox.queue(tenant, passwordChangedMail(await findLetterhead(tenant), language, user, forgotLink))
}
