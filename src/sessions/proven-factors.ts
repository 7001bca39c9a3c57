import { type Factor, type FactorName, factors } from '../access/factors.ts'

/** A factor that the user has proven, and when. */
export interface ProvenFactor {
  factor: FactorName
  provenAt: Date
  /** Which passkey it was, if it was one. */
  passkeyId?: string
}

/** The stored form. */
export interface StoredFactor {
  factor: string
  provenAt: string
  passkeyId?: string
}

export const describeFactors = (proven: readonly ProvenFactor[]): Factor[] => proven.map(({ factor }) => factors[factor])

export const storedFactors = (proven: readonly ProvenFactor[]): string => JSON.stringify(proven)

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
    return stored.flatMap(({ factor, provenAt, passkeyId }) =>
      isFactor(factor) ? [{ factor, provenAt: new Date(provenAt), ...(passkeyId !== undefined && { passkeyId }) }] : [],
    )
  const { authenticationMethods, provenAt } = earlier
  return authenticationMethods.flatMap((method) => {
    const factor = names.find((name) => factors[name].amr.some((value) => value === method))
    return factor ? [{ factor, provenAt }] : []
  })
}

const names = Object.keys(factors) as FactorName[]
const isFactor = (name: string): name is FactorName => Object.hasOwn(factors, name)
