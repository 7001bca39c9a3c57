import { sendsCodes } from '../access/factors.ts'
import type { MailSender } from '../mails/mail-sender.ts'
import { plainName } from '../mails/names.ts'
import type { RelyingParty } from '../passkeys/relying-party.ts'
import { secondsAfter } from '../platform/clock.ts'
import type { Keyring } from '../platform/crypto/keyring.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { SmsSender } from '../platform/sms/sms.ts'
import { listCredentials, type MfaCredential, replaceSentCode } from './queries.ts'
import { codeNotSent, noPhone } from './refusals.ts'
import { hashSentCode, newSentCode } from './sent-codes.ts'
import { countMessage, type SmsLimits } from './sms-limits.ts'

export interface MfaDependencies extends MailSender, SmsLimits {
  keyring: Keyring
  /** Undefined without an SMS gateway: SMS is then not available as a second factor. */
  smsSender: SmsSender | undefined
  relyingParty: RelyingParty
}

const codeLifetimeSeconds = 5 * 60

/**
 * Sends a code to the phone that a user has enrolled; the previous code stops working.
 *
 * @throws Problem `bad-request` when no phone is enrolled, `too-many-requests`, `service-unavailable` when the gateway fails
 */
export async function sendCode(dependencies: MfaDependencies, organisationId: string, userId: string): Promise<void> {
  const { database, keyring } = dependencies
  const credential = (await listCredentials(database.tenant(organisationId), userId)).find(({ method }) => sendsCodes(method))
  if (!credential) throw noPhone()
  const release = await countMessage(dependencies, { organisationId, userId, phone: credential.phone ?? '', isConfirmed: true })
  const message = await database
    .transaction(organisationId, (tenant) => writeCode(tenant, keyring, credential))
    .catch(async (error: unknown) => {
      await release()
      throw error
    })
  await deliver(dependencies.smsSender, message)
}

/** Creates a code for a phone, in the caller's transaction, and its message. */
export async function writeCode(
  tenant: Tenant,
  keyring: Keyring,
  { id, phone }: Pick<MfaCredential, 'id' | 'phone'>,
): Promise<{ to: string; text: string }> {
  const code = newSentCode()
  const expiresAt = secondsAfter(tenant.now, codeLifetimeSeconds)
  await replaceSentCode(tenant, id, hashSentCode(keyring, id, code), expiresAt)
  const { name } = await tenant.selectFrom('organisations').select('name').executeTakeFirstOrThrow()
  return { to: phone ?? '', text: textOf(code, name) }
}

/** Strangers choose the names of organisations, and phones turn whatever looks like an address into a link. */
const textOf = (code: string, organisationName: string) =>
  `${code} is your code for ${plainName(organisationName)}. It works for five minutes. Never pass it on.`

/** Sends a message after the commit, while the user waits: unlike a mail, a late code is useless. */
export async function deliver(sender: SmsSender | undefined, message: { to: string; text: string }): Promise<void> {
  if (!sender) throw codeNotSent()
  try {
    await sender.send(message)
  } catch (error) {
    throw codeNotSent(error)
  }
}
