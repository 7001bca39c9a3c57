import type { UserCaller } from '../../access/caller.ts'
import type { Origin } from '../../activity/actor.ts'
import type { Language } from '../../platform/language.ts'
import type { SignInOutcome } from '../../sign-in/outcome.ts'
import type { IdentityRefusal } from '../decide-identity.ts'
import type { UpstreamIdentity } from '../upstream/upstream.ts'
import type { ConnectionToUse } from './queries.ts'

/** An identity whose provider has said who it is, and what it is to be used for. */
export interface FederatedSignIn {
  connection: ConnectionToUse
  identity: UpstreamIdentity
  /** The signed-in user who asked to link it. */
  linkTo: UserCaller | undefined
  origin: Origin
  /** Of the browser, for mails. */
  language: Language | undefined
}

/** What became of it. */
export type FederatedOutcome =
  | { kind: 'signed_in'; outcome: SignInOutcome; userId: string }
  | { kind: 'linked'; userId: string }
  /** The user has to sign in by another of their ways first. */
  | { kind: 'confirm'; userId: string }
  | (Refused & { userId?: string | undefined })

/** Why, and where to sign in instead where that is required. */
export type Refused = { kind: 'refused'; refusal: IdentityRefusal; requiredConnectionId?: string | undefined }
