import type { ColumnType } from 'kysely'

export type OrganisationStatus = 'trial' | 'active' | 'suspended' | 'cancelled'
/** The algorithms that sign tokens, as JOSE names them. */
export type SigningAlgorithm = 'EdDSA' | 'RS256'
/** The documented payload formats of webhooks. */
export type Variant = 'A' | 'B'
export type DomainStatus = 'pending' | 'verified' | 'lapsed'
export type SsoPolicy = 'off' | 'offered' | 'required'

/** Set by the organisation's tenant when a row is inserted. */
export type OrganisationId = ColumnType<string, string | undefined, never>
/** jsonb: written as JSON text, read parsed. */
export type Json<T extends object | null> = ColumnType<T, string | null | undefined, string | null>
export type Created = ColumnType<Date, Date, never>
/** Derived by the database from other columns, for the order of lists and for searching them. */
export type Key<T = string> = ColumnType<T, never, never>

/** The sign-in that a row is part of; null outside of a sign-in, and in rows of an earlier release. */
export type SignInId = ColumnType<string | null, string | null | undefined, string | null>
/** What an entry says of a person, which only their erasure changes. */
export type Erasable = ColumnType<string | null, string | null | undefined, null>

/** The factors of a sign-in, each with the time at which it was proven. */
export type ProvenFactors = {
  factor: string
  provenAt: string
  isTimeAssumed?: true
  passkeyId?: string
  amr?: string[]
  upstream?: { connectionId: string; subject: string; sessionId?: string; endsAt?: string; idTokenEncrypted?: string }
}[]

/** The roles and teams of the members of a group, which is named by exactly one of its two names. */
export interface GroupMapping {
  group: { displayName: string } | { externalId: string }
  roleIds: string[]
  teamIds: string[]
}

/** What a connection takes of assertions by which applications act for its users (ID-JAG). */
export interface IdentityAssertions {
  accepted: boolean
  /** The resource servers that they may be for. */
  resourceServerIds: string[]
  maxLifetimeSeconds: number
  /** Whether a client that only its document identifies may present them. */
  allowsUnauthenticatedDocuments: boolean
  /** Which of the tenants of the issuer is trusted; null for an issuer that names none. */
  tenant: string | null
}

/** Scopes by the ids of the resource servers at which they were authorized. */
export type ResourceScopes = Readonly<Record<string, readonly string[]>>

/** The claims about its user that an application was granted by their names, by where it gets them. */
export interface GrantedClaims {
  idToken: string[]
  userinfo: string[]
}

/** An API of another company, with the scopes that clients can be allowed there. */
export interface AssertionResource {
  identifier: string
  scopes: string[]
}

/** What a client may do at resources of another company, and for which users. */
export interface AssertionGrant {
  clientId: string
  /** What the client is called there; null for the address of its document. */
  downstreamClientId: string | null
  resources: string[]
  scopes: string[]
  roleIds: string[]
  teamIds: string[]
}

/** A scope that a resource server defines. */
export interface ResourceScope {
  name: string
  description: string | null
}

/** The algorithm of what a client signs. */
export type ClientAlgorithm = 'EdDSA' | 'ES256' | 'PS256' | 'RS256'

/** A public key of a client (RFC 7517): the members that are used. */
export interface PublicKey {
  kty: 'RSA' | 'EC' | 'OKP'
  crv?: string
  x?: string
  y?: string
  n?: string
  e?: string
  kid?: string
  use?: string
  alg?: string
}

export interface PublicKeySet {
  keys: PublicKey[]
}

/** The name that a certificate of a client has to have (RFC 8705 §2.1.2): exactly one of these. */
export interface TlsClientAuth {
  /** In our rendering of RFC 4514. */
  subjectDn?: string | undefined
  sanDns?: string | undefined
  sanUri?: string | undefined
  sanIp?: string | undefined
  sanEmail?: string | undefined
}

/** An identity of a platform that stands in for a secret: that of a CI job, of a Kubernetes service account or of a SPIFFE workload. */
export interface FederatedCredential {
  name: string
  issuer: string
  /** Ends in `*` to match every subject that begins so. */
  subject: string
  /** Each has to be in the token with this value. */
  claims: Record<string, string | number | boolean>
  /** The keys of an issuer that publishes none. */
  jwks?: PublicKeySet | undefined
}

/** The tokens and responses that a mapped claim is put into. */
export type ClaimTarget = 'id_token' | 'access_token' | 'userinfo' | 'introspection'

export type ClaimConversion = 'string' | 'number' | 'boolean' | 'array' | 'first' | 'join' | 'lowercase'

/** A claim that a client or a resource server adds to tokens. */
export interface ClaimMapping {
  name: string
  in: ClaimTarget[]
  /** A JSON pointer (RFC 6901), or the value itself. */
  from: string | { value?: unknown }
  as?: ClaimConversion | undefined
  /** The scope that has to be granted; without it the claim is always there. */
  scope?: string | undefined
  /** What stands in for a value that is missing. */
  default?: unknown
}

export type SetupPurpose = 'domain' | 'oidc' | 'saml' | 'scim'

export interface StoredPhrase {
  phrase: string
  values: readonly string[]
}

export interface StoredPhrases {
  expected: StoredPhrase | null
  received: StoredPhrase | null
  hint: StoredPhrase | null
}

/** A check in a diagnostic. The previous release has written neither the code nor the phrases. */
export interface StoredCheck {
  code?: string
  name: string
  expected: string
  received: string
  phrases?: Omit<StoredPhrases, 'hint'>
  passed: boolean
}
