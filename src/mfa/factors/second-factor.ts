import type { UserCaller } from '../../access/caller.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { Tenant } from '../../platform/database/database.ts'
import type { MfaCredential } from '../queries.ts'
import type { EnrolmentRequest, SmsEnrolment, TotpEnrolment } from '../schemas.ts'
import type { MfaDependencies } from '../send-code.ts'
import type { Enrollee } from '../try-code.ts'

/** What a user presents to prove a factor. */
export interface Proof {
  readonly code: string
}

/** What a session has begun to enrol, to be shown again. */
export type Begun = Pick<TotpEnrolment, 'secret' | 'qrCodeUri'> | Pick<SmsEnrolment, 'phone'>

export interface Beginning {
  started: TotpEnrolment | SmsEnrolment
  /** What follows once it has been committed. */
  afterCommit?: () => Promise<void>
}

/** How a second factor is enrolled and proven; what follows from it for a sign-in is in `access/factors.ts`. */
export interface SecondFactor {
  /** Whether this installation can offer it. */
  isPossible(dependencies: Pick<MfaDependencies, 'smsSender'>): boolean
  /**
   * Checks what an enrolment takes.
   *
   * @returns what begins it, in a transaction
   */
  prepare(
    dependencies: MfaDependencies,
    caller: UserCaller,
    request: EnrolmentRequest,
  ): Promise<(tenant: Tenant, enrollee: Enrollee) => Promise<Beginning>>
  /** What has been begun, to be shown again. */
  presentBegun(keyring: Keyring, pending: MfaCredential, shown: { account: string; organisationName: string }): Begun
  /** Uses a proof up. @returns whether it was right, and this call the one that did */
  claim(tenant: Tenant, keyring: Keyring, credential: MfaCredential, proof: Proof): Promise<boolean>
  /** Whether a proof would be accepted now. It is not used up. */
  accepts(tenant: Tenant, keyring: Keyring, credential: MfaCredential, proof: Proof): Promise<boolean>
}
