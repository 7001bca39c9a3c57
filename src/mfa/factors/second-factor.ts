import type { UserCaller } from '../../access/caller.ts'
import type { PasskeyResponse } from '../../passkeys/claim-passkey.ts'
import type { StartedRequest } from '../../passkeys/schemas.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { Tenant } from '../../platform/database/database.ts'
import type { ProvenFactor } from '../../sessions/proven-factors.ts'
import type { MfaCredential } from '../queries.ts'
import type { EnrolmentRequest, SmsEnrolment, TotpEnrolment } from '../schemas.ts'
import type { MfaDependencies } from '../send-code.ts'
import type { Enrollee } from '../try-code.ts'

/** A user's proof of a factor: a code, or the response of a passkey to a challenge. */
export type Proof = CodeProof | PasskeyResponse

export interface CodeProof {
  readonly code: string
}

export type Claimed = Omit<ProvenFactor, 'provenAt'>

/** The enrolment that a session has begun, to be shown again. */
export type Begun = Pick<TotpEnrolment, 'secret' | 'qrCodeUri'> | Pick<SmsEnrolment, 'phone'> | { isPasskey: true }

export interface Beginning {
  started: TotpEnrolment | SmsEnrolment | StartedRequest
  afterCommit?: () => Promise<void>
}

/** An enrolment whose input has been checked. */
export interface Prepared {
  begin(tenant: Tenant, enrollee: Enrollee): Promise<Beginning>
  /** Releases what has been counted for it, when it is refused. */
  release?(): Promise<void>
}

/** How a second factor is enrolled and proven; `access/factors.ts` describes its effect on a sign-in. */
export interface SecondFactor {
  /** Whether this installation can offer it. */
  isPossible(dependencies: Pick<MfaDependencies, 'smsSender' | 'relyingParty'>): boolean
  /** Checks the input of an enrolment, and counts what it is going to send. */
  prepare(dependencies: MfaDependencies, caller: UserCaller, request: EnrolmentRequest): Promise<Prepared>
  /** Presents the enrolment that has been begun, to show it again. */
  presentBegun(keyring: Keyring, pending: MfaCredential, shown: { account: string; organisationName: string }): Begun
  /** Uses up a proof. @returns what it proves; undefined when it was wrong, or another call used it up */
  claim(tenant: Tenant, dependencies: MfaDependencies, credential: MfaCredential, proof: Proof): Promise<Claimed | undefined>
  /** Whether a code would be accepted now. It is not used up. */
  accepts(tenant: Tenant, keyring: Keyring, credential: MfaCredential, proof: CodeProof): Promise<boolean>
}
