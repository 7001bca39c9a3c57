import type { MfaMethod } from '../access/factors.ts'
import { pageLink } from '../mails/page-link.ts'
import { findLetterhead } from '../organisations/letterhead.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import { mfaEnabledMail, mfaSwitchedOffMail } from './mails.ts'
import type { MfaDependencies } from './send-code.ts'

type Teller = Pick<MfaDependencies, 'outbox' | 'publicUrl'>

/** Mails a user, in the caller's transaction, that a second factor has been enabled. */
export async function tellEnabled(
  tenant: Tenant,
  { outbox, publicUrl }: Teller,
  user: { email: string; name: string },
  method: MfaMethod,
  language: Language | undefined,
): Promise<void> {
  const forgotLink = pageLink(publicUrl, '/password/forgot', undefined, language)
  await outbox.queue(tenant, mfaEnabledMail(await findLetterhead(tenant), language, user, method, forgotLink))
}

/** Mails a user, in the caller's transaction, that they have disabled their second factors. */
export async function tellSwitchedOff(
  tenant: Tenant,
  { outbox, publicUrl }: Teller,
  user: { email: string; name: string },
  language: Language | undefined,
): Promise<void> {
  const forgotLink = pageLink(publicUrl, '/password/forgot', undefined, language)
  await outbox.queue(tenant, mfaSwitchedOffMail(await findLetterhead(tenant), language, user, forgotLink))
}
