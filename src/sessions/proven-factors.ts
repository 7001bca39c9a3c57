import { type Factor, type FactorName, factors } from '../access/factors.ts'

/** A factor that the user has proven, and when. */
export interface ProvenFactor {
  factor: FactorName
  provenAt: Date
  /** Whether the identity provider has not said when the user signed in there: the time is that of its answer, which proves nothing. */
  isTimeAssumed?: true
  /** Which passkey it was, if it was one. */
  passkeyId?: string
  /** What the identity provider reports of its methods (RFC 8176). */
  amr?: readonly string[]
  /** The session there; the columns of our session take it over. */
  upstream?: UpstreamSession
}

/** The session at an identity provider that a session of ours came by. */
export interface UpstreamSession {
  connectionId: string
  subject: string
  /** Its `sid` there. */
  sessionId?: string
  /** The ID token, by {@link sealIdToken}, where signing out here signs out there. */
  idTokenEncrypted?: string
}

/** The stored form. */
export interface StoredFactor extends Omit<ProvenFactor, 'factor' | 'provenAt'> {
  factor: string
  provenAt: string
}

export const describeFactors = (proven: readonly ProvenFactor[]): Factor[] =>
  proven.map(({ factor, amr }) => (amr ? { ...factors[factor], amr } : factors[factor]))

export const storedFactors = (proven: readonly ProvenFactor[]): string => JSON.stringify(proven)

/** The stored form of a session, whose columns hold the upstream one. */
export const storedFactorsOfSession = (proven: readonly ProvenFactor[]): string =>
  storedFactors(proven.map(({ upstream: _inColumns, ...factor }) => factor))

/**
 * Reads stored factors. A factor that this release does not know proves nothing.
 *
 * @param stored null when the release before this column has written the row
 * @param earlier the methods of RFC 8176 that such a release has written, all proven at the same time
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
