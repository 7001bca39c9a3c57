/** The claims that mappings add to UserInfo and to introspection, from the state of the token. Without mappings nothing is evaluated. */
import { authenticationContextOf } from '../../access/factors.ts'
import { type AddedClaims, evaluateClaims, mappingsFor, mergeSources } from '../../claims/evaluate.ts'
import type { CheckedAccessToken, StateOfMappings } from '../../tokens/access-tokens.ts'

type ActiveToken = Extract<CheckedAccessToken, { kind: 'active' }>

/** @returns undefined without mappings */
export function addedToResponse(
  target: 'userinfo' | 'introspection',
  { mapped, mappedByResources, user }: ActiveToken,
  scope: readonly string[],
): AddedClaims | undefined {
  const ofResources = target === 'introspection' ? (mappedByResources ?? []) : []
  const states = mapped ? [mapped, ...ofResources] : ofResources
  const [state] = states
  if (!state) return undefined
  const mappings = mappingsFor(
    target,
    mapped?.mappings ?? null,
    ofResources.map((one) => one.mappings),
  )
  const sources = mergeSources(states.map((one) => one.sources))
  return evaluateClaims(mappings, { scope, sources, user: user && { acr: acrOf(state) } })
}

const acrOf = ({ authenticationContext, authenticationMethods }: StateOfMappings) =>
  authenticationContext ?? authenticationContextOf(authenticationMethods ?? [])
