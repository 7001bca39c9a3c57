import { mailToUser } from '../../mails/mail-to-user.ts'
import { findLetterhead } from '../../organisations/letterhead.ts'
import type { Tenant } from '../../platform/database/database.ts'
import type { Outbox } from '../../platform/mail/outbox.ts'

interface AddressChange {
  /** The former address. */
  email: string
  name: string
  /** The new address. */
  address: string
  /** The name of the directory that has changed it. */
  directory: string
}

/** Tells a user at the former and the new address, in the caller's transaction, that a directory has changed the address of the account. */
export async function tellOfAddress(tenant: Tenant, outbox: Outbox, { email, name, address, directory }: AddressChange): Promise<void> {
  const letterhead = await findLetterhead(tenant)
  for (const to of [email, address]) {
    const mail = mailToUser(letterhead, undefined, { email: to, name }, ({ addressChanged }) => ({
      subject: addressChanged.subject,
      paragraphs: [addressChanged.lead(letterhead.name, directory), to === email ? addressChanged.former : addressChanged.present],
      notes: [addressChanged.note],
    }))
    await outbox.queue(tenant, mail)
  }
}
