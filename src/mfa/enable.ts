import type { Caller } from '../access/caller.ts'
import type { Tenant } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { claimCode } from './claim-code.ts'
import { recordOf } from './enrol.ts'
import { listCredentials, lockEnrollee, type MfaMethod, replacePendingCredential } from './queries.ts'
import { invalidVerificationCode, methodNotAllowed, mfaAlreadyEnabled, phoneRequired, smsNotConfigured } from './refusals.ts'
import type { EnrolmentRequest, SmsEnrolment, TotpEnrolment } from './schemas.ts'
import { deliver, type MfaDependencies, writeCode } from './send-code.ts'
import { newTotpSecret, totpUri } from './totp.ts'

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
  caller: Caller,
  request: EnrolmentRequest,
): Promise<TotpEnrolment | SmsEnrolment> {
  return request.method === 'sms' ? enableSms(dependencies, caller, request) : enableTotp(dependencies, caller, request)
}

async function enableTotp(dependencies: MfaDependencies, caller: Caller, request: EnrolmentRequest): Promise<TotpEnrolment> {
  return enrol(dependencies, caller, request, 'totp', async (tenant, { email, organisationName }) => {
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

async function enableSms(dependencies: MfaDependencies, caller: Caller, request: EnrolmentRequest): Promise<SmsEnrolment> {
  const { userId } = caller.session
  const { keyring, limits, smsSender } = dependencies
  const { phone } = request
  if (!smsSender) throw smsNotConfigured()
  if (phone === undefined) throw phoneRequired()
  await limits.smsByUser.count(userId)
  const message = await enrol(dependencies, caller, request, 'sms', async (tenant) => {
    const id = newId('mfa', tenant.now)
    await replacePendingCredential(tenant, caller.session, { id, method: 'sms', secretEncrypted: null, phone })
    return writeCode(tenant, keyring, { id, phone })
  })
  await deliver(smsSender, message)
  return { phone, message: 'A code has been sent to the phone; verify it' }
}

type Enrollee = NonNullable<Awaited<ReturnType<typeof lockEnrollee>>>

async function enrol<T>(
  { database, keyring, limits }: MfaDependencies,
  caller: Caller,
  { method: asked, token, replace = false }: EnrolmentRequest,
  method: MfaMethod,
  begin: (tenant: Tenant, enrollee: Enrollee) => Promise<T>,
): Promise<T> {
  const { userId } = caller.session
  if (token !== undefined) await limits.codeByUser.count(userId)
  const begun = await database.transaction(caller.organisationId, async (tenant) => {
    const enrollee = await lockEnrollee(tenant, userId)
    if (!enrollee) return { refusal: mfaAlreadyEnabled() }
    if (!enrollee.allowedMfaMethods.includes(method)) return { refusal: methodNotAllowed(method) }
    if (enrollee.mfaEnabled) {
      const held = await listCredentials(tenant, userId)
      const mayAdd = replace || held.every((credential) => credential.method !== method)
      if (asked === undefined || token === undefined || !mayAdd) return { refusal: mfaAlreadyEnabled() }
      if (!(await claimCode(tenant, keyring, userId, token))) return undefined
    }
    const result = await begin(tenant, enrollee)
    await recordOf(tenant, caller, 'mfa.enrolment_started', { method })
    return { result }
  })
  if (!begun) throw invalidVerificationCode()
  if (token !== undefined) await limits.codeByUser.giveBack(userId)
  if ('refusal' in begun) throw begun.refusal
  return begun.result
}
