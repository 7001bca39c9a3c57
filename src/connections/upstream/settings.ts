export type Provider = 'google' | 'microsoft' | 'github' | 'apple' | 'oidc'

/** The settings that an administrator has entered for a connection. Each preset uses its own members. */
export interface UpstreamConfiguration {
  clientId: string
  /** `oidc`: its discovery document gives the endpoints. */
  issuer?: string | undefined
  scopes?: readonly string[] | undefined
  clientAuthentication?: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | undefined
  /** Whether claims are completed from the UserInfo endpoint. */
  userInfo?: boolean | undefined
  /** `oidc`: when an address counts as proven; never if undefined. */
  emailTrust?: 'verified_claim' | 'verified_domain' | undefined
  extraParameters?: Readonly<Record<string, string>> | undefined
  /** `google`: the Workspace domains that may sign in; all while empty. */
  allowedHostedDomains?: readonly string[] | undefined
  /** `microsoft`: a tenant's id, or `organizations`, `consumers`, `common`. */
  tenant?: string | undefined
  /** `microsoft`: the tenants that may sign in; all while empty. */
  allowedTenants?: readonly string[] | undefined
  /** `github`: the host of an Enterprise Server. */
  host?: string | undefined
  /** `apple` */
  teamId?: string | undefined
  /** `apple` */
  keyId?: string | undefined
}

/** Everything that is needed to contact an identity provider. */
export interface UpstreamSettings {
  provider: Provider
  configuration: UpstreamConfiguration
  /**
   * In plain text, the newest first: during the grace period of a rotation, the previous one is tried, too. With `private_key_jwt` each is
   * a key of ours, as a JWK.
   */
  secrets: readonly string[]
  redirectUri: string
  /** The claim that holds the address. */
  emailClaim?: string | undefined
  verifiedDomains: readonly string[]
}
