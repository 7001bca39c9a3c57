/** Decides which level of sign-in a request needs (RFC 9470, OpenID Connect Core §5.5.1.1), and whether the session can reach it. */
import { type AssuranceLevel, assuranceLevels, includesLevel } from '../../access/factors.ts'

/** The levels that a request asks for, best first. */
export interface RequestedLevels {
  values: readonly string[]
  /**
   * Whether the request fails without them. Levels that the request itself names are essential (RFC 9470 §5): with tokens that its API
   * has just refused, the application would go in circles. The client's default levels are not, and those of `claims` only where it says so
   * (OpenID Connect Core §5.5.1.1).
   */
  isEssential: boolean
  /** Whether the parameter `claims` names them. */
  isOfClaims?: true
}

export interface Assurance {
  /** The level that the session has proven. */
  level: AssuranceLevel
  /** The level that it would reach with everything that its user has enrolled. */
  reachable: AssuranceLevel
}

export type LevelDecision =
  /** The level that the tokens name. */
  | { kind: 'met'; level: AssuranceLevel }
  /** The user can prove the missing level. */
  | { kind: 'step-up'; level: AssuranceLevel }
  | { kind: 'unmet' }

export const isLevel = (value: string): value is AssuranceLevel => assuranceLevels.some((level) => level === value)

/**
 * The first of the requested levels that can be reached. If no page may be shown, the first that the session has.
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
