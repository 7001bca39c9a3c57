import type { UserCaller } from '../access/caller.ts'
import type { MfaMethod } from '../access/factors.ts'
import { findOwnOrganisation } from '../organisations/queries.ts'
import { findPendingCredential, listCredentials } from './queries.ts'
import type { SmsEnrolment, TotpEnrolment } from './schemas.ts'
import type { MfaDependencies } from './send-code.ts'
import { totpUri } from './totp.ts'

/** After that a secret which somebody may have seen is not offered again. */
const startedAtMostMilliseconds = 15 * 60 * 1_000

export type Begun = Pick<TotpEnrolment, 'secret' | 'qrCodeUri'> | Pick<SmsEnrolment, 'phone'>

/** Where the caller stands with second factors. */
export interface EnrolmentState {
  /** What this session began a little while ago, so that a page can be loaded again without making the code on the phone useless. */
  begun: Begun | undefined
  /** What the caller may enrol: what their organisation allows and this installation can do. */
  allowed: ReadonlySet<MfaMethod>
  /** Whether the caller has a second factor already. */
  enabled: boolean
}

/** Reads where the caller stands, and changes nothing. */
export async function findEnrolmentState({ database, keyring, smsSender }: MfaDependencies, caller: UserCaller): Promise<EnrolmentState> {
  const tenant = database.tenant(caller.organisationId)
  const [organisation, pending, held] = await Promise.all([
    findOwnOrganisation(tenant),
    findPendingCredential(tenant, caller.session),
    listCredentials(tenant, caller.session.userId),
  ])
  const possible: MfaMethod[] = smsSender ? ['totp', 'sms'] : ['totp']
  const allowed = new Set(possible.filter((method) => organisation?.allowedMfaMethods.includes(method)))
  const state = { allowed, enabled: held.length > 0 }
  if (!pending || tenant.now.getTime() - pending.createdAt.getTime() >= startedAtMostMilliseconds) return { ...state, begun: undefined }
  if (pending.phone !== null) return { ...state, begun: { phone: pending.phone } }
  const secret = keyring.decrypt(pending.secretEncrypted ?? '', pending.id)
  const qrCodeUri = totpUri(secret, { issuer: organisation?.name ?? '', account: caller.email })
  return { ...state, begun: { secret, qrCodeUri } }
}
