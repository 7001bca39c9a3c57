import type { UserCaller } from '../access/caller.ts'
import type { MfaMethod } from '../access/factors.ts'
import type { Tenant } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import type { Language } from '../platform/language.ts'
import { claimCode } from './claim-code.ts'
import { recordOf } from './enrol.ts'
import { listCredentials, lockEnrollee, replacePendingCredential } from './queries.ts'
import { invalidVerificationCode, methodNotAllowed, mfaAlreadyEnabled, phoneRequired, smsNotConfigured } from './refusals.ts'
import type { EnrolmentRequest, SmsEnrolment, TotpEnrolment } from './schemas.ts'
import { deliver, type MfaDependencies, writeCode } from './send-code.ts'
import { newTotpSecret, totpUri } from './totp.ts'
import { type Enrollee, tryOwnCode } from './try-code.ts'

/**
 * Begins the enrolment of a second factor: of an authenticator app, unless a phone is asked for. It belongs to the
 * caller's session; what the same session began before is forgotten. Who has a factor adds the other kind, or
 * replaces it by one of its kind, with a code of it: the session alone must not be enough to enrol a stranger's phone. A
 * factor that is being replaced works until the new one has been proven.
 *
 * @throws Problem `bad-request` when MFA is enabled, the organisation does not allow the method or the code is wrong,
 *   `too-many-requests`, `service-unavailable` when the gateway fails
 */
export async function enableMfa(
  dependencies: MfaDependencies,
  caller: UserCaller,
  request: EnrolmentRequest,
  language: Language | undefined,
): Promise<TotpEnrolment | SmsEnrolment> {
  const asked = { ...request, language }
  return request.method === 'sms' ? enableSms(dependencies, caller, asked) : enableTotp(dependencies, caller, asked)
}

type Asked = EnrolmentRequest & { language: Language | undefined }

async function enableTotp(dependencies: MfaDependencies, caller: UserCaller, asked: Asked): Promise<TotpEnrolment> {
  return enrol(dependencies, caller, asked, 'totp', async (tenant, { email, organisationName }) => {
    const id = newId('mfa', tenant.now)
    const secret = newTotpSecret()
    const secretEncrypted = dependencies.keyring.encrypt(secret, id)
    await replacePendingCredential(tenant, caller.session, { id, method: 'totp', secretEncrypted, phone: null })
    return {
      secret,
      qrCodeUri: totpUri(secret, { issuer: organisationName, account: email }),
      message: 'Scan the QR code with an authenticator app, then verify a code of it',
    }
  })
}

async function enableSms(dependencies: MfaDependencies, caller: UserCaller, asked: Asked): Promise<SmsEnrolment> {
  const { userId } = caller.session
  const { keyring, limits, smsSender } = dependencies
  const { phone } = asked
  if (!smsSender) throw smsNotConfigured()
  if (phone === undefined) throw phoneRequired()
  await limits.smsByUser.count(userId)
  const message = await enrol(dependencies, caller, asked, 'sms', async (tenant) => {
    const id = newId('mfa', tenant.now)
    await replacePendingCredential(tenant, caller.session, { id, method: 'sms', secretEncrypted: null, phone })
    return writeCode(tenant, keyring, { id, phone })
  })
  await deliver(smsSender, message)
  return { phone, message: 'A code has been sent to the phone; verify it' }
}

async function enrol<T>(
  dependencies: MfaDependencies,
  caller: UserCaller,
  { method: asked, token, replace = false, language }: Asked,
  method: MfaMethod,
  begin: (tenant: Tenant, enrollee: Enrollee) => Promise<T>,
): Promise<T> {
  const { database, keyring } = dependencies
  const { userId } = caller.session
  const beginFor = async (tenant: Tenant, enrollee: Enrollee | undefined) => {
    if (!enrollee) throw mfaAlreadyEnabled()
    if (!enrollee.allowedMfaMethods.includes(method)) throw methodNotAllowed(method)
    if (enrollee.mfaEnabled) {
      const held = await listCredentials(tenant, userId)
      const mayAdd = replace || held.every((credential) => credential.method !== method)
      if (asked === undefined || token === undefined || !mayAdd) throw mfaAlreadyEnabled()
      if (!(await claimCode(tenant, keyring, userId, token))) return undefined
    }
    const result = await begin(tenant, enrollee)
    await recordOf(tenant, caller, 'mfa.enrolment_started', { method })
    return { result }
  }
  const begun =
    token === undefined
      ? await database.transaction(caller.organisationId, async (tenant) => beginFor(tenant, await lockEnrollee(tenant, userId)))
      : await tryOwnCode(dependencies, caller, language, beginFor)
  if (!begun) throw invalidVerificationCode()
  return begun.result
}
