/** The factors of authentication. Each is described here once, and everything else derives from its description. */

/** A sign-in has two steps when a second factor is required, otherwise one. */
type Step = 'first' | 'second'

export interface Factor {
  /** The steps that it completes. A passkey that has verified its user completes both. */
  readonly takes: readonly Step[]
  /** What it adds to `amr` (RFC 8176). */
  readonly amr: readonly string[]
  /** Whether users enrol it as their second factor. The API calls it an MFA method. */
  readonly isMfaMethod?: true
  /** Whether its codes are sent on request. */
  readonly sendsCodes?: true
  /** Whether the organisation's maximum age of passwords applies to it. */
  readonly ages?: true
  /** Whether an identity provider vouches for it: what it reports of its methods is taken over, but is no proof of ours. */
  readonly isFederated?: true
}

/** All factors; methods of MFA in the order in which they are offered. */
export const factors = {
  password: { takes: ['first'], amr: ['pwd'], ages: true },
  totp: { takes: ['second'], amr: ['otp'], isMfaMethod: true },
  sms: { takes: ['second'], amr: ['sms'], isMfaMethod: true, sendsCodes: true },
  passkey: { takes: ['second'], amr: ['hwk', 'user'], isMfaMethod: true },
  /** One that may be copied to other devices. */
  synced_passkey: { takes: ['second'], amr: ['swk', 'user'] },
  /** One that has verified its user, where the organisation lets it stand for both steps. */
  verified_passkey: { takes: ['first', 'second'], amr: ['hwk', 'user'] },
  verified_synced_passkey: { takes: ['first', 'second'], amr: ['swk', 'user'] },
  /** The same where it does not. */
  single_passkey: { takes: ['first'], amr: ['hwk', 'user'] },
  single_synced_passkey: { takes: ['first'], amr: ['swk', 'user'] },
  backup_code: { takes: ['second'], amr: ['otp'] },
  /** One that was mailed. It proves no second step: NIST SP 800-63B takes e-mail for no second channel. */
  email_code: { takes: ['first'], amr: ['otp'] },
  /** A sign-in at an identity provider, with what it reports where the connection trusts that. */
  federated: { takes: ['first'], amr: [], isFederated: true },
  /** One with a second factor there, where the connection trusts it. */
  federated_mfa: { takes: ['first', 'second'], amr: [], isFederated: true },
} as const satisfies Record<string, Factor>

export type FactorName = keyof typeof factors
export type MfaMethod = { [Name in FactorName]: (typeof factors)[Name] extends { isMfaMethod: true } ? Name : never }[FactorName]

export const mfaMethods = (Object.keys(factors) as FactorName[]).filter((name): name is MfaMethod => 'isMfaMethod' in factors[name])

/** The factor that a passkey proves which has verified its user: also where nothing was proven before. */
export function firstFactorOf({ maySync }: { maySync: boolean }, { passkeySatisfiesMfa }: { passkeySatisfiesMfa: boolean }): FactorName {
  if (passkeySatisfiesMfa) return maySync ? 'verified_synced_passkey' : 'verified_passkey'
  return maySync ? 'single_synced_passkey' : 'single_passkey'
}

/** The factor that a passkey proves beside another one. */
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
 * Levels of assurance, lowest first; each includes those before it. `aal1` and `aal2` are one step and two (NIST SP 800-63B),
 * `phr` resists phishing, `phrh` does so by a key that never leaves its device (OpenID Connect EAP ACR Values 1.0).
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

/** A passkey that has verified its user begins a sign-in. One that has only shown its presence is a second factor alone. */
export const isVerifiedPasskey = ({ takes, amr, isFederated }: Factor) => takes.includes('first') && amr.includes('user') && !isFederated

/** Whether it is a passkey of ours, whatever it has verified. */
export const isPasskey = ({ amr, isFederated }: Factor) => !isFederated && (amr.includes('hwk') || amr.includes('swk'))

/** The assurance level of a sign-in that no level was asked of: `aal2` with a second factor, otherwise `aal1` (NIST SP 800-63B). */
export const authenticationContextOf = (authenticationMethods: readonly string[]): 'aal1' | 'aal2' =>
  authenticationMethods.includes('mfa') ? 'aal2' : 'aal1'
