import type { Origin } from '../../activity/actor.ts'
import type { OAuthExtensions } from '../../clients/extensions.ts'
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
  oauthExtensions: OAuthExtensions
  readIdentityAssertion: ReadIdentityAssertion
}

/** A client that has authenticated, and its origin. */
export interface Requester {
  client: OAuthClient
  origin: Origin
  /** The thumbprint of the key that it has proven to hold; undefined for none. Its tokens are bound to that key. */
  jkt: string | undefined
  /** The thumbprint of the certificate that it has presented; undefined for none. */
  certificate: string | undefined
  /** Remembers the sign-in of what the client has presented, for the explanation of a refusal. */
  noteSignIn(presented: { clientId: string; signInId: string | null } | undefined): void
  /** Remembers claims that would have made a token too large, for a diagnosis. */
  noteLeftOut(claims: readonly string[]): void
}

/** What a client was granted by an assertion. */
export interface GrantedByAssertion {
  familyId: string
  scope: readonly string[]
  resourceServerIds: readonly string[]
  keptUntil: Date
}

/** A user for whom a client may act, and how they had signed in at the identity provider. */
export interface AssertedUser {
  userId: string
  authenticatedAt: Date
  authenticationMethods: readonly string[]
}

/** An assertion whose provider is trusted and has signed it. Whether its user may be acted for is not decided yet. */
export interface TrustedAssertion {
  /** What it is for; empty if it does not say. */
  resources: readonly string[]
  scope: readonly string[]
  /** The resource servers that assertions of its connection may be for. */
  resourceServerIds: readonly string[]
  /** Whether a client may present it whose document names no key. */
  allowsUnauthenticatedDocuments: boolean
  /**
   * Claims the assertion and begins the family of what the client is granted, unless the user may not sign in by the connection now.
   *
   * @throws OAuthError `invalid_grant`, `insufficient_user_authentication`
   */
  actFor(granted: GrantedByAssertion): Promise<AssertedUser>
}

/**
 * Reads an assertion of an identity provider that is connected to the client's organisation.
 *
 * @throws OAuthError `invalid_grant` for one that is not trusted
 */
export type ReadIdentityAssertion = (requester: Requester, assertion: string) => Promise<TrustedAssertion>

interface GrantDefinition<Declared, Found> extends GrantRules {
  /** The parameters of the token endpoint for this grant, in addition to those of all grants. */
  readonly parameters: Declared
  /**
   * Starts looking up what the grant concerns together with the lookup of the client, which saves a round trip. The client has not
   * authenticated yet: with a wrong secret the statement finds nothing (`clientAuthenticates`), and it changes nothing. Whatever it did
   * not find, `grant` looks up again.
   */
  findEarly?(database: Database, credentials: PresentedCredentials, sent: Sent<Declared>): Promise<Found | undefined> | undefined
  /**
   * Carries the grant out: the client has authenticated and may use it, and no required parameter is missing.
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

/** A grant in the form that the token endpoint, discovery and the schemas of clients use. */
export interface Grant extends Omit<GrantDefinition<Parameters, unknown>, 'grant'> {
  /** @throws OAuthError `invalid_request` when a required parameter is missing */
  requireParameters(sent: Sent<Parameters>): void
  /**
   * @param found the result of `findEarly`
   * @throws OAuthError also `invalid_request` when a required parameter is missing
   */
  grant(dependencies: GrantDependencies, requester: Requester, sent: Sent<Parameters>, found: unknown): Promise<TokenResponse>
}

/** Defines a grant. The list in `grants.ts` decides whether it is offered. */
export function defineGrant<const Declared extends Parameters, Found = never>(definition: GrantDefinition<Declared, Found>): Grant {
  const { complete } = defineParameters(definition.parameters)
  return {
    ...definition,
    requireParameters: (sent) => void complete(sent as Sent<Declared>),
    grant: (dependencies, requester, sent, found) =>
      definition.grant(dependencies, requester, complete(sent as Sent<Declared>), found as Found | undefined),
  }
}
