import type { MfaMethod } from '../../access/factors.ts'
import { passkey } from './passkey.ts'
import type { SecondFactor } from './second-factor.ts'
import { sms } from './sms.ts'
import { totp } from './totp.ts'

/** Every method of MFA; a missing one does not compile. */
export const secondFactors: Readonly<Record<MfaMethod, SecondFactor>> = { totp, sms, passkey }
