/** What somebody's password, and the organisation's settings, say of how a sign-in goes on. */
export interface SignInState {
  mfaEnabled: boolean
  requireMfa: boolean
  passwordChangedAt: Date | null
  passwordMaxAgeDays: number | undefined
}

/**
 * - `second_factor`: a code has to be asked for
 * - `new_password`: the password is older than the organisation allows
 * - `enrolment`: a session may start that reaches nothing but the enrolment of a second factor
 * - `session`: a session may start
 */
export type NextStep = 'second_factor' | 'new_password' | 'enrolment' | 'session'

const dayMilliseconds = 24 * 3_600 * 1_000

/**
 * What comes next once the password, and the second factor if it was asked for, has been right. A new password comes
 * after the second factor: who knows the old one alone must not choose.
 */
export function decideNextStep(state: SignInState, secondFactorGiven: boolean, now: Date): NextStep {
  if (state.mfaEnabled && !secondFactorGiven) return 'second_factor'
  if (isExpired(state, now)) return 'new_password'
  if (state.requireMfa && !state.mfaEnabled) return 'enrolment'
  return 'session'
}

function isExpired({ passwordChangedAt, passwordMaxAgeDays }: SignInState, now: Date): boolean {
  if (passwordChangedAt === null || passwordMaxAgeDays === undefined) return false
  return now.getTime() - passwordChangedAt.getTime() >= passwordMaxAgeDays * dayMilliseconds
}
