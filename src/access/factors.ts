/** The factors of authentication. Each is described once, and everything else derives from its description. */

/** A sign-in has two steps when a second factor is required, otherwise one. */
type Step = 'first' | 'second'

export interface Factor {
  /** The steps that the factor completes. A passkey that has verified its user completes both. */
  readonly takes: readonly Step[]
  /** The values that the factor adds to `amr` (RFC 8176). */
  readonly amr: readonly string[]
  /** Whether users enrol it as their second factor. The API calls it an MFA method. */
  readonly isMfaMethod?: true
  /** Whether its codes are sent on request. */
  readonly sendsCodes?: true
  /** Whether the organisation's maximum age of passwords applies to it. */
  readonly ages?: true
  /** Whether an identity provider vouches for it: we adopt the methods that it reports, but they are no proof of ours. */
  readonly isFederated?: true
}

/** All factors; methods of MFA in the order in which they are offered. */
export const factors = {
  password: { takes: ['first'], amr: ['pwd'], ages: true },
  totp: { takes: ['second'], amr: ['otp'], isMfaMethod: true },
  sms: { takes: ['second'], amr: ['sms'], isMfaMethod: true, sendsCodes: true },
  passkey: { takes: ['second'], amr: ['hwk', 'user'], isMfaMethod: true },
  /** A passkey that may be copied to other devices. */
  synced_passkey: { takes: ['second'], amr: ['swk', 'user'] },
  /** A passkey that has verified its user, where the organisation accepts it for both steps. */
  verified_passkey: { takes: ['first', 'second'], amr: ['hwk', 'user'] },
  verified_synced_passkey: { takes: ['first', 'second'], amr: ['swk', 'user'] },
  /** The same passkey where the organisation does not. */
  single_passkey: { takes: ['first'], amr: ['hwk', 'user'] },
  single_synced_passkey: { takes: ['first'], amr: ['swk', 'user'] },
  backup_code: { takes: ['second'], amr: ['otp'] },
  /** A code that was mailed. It cannot be the second step: NIST SP 800-63B does not accept e-mail as a second channel. */
  email_code: { takes: ['first'], amr: ['otp'] },
  /** A sign-in at an identity provider, with the methods that it reports if the connection trusts them. */
  federated: { takes: ['first'], amr: [], isFederated: true },
  /** A sign-in with a second factor at the identity provider, if the connection trusts it. */
  federated_mfa: { takes: ['first', 'second'], amr: [], isFederated: true },
} as const satisfies Record<string, Factor>

export type FactorName = keyof typeof factors
export type MfaMethod = { [Name in FactorName]: (typeof factors)[Name] extends { isMfaMethod: true } ? Name : never }[FactorName]

export const mfaMethods = (Object.keys(factors) as FactorName[]).filter((name): name is MfaMethod => 'isMfaMethod' in factors[name])

/** The factor that a passkey proves when it has verified its user, even if nothing was proven before. */
export function firstFactorOf({ maySync }: { maySync: boolean }, { passkeySatisfiesMfa }: { passkeySatisfiesMfa: boolean }): FactorName {
  if (passkeySatisfiesMfa) return maySync ? 'verified_synced_passkey' : 'verified_passkey'
  return maySync ? 'single_synced_passkey' : 'single_passkey'
}

/** The factor that a passkey proves in addition to another one. */
export const secondFactorOf = ({ maySync }: { maySync: boolean }): FactorName => (maySync ? 'synced_passkey' : 'passkey')

export const isMfaMethod = (name: string): name is MfaMethod => mfaMethods.some((method) => method === name)

/** Sorts methods into the order in which they are offered. */
export const compareMethods = (left: MfaMethod, right: MfaMethod): number => mfaMethods.indexOf(left) - mfaMethods.indexOf(right)

export const sendsCodes = (method: MfaMethod): boolean => 'sendsCodes' in factors[method]

export const takes = (step: Step, proven: readonly Factor[]): boolean => proven.some((factor) => factor.takes.includes(step))

/** The `amr` of a sign-in with these factors, in this order. */
export function authenticationMethodsOf(proven: readonly Factor[]): string[] {
  const methods = new Set(proven.flatMap(({ amr }) => amr))
  return takes('first', proven) && takes('second', proven) ? [...methods, 'mfa'] : [...methods]
}

/**
 * Levels of assurance, lowest first; each includes those before it. `aal1` means one step and `aal2` two (NIST SP 800-63B),
 * `phr` resists phishing, and `phrh` does so with a key that never leaves its device (OpenID Connect EAP ACR Values 1.0).
 */
export const assuranceLevels = ['aal1', 'aal2', 'phr', 'phrh'] as const
export type AssuranceLevel = (typeof assuranceLevels)[number]

export const includesLevel = (level: AssuranceLevel, wanted: AssuranceLevel): boolean =>
  assuranceLevels.indexOf(level) >= assuranceLevels.indexOf(wanted)

/** The level that these factors reach together. */
export function assuranceLevelOf(proven: readonly Factor[]): AssuranceLevel {
  if (!takes('first', proven) || !takes('second', proven)) return 'aal1'
  const passkeys = proven.filter(isVerifiedPasskey)
  if (passkeys.some(({ amr }) => amr.includes('hwk'))) return 'phrh'
  return passkeys.length > 0 ? 'phr' : 'aal2'
}

/** A passkey that has verified its user can begin a sign-in. One that has only shown its presence is just a second factor. */
export const isVerifiedPasskey = ({ takes, amr, isFederated }: Factor) => takes.includes('first') && amr.includes('user') && !isFederated

/** Whether the factor is a passkey of ours, whatever it has verified. */
export const isPasskey = ({ amr, isFederated }: Factor) => !isFederated && (amr.includes('hwk') || amr.includes('swk'))

/** The level of a sign-in when the request named none: `aal2` with a second factor, otherwise `aal1` (NIST SP 800-63B). */
export const authenticationContextOf = (authenticationMethods: readonly string[]): 'aal1' | 'aal2' =>
  authenticationMethods.includes('mfa') ? 'aal2' : 'aal1'
