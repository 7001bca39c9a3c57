/** The claims that mappings add to the tokens of a response. Without mappings nothing is evaluated. */
import { authenticationContextOf } from '../../access/factors.ts'
import { type AddedClaims, evaluateClaims, mappingsFor, mergeSources } from '../../claims/evaluate.ts'
import type { TokenSubject } from '../../tokens/issue-tokens.ts'
import type { OAuthClient } from '../protocol/queries.ts'
import type { AskedResources } from '../protocol/resources.ts'

type Client = Pick<OAuthClient, 'claimMappings' | 'claimSources'>
type Subject = Pick<TokenSubject, 'authenticationContext' | 'authenticationMethods' | 'claimSources'>

/**
 * @param subject undefined for a token of the client itself
 * @returns undefined without mappings
 */
export function addedToAccessToken(
  client: Client,
  subject: Subject | undefined,
  scope: readonly string[],
  resources: AskedResources | undefined,
): AddedClaims | undefined {
  const servers = resources?.asked.filter(({ claimMappings }) => claimMappings !== null) ?? []
  if (client.claimMappings === null && servers.length === 0) return undefined
  const ofServers = servers.map(({ claimMappings }) => claimMappings)
  const ofClient = subject ? subject.claimSources : client.claimSources
  const sources = mergeSources([ofClient, ...servers.map(({ claimSources }) => claimSources)])
  return evaluateClaims(mappingsFor('access_token', client.claimMappings, ofServers), { scope, sources, user: userOf(subject) })
}

/** @returns undefined without mappings */
export function addedToIdToken({ claimMappings }: Client, subject: Subject, scope: readonly string[]): AddedClaims | undefined {
  if (claimMappings === null) return undefined
  return evaluateClaims(mappingsFor('id_token', claimMappings), { scope, sources: subject.claimSources ?? {}, user: userOf(subject) })
}

const userOf = (subject: Subject | undefined) =>
  subject && { acr: subject.authenticationContext ?? authenticationContextOf(subject.authenticationMethods) }
