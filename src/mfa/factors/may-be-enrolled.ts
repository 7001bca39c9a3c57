import { mfaMethods } from '../../access/factors.ts'
import type { SignInPolicy } from '../../access/rules.ts'
import type { MfaDependencies } from '../send-code.ts'
import { secondFactors } from './second-factors.ts'

/** What this installation can offer as a second factor. */
export type OfferedFactors = Pick<MfaDependencies, 'smsSender' | 'relyingParty'>

/** Whether a user can enrol at least one of the allowed methods. */
export const mayBeEnrolled = (allowed: readonly string[], { passkeys }: Pick<SignInPolicy, 'passkeys'>, offered: OfferedFactors): boolean =>
  mfaMethods.some(
    (method) => allowed.includes(method) && secondFactors[method].isPossible(offered) && (method !== 'passkey' || passkeys !== 'off'),
  )
