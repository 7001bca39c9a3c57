import type { Actor } from '../activity/actor.ts'
import { record } from '../activity/record.ts'
import type { MailSender } from '../mails/mail-sender.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import { presentPasskey } from './present-passkey.ts'
import { type StoredPasskey, updateUse } from './queries.ts'
import { tellOfPasskey } from './tell-user.ts'
import type { Assertion } from './verify.ts'

/** The user of a passkey, and how to reach them. */
export interface PasskeyUser {
  user: { id: string; email: string; name: string }
  /** The user as the audit log names them. */
  actor: Actor
  language: Language | undefined
}

/**
 * Stores the use of a verified passkey, in the caller's transaction. A counter that has not grown betrays a copy: the audit log and a mail
 * to the user say so, so the caller commits although it refuses.
 *
 * @returns false when the counter has not grown
 */
export async function usePasskey(
  tenant: Tenant,
  mailing: MailSender,
  passkey: StoredPasskey,
  assertion: Assertion,
  { user, actor, language }: PasskeyUser,
): Promise<boolean> {
  if (await updateUse(tenant, passkey.id, assertion)) return true
  await record(tenant, actor, {
    action: 'passkey.clone_suspected',
    passkey: presentPasskey(passkey),
    user,
    metadata: { userId: user.id, storedCounter: passkey.counter, receivedCounter: assertion.counter },
  })
  await tellOfPasskey(tenant, mailing, 'passkeyCloned', { user, passkey, language })
  return false
}
