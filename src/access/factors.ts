/** What people prove when they sign in. A factor is described here once; what follows from it derives from its description. */

/** A sign-in takes two steps where a second factor is asked for, else the first alone. */
type Step = 'first' | 'second'

export interface Factor {
  /** The steps that it takes. One that takes both, as a passkey that has verified its user does, leaves nothing to ask for. */
  readonly takes: readonly Step[]
  /** What it adds to `amr` (RFC 8176). */
  readonly amr: readonly string[]
  /** Whether users enrol it as their second factor: the API calls it a method of MFA. */
  readonly isMfaMethod?: true
  /** Whether its codes are sent, when they are asked for. */
  readonly sendsCodes?: true
  /** Whether it wears out: the organisation's maximum age of passwords holds. */
  readonly ages?: true
}

/** All factors; methods of MFA in the order in which they are offered. */
export const factors = {
  password: { takes: ['first'], amr: ['pwd'], ages: true },
  totp: { takes: ['second'], amr: ['otp'], isMfaMethod: true },
  sms: { takes: ['second'], amr: ['sms'], isMfaMethod: true, sendsCodes: true },
  backup_code: { takes: ['second'], amr: ['otp'] },
} as const satisfies Record<string, Factor>

export type FactorName = keyof typeof factors
export type MfaMethod = { [Name in FactorName]: (typeof factors)[Name] extends { isMfaMethod: true } ? Name : never }[FactorName]

export const mfaMethods = (Object.keys(factors) as FactorName[]).filter((name): name is MfaMethod => 'isMfaMethod' in factors[name])

export const isMfaMethod = (name: string): name is MfaMethod => mfaMethods.some((method) => method === name)

/** Sorts methods into the order in which they are offered. */
export const compareMethods = (left: MfaMethod, right: MfaMethod): number => mfaMethods.indexOf(left) - mfaMethods.indexOf(right)

export const sendsCodes = (method: MfaMethod): boolean => 'sendsCodes' in factors[method]

const takes = (step: Step, proven: readonly Factor[]): boolean => proven.some((factor) => factor.takes.includes(step))

/** What `amr` says of a sign-in in which these were proven, in this order. */
export function authenticationMethodsOf(proven: readonly Factor[]): string[] {
  const methods = new Set(proven.flatMap(({ amr }) => amr))
  return takes('first', proven) && takes('second', proven) ? [...methods, 'mfa'] : [...methods]
}

/** How sure the sign-in was: `aal2` when a second factor took part, else `aal1` (NIST SP 800-63B). */
export const authenticationContextOf = (authenticationMethods: readonly string[]): 'aal1' | 'aal2' =>
  authenticationMethods.includes('mfa') ? 'aal2' : 'aal1'
