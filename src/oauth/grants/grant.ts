import type { Actor } from '../../activity/actor.ts'
import type { GrantRules } from '../../clients/rules.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { Database } from '../../platform/database/database.ts'
import type { TokenIssuer } from '../../tokens/issue-tokens.ts'
import { type Complete, defineParameters, type Parameters, type Sent } from '../protocol/parameters.ts'
import type { OAuthClient } from '../protocol/queries.ts'
import type { TokenResponse } from './token-response.ts'

export interface GrantDependencies {
  database: Database
  keyring: Keyring
  issuer: TokenIssuer
  pkcePlain: 'allow' | 'deny'
}

/** A client that has authenticated, and from where. */
export interface Requester {
  client: OAuthClient
  origin: Pick<Actor, 'ipAddress' | 'userAgent'>
}

interface GrantDefinition<Declared> extends GrantRules {
  /** What the token endpoint reads for it, besides what all grants have in common. */
  readonly parameters: Declared
  /**
   * What the grant is about: the client has authenticated, may use it, and no required parameter is missing.
   *
   * @throws OAuthError
   */
  grant(dependencies: GrantDependencies, requester: Requester, parameters: Complete<Declared>): Promise<TokenResponse>
}

/** A grant, as the token endpoint, discovery and the schemas of clients know it. */
export interface Grant extends Omit<GrantDefinition<Parameters>, 'grant'> {
  /** @throws OAuthError also `invalid_request` when a required parameter is missing */
  grant(dependencies: GrantDependencies, requester: Requester, sent: Sent<Parameters>): Promise<TokenResponse>
}

/** Defines a grant. It is offered once it is in the list of `grants.ts`. */
export function defineGrant<const Declared extends Parameters>(definition: GrantDefinition<Declared>): Grant {
  const { complete } = defineParameters(definition.parameters)
  return {
    ...definition,
    grant: (dependencies, requester, sent) => definition.grant(dependencies, requester, complete(sent as Sent<Declared>)),
  }
}
