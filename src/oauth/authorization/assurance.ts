/** Which level of sign-in a request needs (RFC 9470, OpenID Connect Core §5.5.1.1), and which the session can reach. */
import { type AssuranceLevel, assuranceLevels, includesLevel } from '../../access/factors.ts'

/** The levels that a request asks for, best first. */
export interface RequestedLevels {
  values: readonly string[]
  /**
   * Whether the request fails without them. What it names itself is needed (RFC 9470 §5): tokens that its API has just refused
   * would send the application in circles. What the client asks for by default is not.
   */
  isEssential: boolean
}

export interface Assurance {
  /** What the session has proven. */
  level: AssuranceLevel
  /** What it would reach with everything that its user has enrolled. */
  reachable: AssuranceLevel
}

export type LevelDecision =
  /** The level that the tokens name. */
  | { kind: 'met'; level: AssuranceLevel }
  /** The user can prove what is missing. */
  | { kind: 'step-up'; level: AssuranceLevel }
  | { kind: 'unmet' }

export const isLevel = (value: string): value is AssuranceLevel => assuranceLevels.some((level) => level === value)

/**
 * The first of the requested levels that can be reached. Without a page it is the first that the session has.
 *
 * @param silent whether no page may be shown (`prompt=none`)
 */
export function decideLevel({ values, isEssential }: RequestedLevels, { level, reachable }: Assurance, silent: boolean): LevelDecision {
  for (const wanted of values.filter(isLevel)) {
    if (includesLevel(level, wanted)) return { kind: 'met', level: wanted }
    if (!silent && includesLevel(reachable, wanted)) return { kind: 'step-up', level: wanted }
  }
  return isEssential ? { kind: 'unmet' } : { kind: 'met', level }
}
