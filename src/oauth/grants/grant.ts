import type { Origin } from '../../activity/actor.ts'
import type { GrantRules } from '../../clients/rules.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { Database } from '../../platform/database/database.ts'
import type { TokenIssuer } from '../../tokens/issue-tokens.ts'
import type { PresentedCredentials } from '../../tokens/presented-client.ts'
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
  origin: Origin
  /** Notes of which sign-in it is what the client has presented, for the explanation of a refusal. */
  noteSignIn(presented: { clientId: string; signInId: string | null } | undefined): void
}

interface GrantDefinition<Declared, Found> extends GrantRules {
  /** What the token endpoint reads for it, besides what all grants have in common. */
  readonly parameters: Declared
  /**
   * Starts finding what the grant is about together with the look-up of the client, which saves a round trip. The client has not
   * authenticated yet: the statement finds nothing with a wrong secret (`clientAuthenticates`), and changes nothing. What it did
   * not find, `grant` looks up again.
   */
  findEarly?(database: Database, credentials: PresentedCredentials, sent: Sent<Declared>): Promise<Found | undefined> | undefined
  /**
   * What the grant is about: the client has authenticated, may use it, and no required parameter is missing.
   *
   * @throws OAuthError
   */
  grant(
    dependencies: GrantDependencies,
    requester: Requester,
    parameters: Complete<Declared>,
    found: Found | undefined,
  ): Promise<TokenResponse>
}

/** A grant, as the token endpoint, discovery and the schemas of clients know it. */
export interface Grant extends Omit<GrantDefinition<Parameters, unknown>, 'grant'> {
  /**
   * @param found what `findEarly` found
   * @throws OAuthError also `invalid_request` when a required parameter is missing
   */
  grant(dependencies: GrantDependencies, requester: Requester, sent: Sent<Parameters>, found: unknown): Promise<TokenResponse>
}

/** Defines a grant. It is offered once it is in the list of `grants.ts`. */
export function defineGrant<const Declared extends Parameters, Found = never>(definition: GrantDefinition<Declared, Found>): Grant {
  const { complete } = defineParameters(definition.parameters)
  return {
    ...definition,
    grant: (dependencies, requester, sent, found) =>
      definition.grant(dependencies, requester, complete(sent as Sent<Declared>), found as Found | undefined),
  }
}
