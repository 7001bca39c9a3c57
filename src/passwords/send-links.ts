import type { MailSender } from '../mails/mail-sender.ts'
import { pageLink } from '../mails/page-link.ts'
import { findLetterhead } from '../organisations/letterhead.ts'
import type { Keyring } from '../platform/crypto/keyring.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import { issueActionLink, reissueActionLink } from './action-links.ts'
import { type AfterReset, accountCreatedMail, emailVerificationMail, passwordChangedMail, passwordResetMail } from './mails.ts'

export interface LinkSender extends MailSender {
  keyring: Keyring
}

export interface Addressee {
  id: string
  email: string
  name: string
}

interface Link {
  purpose: Parameters<typeof issueActionLink>[2]
  page: `/${string}`
  lifetimeSeconds: number
  mail: typeof passwordResetMail
}

const passwordLink: Link = { purpose: 'password_reset', page: '/password/reset', lifetimeSeconds: 3_600, mail: passwordResetMail }
const welcomeLink: Link = {
  purpose: 'password_reset',
  page: '/password/reset',
  lifetimeSeconds: 7 * 24 * 3_600,
  mail: accountCreatedMail,
}
const verificationLink: Link = {
  purpose: 'email_verification',
  page: '/email/verify',
  lifetimeSeconds: 24 * 3_600,
  mail: emailVerificationMail,
}

const sameLinkSeconds = 10 * 60

/** Mails a user a link, in the caller's transaction. @param again whether one that was mailed just now will do */
const sendLink =
  ({ purpose, page, lifetimeSeconds, mail }: Link, { again = false } = {}) =>
  async (tenant: Tenant, { keyring, outbox, publicUrl }: LinkSender, user: Addressee, language: Language | undefined): Promise<void> => {
    const token = again
      ? await reissueActionLink(tenant, user.id, purpose, lifetimeSeconds, { keyring, youngerThanSeconds: sameLinkSeconds })
      : await issueActionLink(tenant, user.id, purpose, lifetimeSeconds, keyring)
    await outbox.queue(tenant, mail(await findLetterhead(tenant), language, user, pageLink(publicUrl, page, token, language)))
  }

/** A link that sets a new password, for a mail with more content. */
export async function makePasswordLink(
  tenant: Tenant,
  { keyring, publicUrl }: LinkSender,
  userId: string,
  language: Language | undefined,
): Promise<string> {
  const { purpose, page, lifetimeSeconds } = passwordLink
  return pageLink(publicUrl, page, await issueActionLink(tenant, userId, purpose, lifetimeSeconds, keyring), language)
}

/** Mails a user a link that sets a new password. */
export const sendPasswordLink = sendLink(passwordLink)

/** Mails a user a link that sets a new password: the same one again, if it is less than ten minutes old and still works. */
export const sendPasswordLinkAgain = sendLink(passwordLink, { again: true })

/** Welcomes a user who has no password, with the link that sets the first one. */
export const sendWelcomeLink = sendLink(welcomeLink)

/** Mails a user a link that verifies their address. */
export const sendVerificationLink = sendLink(verificationLink)

/** The same to a user who was just created, and has asked for nothing. */
export const sendFirstVerificationLink = sendLink({
  ...verificationLink,
  mail: (...given) => ({ ...emailVerificationMail(...given), isAwaited: false }),
})

/** Tells a user that the password has changed, and how the other ways into the account are affected. */
export async function sendChangeNotice(
  tenant: Tenant,
  { outbox, publicUrl }: LinkSender,
  user: Addressee,
  language: Language | undefined,
  after?: AfterReset,
): Promise<void> {
  const links = {
    forgot: pageLink(publicUrl, '/password/forgot', undefined, language),
    passkeys: pageLink(publicUrl, '/account/passkeys', undefined, language),
    identities: pageLink(publicUrl, '/account/identities', undefined, language),
  }
  await outbox.queue(tenant, passwordChangedMail(await findLetterhead(tenant), language, user, links, after))
}
