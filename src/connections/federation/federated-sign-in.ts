import type { UserCaller } from '../../access/caller.ts'
import type { Origin } from '../../activity/actor.ts'
import type { Language } from '../../platform/language.ts'
import type { SignInOutcome } from '../../sign-in/outcome.ts'
import type { IdentityRefusal } from '../decide-identity.ts'
import type { UpstreamIdentity } from '../upstream/upstream.ts'
import type { ConnectionToUse } from './queries.ts'

/** An identity that its provider has established, and the purpose of the sign-in. */
export interface FederatedSignIn {
  connection: ConnectionToUse
  identity: UpstreamIdentity
  /** The signed-in user who asked to link it, or was asked to. */
  linkTo: UserCaller | undefined
  /** Whether they were asked to, and have signed in since. */
  isConfirmed?: boolean
  origin: Origin
  /** The language of the sign-in, for mails. */
  language: Language | undefined
}

export type FederatedOutcome =
  | { kind: 'signed_in'; outcome: SignInOutcome; userId: string }
  | { kind: 'linked'; userId: string }
  /** The user first has to sign in in another of their ways. */
  | { kind: 'confirm'; userId: string }
  | (Refused & { userId?: string | undefined })

/** The reason and, if another connection is required, that connection. */
export type Refused = { kind: 'refused'; refusal: IdentityRefusal; requiredConnectionId?: string | undefined }
