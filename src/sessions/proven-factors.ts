import { type Factor, type FactorName, factors } from '../access/factors.ts'

/** A factor that a user has proven, and when. */
export interface ProvenFactor {
  factor: FactorName
  provenAt: Date
}

/** The same as the database holds it. */
interface StoredFactor {
  factor: string
  provenAt: string
}

export const describeFactors = (proven: readonly ProvenFactor[]): Factor[] => proven.map(({ factor }) => factors[factor])

export const storedFactors = (proven: readonly ProvenFactor[]): string => JSON.stringify(proven)

/**
 * The factors that are stored. One that this release does not know proves nothing.
 *
 * @param stored null where the release before the column has written the row
 * @param earlier what that release has written instead: methods of RFC 8176, all proven at one time
 */
export function readFactors(
  stored: readonly StoredFactor[] | null,
  earlier: { authenticationMethods: readonly string[]; provenAt: Date },
): ProvenFactor[] {
  if (stored) return stored.flatMap(({ factor, provenAt }) => (isFactor(factor) ? [{ factor, provenAt: new Date(provenAt) }] : []))
  const { authenticationMethods, provenAt } = earlier
  return authenticationMethods.flatMap((method) => {
    const factor = names.find((name) => factors[name].amr.some((value) => value === method))
    return factor ? [{ factor, provenAt }] : []
  })
}

const names = Object.keys(factors) as FactorName[]
const isFactor = (name: string): name is FactorName => Object.hasOwn(factors, name)
