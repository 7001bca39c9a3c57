import { type Factor, type FactorName, factors } from '../access/factors.ts'

export interface ProvenFactor {
  factor: FactorName
  provenAt: Date
  /**
   * Whether the identity provider has not reported when the user signed in there: the time is that of its response, which proves nothing.
   */
  isTimeAssumed?: true
  /** The passkey that was used, if any. */
  passkeyId?: string
  /** The methods that the identity provider reports (RFC 8176). */
  amr?: readonly string[]
  /** The session at the provider, which the columns of our session store. */
  upstream?: UpstreamSession
}

/** The session at an identity provider that a session of ours is based on. */
export interface UpstreamSession {
  connectionId: string
  subject: string
  /** The session's `sid` at the provider. */
  sessionId?: string
  /** When the session there ends, if the provider says so: in ISO 8601. */
  endsAt?: string
  /** The ID token from {@link sealIdToken}, if signing out here signs out there. */
  idTokenEncrypted?: string
}

export interface StoredFactor extends Omit<ProvenFactor, 'factor' | 'provenAt'> {
  factor: string
  provenAt: string
}

export const describeFactors = (proven: readonly ProvenFactor[]): Factor[] =>
  proven.map(({ factor, amr }) => (amr ? { ...factors[factor], amr } : factors[factor]))

export const storedFactors = (proven: readonly ProvenFactor[]): string => JSON.stringify(proven)

/** The stored form for a session, whose columns contain the upstream session. */
export const storedFactorsOfSession = (proven: readonly ProvenFactor[]): string =>
  storedFactors(proven.map(({ upstream: _inColumns, ...factor }) => factor))

/**
 * Reads stored factors. A factor that this release does not know proves nothing.
 *
 * @param stored null when the previous release has written the row
 * @param earlier the RFC 8176 methods that such a release has written, all proven at the same time
 */
export function readFactors(
  stored: readonly StoredFactor[] | null,
  earlier: { authenticationMethods: readonly string[]; provenAt: Date },
): ProvenFactor[] {
  if (stored)
    return stored.flatMap(({ factor, provenAt, ...others }) =>
      isFactor(factor) ? [{ ...others, factor, provenAt: new Date(provenAt) }] : [],
    )
  const { authenticationMethods, provenAt } = earlier
  return authenticationMethods.flatMap((method) => {
    const factor = names.find((name) => factors[name].amr.some((value) => value === method))
    return factor ? [{ factor, provenAt }] : []
  })
}

const names = Object.keys(factors) as FactorName[]
const isFactor = (name: string): name is FactorName => Object.hasOwn(factors, name)
