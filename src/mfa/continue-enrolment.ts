import type { Caller } from '../access/caller.ts'
import { findOwnOrganisation } from '../organisations/queries.ts'
import { enableMfa } from './enable.ts'
import type { MfaMethod } from './queries.ts'
import { findPendingCredential } from './queries.ts'
import type { SmsEnrolment, TotpEnrolment } from './schemas.ts'
import type { MfaDependencies } from './send-code.ts'
import { totpUri } from './totp.ts'

/** After that a secret which somebody may have seen is not offered again. */
const startedAtMostMilliseconds = 15 * 60 * 1_000

type Started = Pick<TotpEnrolment, 'secret' | 'qrCodeUri'> | Pick<SmsEnrolment, 'phone'>

/**
 * The enrolment that the caller began a little while ago, or else a new one of an authenticator app: a page can be loaded
 * again without making the code on the phone useless.
 *
 * @throws Problem as {@link enableMfa}
 */
export async function continueEnrolment(dependencies: MfaDependencies, caller: Caller): Promise<Started> {
  const { database, keyring } = dependencies
  const tenant = database.tenant(caller.organisationId)
  const pending = await findPendingCredential(tenant, caller.session.userId)
  if (!pending || tenant.now.getTime() - pending.createdAt.getTime() >= startedAtMostMilliseconds)
    return enableMfa(dependencies, caller, {})
  if (pending.phone !== null) return { phone: pending.phone }
  const secret = keyring.decrypt(pending.secretEncrypted ?? '', pending.id)
  const organisation = await findOwnOrganisation(tenant)
  return { secret, qrCodeUri: totpUri(secret, { issuer: organisation?.name ?? '', account: caller.email ?? '' }) }
}

/** What the caller may enrol: what their organisation allows and this installation can do. */
export async function listAllowedMethods({ database, smsSender }: MfaDependencies, caller: Caller): Promise<ReadonlySet<MfaMethod>> {
  const organisation = await findOwnOrganisation(database.tenant(caller.organisationId))
  const possible: MfaMethod[] = smsSender ? ['totp', 'sms'] : ['totp']
  return new Set(possible.filter((method) => organisation?.allowedMfaMethods.includes(method)))
}
