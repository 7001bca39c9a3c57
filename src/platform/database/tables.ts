/** The tables as Kysely sees them, in camelCase. Generated from the migrations and `tools/column-notes.ts`: `npm run generate`. */
import type { ColumnType, Generated } from 'kysely'
import type {
  AssertionGrant,
  AssertionResource,
  ClaimMapping,
  ClientAlgorithm,
  Created,
  DomainStatus,
  Erasable,
  FederatedCredential,
  GrantedClaims,
  GroupMapping,
  IdentityAssertions,
  Json,
  Key,
  OrganisationId,
  OrganisationStatus,
  ProvenFactors,
  PublicKeySet,
  ResourceScope,
  ResourceScopes,
  SetupPurpose,
  SignInId,
  SigningAlgorithm,
  SsoPolicy,
  StoredCheck,
  StoredPhrases,
  TlsClientAuth,
  Variant,
} from './column-types.ts'

export interface Tables {
  actionLinks: ActionLinksTable
  apiKeys: ApiKeysTable
  auditLogs: AuditLogsTable
  authorizationCodes: AuthorizationCodesTable
  authorizationRequests: AuthorizationRequestsTable
  blockedClientHosts: BlockedClientHostsTable
  clientDocuments: ClientDocumentsTable
  clients: ClientsTable
  configurationKeys: ConfigurationKeysTable
  connections: ConnectionsTable
  consents: ConsentsTable
  deviceCodes: DeviceCodesTable
  diagnostics: DiagnosticsTable
  directories: DirectoriesTable
  directoryGroupMembers: DirectoryGroupMembersTable
  directoryGroups: DirectoryGroupsTable
  directoryRequests: DirectoryRequestsTable
  directoryTokens: DirectoryTokensTable
  directoryUsers: DirectoryUsersTable
  emailCodeTries: EmailCodeTriesTable
  emailCodes: EmailCodesTable
  exchangedKeys: ExchangedKeysTable
  federatedSubjects: FederatedSubjectsTable
  federationRequests: FederationRequestsTable
  formerPasswords: FormerPasswordsTable
  idempotentAnswers: IdempotentAnswersTable
  identities: IdentitiesTable
  importedUsers: ImportedUsersTable
  invitationTeams: InvitationTeamsTable
  invitations: InvitationsTable
  logoutAttempts: LogoutAttemptsTable
  logoutDeliveries: LogoutDeliveriesTable
  logoutTokens: LogoutTokensTable
  mails: MailsTable
  mfaBackupCodes: MfaBackupCodesTable
  mfaChallenges: MfaChallengesTable
  mfaCredentials: MfaCredentialsTable
  mfaSentCodes: MfaSentCodesTable
  organisationCountChanges: OrganisationCountChangesTable
  organisationDomains: OrganisationDomainsTable
  organisationExports: OrganisationExportsTable
  organisationLogos: OrganisationLogosTable
  organisations: OrganisationsTable
  passkeyUsers: PasskeyUsersTable
  passkeys: PasskeysTable
  permissions: PermissionsTable
  rateLimits: RateLimitsTable
  recordCountChanges: RecordCountChangesTable
  recordCounts: RecordCountsTable
  refreshAnswers: RefreshAnswersTable
  registrationTokens: RegistrationTokensTable
  resourceAuthorizationServers: ResourceAuthorizationServersTable
  resourceConsents: ResourceConsentsTable
  resourceServers: ResourceServersTable
  revokedAccessTokens: RevokedAccessTokensTable
  rolePermissions: RolePermissionsTable
  roles: RolesTable
  samlUsed: SamlUsedTable
  sessionClients: SessionClientsTable
  sessions: SessionsTable
  setupLinks: SetupLinksTable
  signInCountChanges: SignInCountChangesTable
  signInCounts: SignInCountsTable
  signUps: SignUpsTable
  signingKeys: SigningKeysTable
  spentChallenges: SpentChallengesTable
  tasks: TasksTable
  teamMemberSources: TeamMemberSourcesTable
  teamMembers: TeamMembersTable
  teams: TeamsTable
  tokenFamilies: TokenFamiliesTable
  unboundClients: UnboundClientsTable
  usedAssertions: UsedAssertionsTable
  userRoleSources: UserRoleSourcesTable
  userRoles: UserRolesTable
  users: UsersTable
  webhookAttempts: WebhookAttemptsTable
  webhookDeliveries: WebhookDeliveriesTable
  webhookEndpoints: WebhookEndpointsTable
  webhookHours: WebhookHoursTable
}

export interface ActionLinksTable {
  organisationId: OrganisationId
  id: string
  userId: string
  purpose: 'password_reset' | 'password_change' | 'email_verification'
  tokenHash: string
  expiresAt: Date
  createdAt: Created
  usedAt: Date | null
}

export interface ApiKeysTable {
  organisationId: OrganisationId
  id: string
  name: string
  nameKey: Key
  prefix: string
  keyHash: string
  permissions: string[]
  expiresAt: Date | null
  lastUsedAt: Date | null
  createdById: string
  createdAt: Created
  deletedAt: Date | null
  /** The identities of platforms that may exchange a token for a short-lived key with the same permissions; null for none. */
  federatedCredentials: Json<FederatedCredential[] | null>
}

export interface AuditLogsTable {
  organisationId: OrganisationId
  id: string
  action: string
  actorType: 'user' | 'api_key' | 'client' | 'directory' | 'setup_link' | 'system'
  actorId: string | null
  targetType: string
  targetId: string
  ipAddress: string | null
  userAgent: string | null
  changes: ColumnType<Record<string, { from: unknown; to: unknown }> | null, string | null, never>
  metadata: ColumnType<Record<string, unknown> | null, string | null, never>
  createdAt: Created
  actorName: Erasable
  actorEmail: Erasable
  targetName: Erasable
  targetEmail: Erasable
  requestId: ColumnType<string | null, string | null, never>
  signInId: SignInId
}

export interface AuthorizationCodesTable {
  organisationId: OrganisationId
  codeHash: string
  clientId: string
  userId: string
  sessionId: string
  /** The id of the family that redeeming the code starts. */
  familyId: string
  redirectUri: string
  /** Whether the request contained it; then the token request must, too. */
  redirectUriSent: boolean
  scope: string[]
  nonce: string | null
  codeChallenge: string | null
  codeChallengeMethod: 'S256' | 'plain' | null
  authenticatedAt: Date
  authenticationMethods: string[]
  createdAt: Created
  expiresAt: Date
  usedAt: Date | null
  /** The level that access tokens name, where the request asked for one; null where it did not. */
  authenticationContext: string | null
  /** The connection of the session, which the row outlives, with the session at the identity provider. */
  connectionId: string | null
  upstreamSession: string | null
  /** The end of the sign-in's validity by the connection; null for no bound. */
  federatedUntil: Date | null
  signInId: SignInId
  /** Ids of the resource servers that were authorized; null for none. */
  resources: string[] | null
  consentedUntil: Date | null
  /** The thumbprint of the key that redeems it; null for any. */
  jkt: string | null
  /** The claims that were granted by their names, besides those of the scope; null for none. */
  grantedClaims: Json<GrantedClaims | null>
  /** Whether the consent for it says so; null if none says anything. */
  allowsRefresh: boolean | null
  /** The scopes that were authorized at each resource server, by its id; null without one, and in rows of a former release. */
  resourceScopes: Json<ResourceScopes | null>
}

export interface AuthorizationRequestsTable {
  organisationId: OrganisationId
  referenceHash: string
  clientId: string | null
  parameters: ColumnType<object, string, never>
  decision: 'allow' | 'cancel' | null
  decidedById: string | null
  createdAt: Created
  expiresAt: Date
  signInId: SignInId
  /** The client_id of the client that pushed it; null for one that a browser brought. */
  pushedBy: string | null
}

/** A host whose client ID metadata documents the organisation refuses. */
export interface BlockedClientHostsTable {
  organisationId: OrganisationId
  id: string
  host: string
  reason: string | null
  createdById: string | null
  createdAt: Created
}

/** A client ID metadata document as it was fetched last, for all organisations. */
export interface ClientDocumentsTable {
  clientId: string
  host: string
  document: ColumnType<object, string, string>
  /** Of what consents rest on: redirect URIs, keys and how it authenticates. */
  version: string
  etag: string | null
  /** The picture in base64, as this service serves it. */
  logo: string | null
  logoType: string | null
  logoHash: string | null
  fetchedAt: Date
  expiresAt: Date
  /** When a request last named it. */
  usedAt: Date
  /** Since when it cannot be read any more; null while it can. */
  failingSince: Date | null
}

export interface ClientsTable {
  organisationId: OrganisationId
  id: string
  name: string
  nameKey: Key
  description: string | null
  clientType: 'confidential' | 'public'
  tokenEndpointAuthMethod:
    | 'client_secret_basic'
    | 'client_secret_post'
    | 'none'
    | 'private_key_jwt'
    | 'tls_client_auth'
    | 'self_signed_tls_client_auth'
  secretHash: string | null
  previousSecretHash: string | null
  previousSecretExpiresAt: Date | null
  redirectUris: Generated<string[]>
  postLogoutRedirectUris: Generated<string[]>
  grantTypes: string[]
  scopes: Generated<string[]>
  requirePkce: Generated<boolean>
  allowPlainPkce: Generated<boolean>
  requireConsent: Generated<boolean>
  isActive: Generated<boolean>
  refreshTokenGraceSeconds: Generated<number>
  /** The lifetime in seconds; null follows the organisation's policy. So do the next three. */
  accessTokenLifetime: number | null
  refreshTokenLifetime: number | null
  idTokenLifetime: number | null
  /** The lifetime in seconds. */
  authorizationCodeTtl: Generated<number>
  idTokenSignedResponseAlg: Generated<SigningAlgorithm>
  logoUrl: string | null
  /** Tokens issued earlier are revoked. Set when the client is revoked, and when it is activated. */
  tokensValidAfter: Date | null
  createdAt: Created
  updatedAt: Date
  deletedAt: Date | null
  /** The lifetime counted from the sign-in of the user. */
  refreshTokenAbsoluteLifetime: number | null
  /** The URI at which a sign-in starts that a third party initiates. */
  initiateLoginUri: string | null
  lastUsedAt: Date | null
  /** Null when the secret is as old as the client. */
  secretCreatedAt: Date | null
  /** When the current secret was last used. */
  secretLastUsedAt: Date | null
  /** Levels, best first, that the client asks for where a request names none. */
  defaultAcrValues: string[] | null
  /** The resource servers that it may ask tokens for; null for none. */
  resourceServerIds: string[] | null
  /** The identifier of the resource server that tokens are for where a request names none. */
  defaultResource: string | null
  /** The registration token by which it registered itself. */
  registrationTokenId: string | null
  /** The hash of the token by which it reads and changes its own registration. */
  registrationAccessTokenHash: string | null
  /** The address from which it registered itself. */
  registeredFrom: string | null
  /** What it last registered, in the words of RFC 7591. */
  registeredMetadata: Json<Record<string, unknown> | null>
  /** Who has registered it: an administrator, or the application itself. */
  origin: Generated<'admin' | 'registration' | 'metadata_document'>
  /** The client_id of an automatic client, the same in every organisation; null for a client whose id is its client_id. */
  automaticClientId: string | null
  /** Changes with what consents rest on; null where nothing but an administrator changes it. */
  consentVersion: string | null
  /** The claims that it adds to tokens; null for none. */
  claimMappings: Json<ClaimMapping[] | null>
  /** The public keys by which it authenticates; null when it has none, or has them at `jwks_uri`. */
  jwks: Json<PublicKeySet | null>
  jwksUri: string | null
  /** The only algorithm of its assertions; null allows all. */
  tokenEndpointAuthSigningAlg: ClientAlgorithm | null
  requirePushedAuthorizationRequests: Generated<boolean>
  requireSignedRequestObject: Generated<boolean>
  /** The only algorithm of its request objects; null allows all. */
  requestObjectSigningAlg: ClientAlgorithm | null
  requireDpop: Generated<boolean>
  /** What signs the responses of introspection; null means RS256. */
  introspectionSignedResponseAlg: SigningAlgorithm | null
  /** Where it is told of the end of sessions. */
  backchannelLogoutUri: string | null
  backchannelLogoutSessionRequired: Generated<boolean>
  /** Whether what it holds by a session ends with the session. */
  backchannelLogoutRevokesRefresh: Generated<boolean>
  /** The profile of OAuth that it is held to; null for none. */
  profile: 'fapi2' | null
  /** The name that the certificate has to have by which it authenticates; null for none. */
  tlsClientAuth: Json<TlsClientAuth | null>
  /** Whether its tokens are bound to the certificate that it presents. */
  certificateBoundAccessTokens: Generated<boolean>
  /** The identities of platforms by which it authenticates besides; null for none. */
  federatedCredentials: Json<FederatedCredential[] | null>
  defaultMaxAge: number | null
}

/** The key by which a configuration document names an object without a unique name of its own. */
export interface ConfigurationKeysTable {
  organisationId: OrganisationId
  kind: 'clients' | 'webhooks' | 'directories' | 'resourceServers' | 'resourceAuthorizationServers'
  key: string
  objectId: string
}

/** A way to sign in at an identity provider. */
export interface ConnectionsTable {
  organisationId: OrganisationId
  id: string
  slug: string
  name: string
  type: 'oidc' | 'oauth2' | 'saml'
  provider: 'google' | 'microsoft' | 'github' | 'apple' | 'oidc' | 'saml'
  isActive: Generated<boolean>
  /** The settings of the provider, without secrets. Its members differ by provider. */
  configuration: Json<Record<string, unknown>>
  /** The client secret at the identity provider, or the key that creates it; as a JWK, our own signing key. */
  secretEncrypted: string | null
  previousSecretEncrypted: string | null
  previousSecretExpiresAt: Date | null
  /** Null: `automatic` for a verified domain that is assigned to the connection, else `confirm`. */
  linking: 'none' | 'confirm' | 'automatic' | null
  provisioning: Generated<'none' | 'jit'>
  /** The claims that fill the fields of a user. */
  mapping: Json<Partial<Record<'email' | 'firstName' | 'lastName' | 'phone' | 'groups', string>>>
  roleMappings: Json<{ claim: string; value: string; roleId: string }[]>
  teamMappings: Json<{ claim: string; value: string; teamId: string }[]>
  syncOn: Generated<'creation' | 'every_sign_in'>
  trustsMfa: Generated<boolean>
  /** Values of `acr` that count as a second factor, in addition to `mfa` in `amr`. */
  mfaContexts: Json<string[]>
  upstreamLogout: Generated<boolean>
  idpInitiated: Generated<'refuse' | 'restart'>
  /** The longest lifetime of sessions and refresh tokens that came by it. */
  sessionMaxAgeSeconds: number | null
  lastUsedAt: Date | null
  failingSince: Date | null
  /** The number of consecutive attempts that failed at the identity provider. */
  failures: Generated<number>
  lastError: string | null
  createdAt: Created
  updatedAt: Date
  /** When the task last read the documents of the provider. */
  documentsCheckedAt: Date | null
  failedCheck: string | null
  /** The next key of a connection that authenticates by a key of ours: published already. */
  nextSecretEncrypted: string | null
  nextSecretSignsFrom: Date | null
  /** The time since which users come with more groups than count; null once a user has come with fewer. */
  groupsCutSince: Date | null
  /** The user who created it, or last changed its trust; null for the operator. */
  vouchedById: string | null
  /** The certificate of SAML of which the administrators were warned last, and how many days before it expires. */
  certificateWarning: string | null
  /** How many more certificates the metadata show than are trusted at once. */
  certificatesLeftOut: Generated<number>
  /** What it takes of assertions by which applications act for users; null for nothing. */
  identityAssertions: Json<IdentityAssertions | null | null>
  /** The API key by which they did; what it may not do, they do not vouch for. */
  vouchedByKeyId: string | null
}

export interface ConsentsTable {
  organisationId: OrganisationId
  userId: string
  clientId: string
  scopes: string[]
  grantedAt: Date
  /** The version of the client that it was given for. */
  clientVersion: string | null
  /** The end that the user has chosen; null for none. */
  expiresAt: Date | null
  /** The claims that were allowed by their names, besides those of the scopes. */
  claims: Generated<string[]>
  /**
   * Whether the user was told that an application which no administrator has registered refreshes its tokens; null for another one, or
   * where the former release has asked.
   */
  allowsRefresh: boolean | null
}

export interface DeviceCodesTable {
  organisationId: OrganisationId
  deviceCodeHash: string
  userCodeHash: string
  clientId: string | null
  scope: string[]
  resources: string[] | null
  ipAddress: string
  /** Of the device that has asked, with its address. */
  userAgent: string
  /** How long the device has to wait between two polls: longer each time that it does not. */
  intervalSeconds: number
  polledAt: Date | null
  decision: 'allow' | 'cancel' | null
  decidedAt: Date | null
  userId: string | null
  sessionId: string | null
  /** The id of the family that redeeming the code starts. */
  familyId: string | null
  authenticatedAt: Date | null
  authenticationMethods: string[] | null
  authenticationContext: string | null
  connectionId: string | null
  upstreamSession: string | null
  federatedUntil: Date | null
  signInId: SignInId
  createdAt: Created
  expiresAt: Date
  usedAt: Date | null
  consentedUntil: Date | null
  /** The automatic client that asks: before a user allows it, it has no row. */
  automaticClient: Json<Record<string, unknown> | null>
  /** Whether its user is told so; null for an application of an administrator. */
  allowsRefresh: boolean | null
  /** The scopes that its user has allowed at each resource server, by its id; null without one, and in rows of a former release. */
  resourceScopes: Json<ResourceScopes | null>
}

export interface DiagnosticsTable {
  reference: string
  organisationId: string | null
  clientId: string | null
  endpoint: string
  error: string
  description: string
  checkName: string
  expected: Json<object | null>
  received: Json<object | null>
  hint: string | null
  parameters: ColumnType<Record<string, string>, string, never>
  createdAt: Created
  connectionId: string | null
  /** Every check of a sign-in by a connection. */
  checks: Json<StoredCheck[] | null>
  signInId: SignInId
  /** The parts of it that are our own phrases; null when the previous release has written the row. */
  phrases: Json<StoredPhrases | null>
}

/** A directory of an organisation that manages users and groups by SCIM. */
export interface DirectoriesTable {
  organisationId: OrganisationId
  id: string
  name: string
  isActive: Generated<boolean>
  /** With `userMatch` `externalId`, the connection whose subjects are the directory's `externalId`. */
  connectionId: string | null
  userMatch: Generated<'email' | 'externalId'>
  emailChanges: Generated<'verified_domains' | 'refuse'>
  deletes: Generated<'block' | 'delete'>
  groups: Generated<'teams' | 'mappings_only'>
  groupMappings: Json<GroupMapping[]>
  lastRequestAt: Date | null
  lastSuccessAt: Date | null
  /** The number of consecutive requests that were refused. */
  refusedInARow: Generated<number>
  failingSince: Date | null
  lastError: string | null
  createdAt: Created
  updatedAt: Date
  /** Whether it was made by a set-up link, and no administrator has activated it yet. */
  awaitsActivation: Generated<boolean>
  /** The user who created it or a token of it, or last changed its trust; null for the operator. */
  vouchedById: string | null
  /** The API key by which they did; what it may not do, they do not vouch for. */
  vouchedByKeyId: string | null
}

export interface DirectoryGroupMembersTable {
  organisationId: OrganisationId
  groupId: string
  userId: string
  createdAt: Created
}

export interface DirectoryGroupsTable {
  organisationId: OrganisationId
  id: string
  directoryId: string
  displayName: string
  externalId: string | null
  /** The team that has the group's members. */
  teamId: string | null
  /** Whether the team was created for the group. */
  createdTeam: Generated<boolean>
  version: Generated<number>
  createdAt: Created
  updatedAt: Date
}

/** A request of a directory, for the administrator who sets it up. Values are masked. */
export interface DirectoryRequestsTable {
  organisationId: OrganisationId
  id: string
  directoryId: string
  method: string
  path: string
  filter: string | null
  status: number
  scimType: string | null
  detail: string | null
  requestBody: string | null
  responseBody: string | null
  ipAddress: string | null
  userAgent: string | null
  requestId: string | null
  durationMilliseconds: number
  createdAt: Created
}

export interface DirectoryTokensTable {
  organisationId: OrganisationId
  id: string
  directoryId: string
  tokenHash: string
  prefix: string
  expiresAt: Date | null
  lastUsedAt: Date | null
  createdAt: Created
}

/** A user whom a directory manages, or has managed. */
export interface DirectoryUsersTable {
  organisationId: OrganisationId
  directoryId: string
  userId: string
  userName: string
  externalId: string | null
  /** What the directory sends and nothing of ours interprets, as it was sent. */
  attributes: Json<Record<string, unknown>>
  version: Generated<number>
  /**
   * The `blockedAt` that the directory gave the user: one that differs is an administrator's. A later one is given to the user once that
   * block is lifted.
   */
  blockedAt: Date | null
  /** Since then the directory manages the user no longer, and finds them again when it sends them once more. */
  deprovisionedAt: Date | null
  createdAt: Created
  updatedAt: Date
  userNameKey: Key
  emailKey: Key<string | null>
  hasMoreEmails: Key<boolean>
  /** The `blockedAt` of an administrator that the directory has last tried to lift: it is in the history once. */
  ignoredBlockAt: Date | null
}

/** The number of codes that were tried for each flow, even without a valid code. They belong to no organisation. */
export interface EmailCodeTriesTable {
  flowTokenHash: string
  tries: number
  expiresAt: Date
}

/** Codes that sign users in by mail, at most one for each user. A code is derived from its id and the key. */
export interface EmailCodesTable {
  organisationId: OrganisationId
  id: string
  userId: string
  /** The hash of the token by which the caller who requested the code completes the sign-in. */
  flowTokenHash: string
  linkTokenHash: string
  expiresAt: Date
  createdAt: Created
  signInId: SignInId
}

export interface ExchangedKeysTable {
  organisationId: OrganisationId
  keyHash: string
  apiKeyId: string
  expiresAt: Date
  createdAt: Created
}

export interface FederatedSubjectsTable {
  organisationId: OrganisationId
  subjectHash: string
  clientId: string | null
  apiKeyId: string | null
}

/** A sign-in in progress at an identity provider. */
export interface FederationRequestsTable {
  organisationId: OrganisationId
  stateHash: string
  connectionId: string
  purpose: 'sign_in' | 'link' | 'test'
  /** Null without an ID token. */
  nonceHash: string | null
  /** Once used, the identity that is pending until its user has signed in. Encrypted with the hash of the state as the context. */
  verifierEncrypted: string
  /** The hash of the cookie of the browser that began. */
  browserHash: string
  returnTo: string
  /** The user who asked to link an identity or to test the connection. */
  userId: string | null
  expiresAt: Date
  usedAt: Date | null
  signInId: SignInId
  /** A response of SAML that waits for its browser. Encrypted with the hash of the state as the context. */
  responseEncrypted: string | null
  /** The set-up link whose visitor asked to test the connection. */
  setupLinkId: string | null
}

export interface FormerPasswordsTable {
  organisationId: OrganisationId
  userId: string
  passwordHash: string
  replacedAt: Date
}

/** Answers to requests with an `Idempotency-Key`, for 24 hours. They belong to no organisation: the id contains the caller. */
export interface IdempotentAnswersTable {
  /** A hash of the caller and the key. */
  id: string
  /** The answer and a hash of the request. Encrypted with the id as the context. */
  answerEncrypted: string
  expiresAt: Date
}

/** An identity provider's id of a user. */
export interface IdentitiesTable {
  organisationId: OrganisationId
  id: string
  connectionId: string
  subject: string
  /** Null for a reserved subject. */
  userId: string | null
  email: string | null
  claims: Json<Record<string, unknown>>
  createdAt: Created
  lastUsedAt: Date | null
  /** The deleted user to whom the subject belonged: the rest of the identity is deleted. */
  reservedFor: string | null
}

export interface ImportedUsersTable {
  organisationId: OrganisationId
  userId: string
  /** The other system's id of the user. */
  externalId: string | null
  metadata: Json<Record<string, unknown>>
  importedAt: Created
}

export interface InvitationTeamsTable {
  organisationId: OrganisationId
  invitationId: string
  teamId: string
}

export interface InvitationsTable {
  organisationId: OrganisationId
  id: string
  email: string
  /** Null once the role has been deleted. */
  roleId: string | null
  status: Generated<'pending' | 'accepted' | 'expired'>
  tokenHash: string
  invitedById: string
  /** The lifetime, from which `expiresAt` is computed again when the mail is resent. */
  expiresInDays: number
  expiresAt: Date
  acceptedAt: Date | null
  createdAt: Created
  updatedAt: Date
  clientId: string | null
  /** Whether the inviter was shown the link, so that having it does not prove the address. */
  linkReturned: Generated<boolean>
  /** The API key by which the user has invited; what it may not grant, the invitation does not give. */
  invitedByKeyId: string | null
}

export interface LogoutAttemptsTable {
  organisationId: OrganisationId
  deliveryId: string
  number: number
  at: Date
  status: number | null
  durationMilliseconds: number
  error: string | null
  response: string | null
}

/** What clients are told of the end of sessions. */
export interface LogoutDeliveriesTable {
  organisationId: OrganisationId
  id: string
  clientId: string
  /** Null for a test. */
  userId: string | null
  sessionId: string
  isTest: Generated<boolean>
  status: Generated<'pending' | 'delivered' | 'failed'>
  attemptCount: Generated<number>
  nextAttemptAt: Date | null
  claimedUntil: Date | null
  lastStatusCode: number | null
  createdAt: Created
  deliveredAt: Date | null
}

export interface LogoutTokensTable {
  organisationId: OrganisationId
  connectionId: string
  jtiHash: string
  /** From then on the request is refused as too old. */
  expiresAt: Date
}

export interface MailsTable {
  organisationId: OrganisationId
  id: string
  recipient: string
  subject: string
  /** Links in a mail are secrets: encrypted until it is sent, then null. */
  contentEncrypted: string | null
  attemptCount: Generated<number>
  nextAttemptAt: Date | null
  claimedUntil: Date | null
  lastError: string | null
  createdAt: Created
  sentAt: Date | null
  /** Whether a person waits for it, such as for a code: it is sent before the others of its organisation. */
  isAwaited: Generated<boolean>
}

/** The unused codes. A used code is deleted. */
export interface MfaBackupCodesTable {
  organisationId: OrganisationId
  userId: string
  codeHash: string
  createdAt: Created
}

/** A sign-in that awaits its second factor after a correct password. */
export interface MfaChallengesTable {
  organisationId: OrganisationId
  id: string
  userId: string
  tokenHash: string
  failureCount: Generated<number>
  expiresAt: Date
  createdAt: Created
  usedAt: Date | null
  /** Null when the previous release has written the row. */
  provenFactors: Json<ProvenFactors | null>
  signInId: SignInId
}

/** A second factor of a user. Until it is verified, its enrolment is pending. */
export interface MfaCredentialsTable {
  organisationId: OrganisationId
  id: string
  userId: string
  /** A single `passkey` row represents all passkeys of the user. */
  method: 'totp' | 'sms' | 'passkey'
  /** The TOTP secret. */
  secretEncrypted: string | null
  /** The phone number to which codes are sent by SMS. */
  phone: string | null
  /** The TOTP step of the newest accepted code: only later ones are accepted. */
  lastUsedStep: number | null
  createdAt: Created
  verifiedAt: Date | null
  /** The session that started the enrolment, while it is pending. Others can neither see nor complete it. */
  sessionId: string | null
}

/** The code that was last sent for a credential, until it is used. */
export interface MfaSentCodesTable {
  organisationId: OrganisationId
  credentialId: string
  codeHash: string
  expiresAt: Date
  createdAt: Date
}

/** The sum of the changes is the number of organisations. */
export interface OrganisationCountChangesTable {
  id: Generated<number>
  change: number
}

/** A domain that an organisation proves by a record in the DNS. */
export interface OrganisationDomainsTable {
  organisationId: OrganisationId
  id: string
  /** The domain in lower case, with non-ASCII labels as `xn--`. */
  domain: string
  status: Generated<DomainStatus>
  /** The content of the DNS record. It is public. */
  challenge: string
  connectionId: string | null
  /** Without a connection, the policy is `off` whatever the value. */
  sso: Generated<SsoPolicy>
  bypassUserIds: Json<string[]>
  /** When the domain last became verified. */
  verifiedAt: Date | null
  /** When the record was last looked for. */
  checkedAt: Date | null
  /** The first of the failed checks since the last successful one. */
  failingSince: Date | null
  createdAt: Created
  updatedAt: Date
}

/** A row from the cancellation of an organisation until its purge. */
export interface OrganisationExportsTable {
  organisationId: OrganisationId
  scheduledAt: Created
  finishedAt: Date | null
}

export interface OrganisationLogosTable {
  organisationId: OrganisationId
  /** The SHA-256 of the picture, in hexadecimal. */
  hash: string
  mediaType: string
  contentBase64: string
  createdAt: Created
}

export interface OrganisationsTable {
  id: string
  slug: string
  name: string
  email: string
  phone: string | null
  website: string | null
  ownerId: string | null
  allowedCallbackUrls: Generated<string[]>
  allowedLogoutUrls: Generated<string[]>
  allowedOrigins: Generated<string[]>
  status: Generated<OrganisationStatus>
  suspendedReason: string | null
  sessionLifetime: Generated<number>
  sessionIdleTimeout: Generated<number>
  requireMfa: Generated<boolean>
  allowedMfaMethods: Generated<string[]>
  passwordPolicy: Json<Record<string, unknown> | null>
  tokenLifetimePolicy: Json<Record<string, unknown> | null>
  branding: Json<Record<string, unknown> | null>
  metadata: Json<Record<string, unknown>>
  createdAt: Created
  updatedAt: Date
  deletedAt: Date | null
  nameKey: Key
  distinctName: Key
  looksLikeAnother: Generated<boolean>
  signInPolicy: Json<Record<string, unknown>>
  clientDocumentPolicy: Json<Record<string, unknown> | null>
}

/** The handle by which authenticators identify a user: 64 random bytes. */
export interface PasskeyUsersTable {
  organisationId: OrganisationId
  userId: string
  handle: string
  createdAt: Created
}

/** A WebAuthn credential that a user has registered. */
export interface PasskeysTable {
  organisationId: OrganisationId
  id: string
  userId: string
  name: string
  /** The relying party that it was registered for. It works for no other. */
  rpId: string
  /** The credential id; base64url, as all bytes here. */
  credentialId: string
  /** The public key as a COSE_Key. */
  publicKey: string
  counter: number
  /** Whether it is discoverable and verified its user at registration. The others are second factors only. */
  canSignIn: boolean
  /** Whether it may be copied to other devices (backup eligible), which never changes. */
  maySync: boolean
  /** Whether it has been copied (backup state). */
  isSynced: boolean
  transports: string[]
  aaguid: string
  createdAt: Created
  lastUsedAt: Date | null
}

export interface PermissionsTable {
  id: string
  slug: string
  name: string
  description: string
  category: string
  createdAt: Created
  updatedAt: Date
}

/** The shared counters of processes without Redis. */
export interface RateLimitsTable {
  key: string
  count: number
  endsAt: Date
}

/** The changes of that number since, one row per statement. */
export interface RecordCountChangesTable {
  organisationId: OrganisationId
  records: string
  id: Generated<number>
  change: number
}

/** The number of records of a kind in an organisation when their changes were last folded. */
export interface RecordCountsTable {
  organisationId: OrganisationId
  /** The name of their table. */
  records: string
  count: number
}

/** The response to a refresh, stored while its client may request it again. */
export interface RefreshAnswersTable {
  organisationId: OrganisationId
  familyId: string
  secretHash: string
  answerEncrypted: string
  rotatedAt: Date
}

/** An initial access token: with it, programs register clients in the organisation themselves. */
export interface RegistrationTokensTable {
  organisationId: OrganisationId
  id: string
  name: string | null
  tokenHash: string
  allowedGrantTypes: string[]
  allowedScopes: string[]
  expiresAt: Date | null
  maxUses: number | null
  uses: Generated<number>
  lastUsedAt: Date | null
  /** Null when the operator has created it. */
  createdById: string | null
  createdAt: Created
  /** When an administrator has ended it. */
  endedAt: Date | null
}

/** An authorization server of another company that takes identity assertions, and which client may do what there. */
export interface ResourceAuthorizationServersTable {
  organisationId: OrganisationId
  id: string
  name: string
  issuer: string
  /** The client by which that company signs users in: its `sub` is meant. */
  audienceClientId: string
  resources: Json<AssertionResource[]>
  grants: Json<AssertionGrant[]>
  requiredAcr: 'aal1' | 'aal2' | 'phr' | 'phrh' | null
  lifetimeSeconds: number
  includesEmail: boolean
  isActive: boolean
  createdAt: Created
  updatedAt: Date
}

/** What a user has allowed a client at a resource server, in addition to the consent for the client itself. */
export interface ResourceConsentsTable {
  organisationId: OrganisationId
  userId: string
  clientId: string
  resourceServerId: string
  scopes: string[]
  grantedAt: Date
  /** The end that the user has chosen; null for none. */
  expiresAt: Date | null
}

/** An API that access tokens can be issued for (RFC 8707). */
export interface ResourceServersTable {
  organisationId: OrganisationId
  id: string
  name: string
  /** The absolute URI that tokens name it by, normalised; unique in the whole system. */
  identifier: string
  scopes: Json<ResourceScope[]>
  /** Seconds; null follows the client. */
  accessTokenLifetime: number | null
  accessTokenSigningAlg: Generated<SigningAlgorithm>
  allowsAutomaticClients: Generated<boolean>
  requireDpop: Generated<boolean>
  includeAuthenticationContext: Generated<boolean>
  /** The confidential clients that may introspect its tokens. */
  introspectionClientIds: Generated<string[]>
  exchangeClientIds: Generated<string[]>
  isActive: Generated<boolean>
  /** Tokens issued earlier are no longer accepted. Set when it is deactivated, and when it is activated. */
  tokensValidAfter: Date | null
  createdAt: Created
  updatedAt: Date
  /** The claims that it adds to its access tokens; null for none. */
  claimMappings: Json<ClaimMapping[] | null>
}

export interface RevokedAccessTokensTable {
  organisationId: OrganisationId
  jti: string
  expiresAt: Date
}

export interface RolePermissionsTable {
  organisationId: OrganisationId
  roleId: string
  permissionId: string
}

export interface RolesTable {
  organisationId: OrganisationId
  id: string
  name: string
  slug: string
  description: Generated<string>
  isDefault: Generated<boolean>
  isOwner: Generated<boolean>
  createdAt: Created
  updatedAt: Date
  nameKey: Key
  /** The slugs of its permissions, maintained by triggers on `role_permissions`. */
  permissionSlugs: Key<string[]>
}

/** The assertions of SAML that have been taken. */
export interface SamlUsedTable {
  organisationId: OrganisationId
  connectionId: string
  assertionHash: string
  expiresAt: Date
}

/** The clients that have got tokens by a session whose end they have not been told. */
export interface SessionClientsTable {
  organisationId: OrganisationId
  sessionId: string
  clientId: string
  userId: string
  /** When to look whether the session has ended without a request. */
  checkAt: Date
}

export interface SessionsTable {
  organisationId: OrganisationId
  id: string
  userId: string
  tokenHash: string
  ipAddress: string
  userAgent: string
  authenticatedAt: Date
  /** RFC 8176 values of the ID token's `amr`. */
  authenticationMethods: string[]
  awaitsMfaEnrolment: Generated<boolean>
  /** The idle timeout in seconds. */
  idleTimeout: number
  lastActivityAt: Date
  expiresAt: Date
  createdAt: Created
  revokedAt: Date | null
  /** Null when the previous release has written the row. */
  provenFactors: Json<ProvenFactors | null>
  /** When the user last proved in this session that it is still them; null since the sign-in. */
  reauthenticatedAt: Date | null
  /** The factor by which they proved it. */
  reauthenticatedWith: string | null
  /** The connection of the sign-in, with the identity provider's ids of the user and of its own session. */
  connectionId: string | null
  upstreamSubject: string | null
  upstreamSession: string | null
  /** The ID token of the identity provider, for signing out there. */
  idTokenEncrypted: string | null
  /** The end of the sign-in's validity by the connection, which also bounds applications; null for no bound. */
  federatedUntil: Date | null
  signInId: SignInId
}

/** A link by which a person without an account sets up a connection, a domain or a directory. */
export interface SetupLinksTable {
  organisationId: OrganisationId
  id: string
  name: string
  purposes: SetupPurpose[]
  /** What was decided for what is made by it. */
  settings: Json<object>
  /** Whether what is made is active at once. */
  activate: Generated<boolean>
  tokenHash: string
  /** Null when the operator has created it. */
  createdById: string | null
  /** The API key that has created it. */
  createdByKeyId: string | null
  /** The hash of the cookie of the browser that has opened it last. */
  visitHash: string | null
  visitExpiresAt: Date | null
  firstUsedAt: Date | null
  lastUsedAt: Date | null
  lastIpAddress: string | null
  connectionId: string | null
  domainId: string | null
  directoryId: string | null
  /** When a test sign-in has passed every check. */
  testedAt: Date | null
  finishedAt: Date | null
  endedAt: Date | null
  endedBecause: 'deleted' | 'expired' | 'right_lost' | 'organisation_inactive' | null
  activatedAt: Date | null
  expiresAt: Date
  createdAt: Created
  /** The `updated_at` of the connection that it has tested; null where the former release has noted it. */
  testedUpdatedAt: Date | null
}

/** Changes that are not yet folded into the counts. */
export interface SignInCountChangesTable {
  organisationId: OrganisationId
  id: Generated<number>
  quarterAt: Date
  /** 1970 where it is longer ago than a day lasts, and for failures. */
  previousAt: Date
  succeeded: number
  failed: number
}

/** The number of sign-ins in a quarter of an hour, of users whose previous sign-in was in another one. */
export interface SignInCountsTable {
  organisationId: OrganisationId
  quarterAt: Date
  /** 1970 where it is longer ago than a day lasts, and for failures. */
  previousAt: Date
  succeeded: number
  failed: number
}

export interface SignUpsTable {
  organisationId: OrganisationId
  userId: string
  /** The owner's address, which is reserved for no user until it is confirmed. */
  email: string
  createdAt: Created
}

export interface SigningKeysTable {
  /** The key's `kid`. */
  id: string
  algorithm: SigningAlgorithm
  publicJwk: ColumnType<Record<string, string>, string, never>
  privateKeyEncrypted: string
  createdAt: Created
  /** When the key starts to sign. It is published from its creation on. */
  signsFrom: Date
  retiresAt: Date | null
}

/** Used challenges until they expire. They belong to no organisation. */
export interface SpentChallengesTable {
  challengeHash: string
  expiresAt: Date
}

export interface TasksTable {
  name: string
  nextRunAt: Date
  claimedUntil: Date | null
  lastRunAt: Date | null
  lastError: string | null
}

/** The sources of a user's membership in a team, as for roles. */
export interface TeamMemberSourcesTable {
  organisationId: OrganisationId
  userId: string
  teamId: string
  source: string
  createdAt: Created
}

export interface TeamMembersTable {
  organisationId: OrganisationId
  teamId: string
  userId: string
  createdAt: Created
}

export interface TeamsTable {
  organisationId: OrganisationId
  id: string
  name: string
  slug: string
  description: Generated<string>
  createdAt: Created
  updatedAt: Date
  nameKey: Key
}

export interface TokenFamiliesTable {
  organisationId: OrganisationId
  id: string
  clientId: string
  userId: string
  sessionId: string
  scope: string[]
  authenticatedAt: Date
  authenticationMethods: string[]
  createdAt: Created
  /**
   * The time by which all tokens of the family have expired. Updated at most once a day: it is indexed, and a refresh should not write to
   * an index.
   */
  keptUntil: Date
  revokedAt: Date | null
  /** The hash of the prefix that all refresh tokens of the family share; null when it has none. */
  selectorHash: string | null
  /** The hash of the part that only the latest refresh token has. */
  secretHash: string | null
  /** When the latest refresh token was issued. */
  refreshedAt: Date | null
  refreshableUntil: Date | null
  /** The level that access tokens name, where the request asked for one; null where it did not. */
  authenticationContext: string | null
  /** The connection of the session, which the row outlives, with the session at the identity provider. */
  connectionId: string | null
  upstreamSession: string | null
  /** The end of the sign-in's validity by the connection; null for no bound. */
  federatedUntil: Date | null
  signInId: SignInId
  /** Ids of the resource servers that were authorized; null for none. */
  resources: string[] | null
  /** The identity whose provider let the client act; null where the user had signed in. */
  identityId: string | null
  /** The end of the consent, which no token outlives; null for none. */
  consentedUntil: Date | null
  /** The thumbprint of the key that refreshes it, for a public client; null for any. */
  jkt: string | null
  /** The claims that were granted by their names, besides those of the scope; null for none. */
  grantedClaims: Json<GrantedClaims | null>
  /** The scopes that were authorized at each resource server, by its id; null without one, and in rows of a former release. */
  resourceScopes: Json<ResourceScopes | null>
}

/** A client that registered itself openly, in no organisation: each that lets it in has a row of its own. */
export interface UnboundClientsTable {
  clientId: string
  registrationAccessTokenHash: string
  name: string
  redirectUris: string[]
  grantTypes: string[]
  idTokenSignedResponseAlg: SigningAlgorithm
  metadata: Json<Record<string, unknown>>
  ipAddress: string | null
  createdAt: Created
}

/** The signed assertions of clients and identity providers that have been taken, each once. */
export interface UsedAssertionsTable {
  organisationId: OrganisationId
  /** The id of the client; for an identity provider the id of the organisation and the issuer. */
  issuer: string
  assertionHash: string
  expiresAt: Date
}

/** The sources of a user's role: `manual`, `connection:<id>` or `directory:<id>`. The user holds the role exactly while it has a source. */
export interface UserRoleSourcesTable {
  organisationId: OrganisationId
  userId: string
  roleId: string
  source: string
  createdAt: Created
}

export interface UserRolesTable {
  organisationId: OrganisationId
  userId: string
  roleId: string
  createdAt: Created
}

export interface UsersTable {
  organisationId: OrganisationId
  id: string
  email: string
  firstName: string
  lastName: string
  name: Key
  phone: string | null
  emailVerifiedAt: Date | null
  passwordHash: string | null
  passwordChangedAt: Date | null
  mfaEnabled: Generated<boolean>
  blockedAt: Date | null
  blockedReason: string | null
  lastLoginAt: Date | null
  createdAt: Created
  updatedAt: Date
  deletedAt: Date | null
  nameKey: Key
  lastNameKey: Key
  /** 1970 for users who have never signed in. */
  lastLoginKey: Key<Date>
  lockedUntil: Date | null
  erasedAt: Date | null
  /** The number of consecutive wrong codes of a second factor. */
  wrongCodes: Generated<number>
  codesRefusedUntil: Date | null
  /** When the password was found among breached ones at a sign-in; null again for a new password. */
  passwordBreachedAt: Date | null
  /** When the pages last offered the user to register a passkey. */
  passkeyOfferedAt: Date | null
  /** What the organisation itself stores of the user, at most 8 KiB. */
  metadata: Json<Record<string, unknown>>
}

export interface WebhookAttemptsTable {
  organisationId: OrganisationId
  deliveryId: string
  number: number
  at: Date
  status: number | null
  durationMilliseconds: number
  error: string | null
  response: string | null
}

export interface WebhookDeliveriesTable {
  organisationId: OrganisationId
  id: string
  endpointId: string
  eventId: string
  event: string
  variant: Variant
  /** The exact bytes that every attempt sends. */
  body: string
  /** A user requested it, so it is also sent to an inactive endpoint. */
  isTest: Generated<boolean>
  status: Generated<'pending' | 'delivered' | 'failed'>
  attemptCount: Generated<number>
  /** Null when the delivery has finished, and while its endpoint is inactive. */
  nextAttemptAt: Date | null
  claimedUntil: Date | null
  lastStatusCode: number | null
  createdAt: Created
  deliveredAt: Date | null
}

export interface WebhookEndpointsTable {
  organisationId: OrganisationId
  id: string
  url: string
  events: string[]
  clientId: string | null
  variant: Variant
  isActive: Generated<boolean>
  failureCount: Generated<number>
  lastTriggeredAt: Date | null
  secretEncrypted: string
  previousSecretEncrypted: string | null
  previousSecretExpiresAt: Date | null
  createdAt: Created
  updatedAt: Date
  lastFailureAt: Date | null
  lastError: string | null
  standardSignature: Generated<boolean>
}

/** The results of the attempts at an endpoint that were made in an hour. */
export interface WebhookHoursTable {
  organisationId: OrganisationId
  endpointId: string
  hour: Date
  /** The number of deliveries. */
  delivered: number
  failed: number
  /** A histogram of how long attempts took. */
  durations: number[]
}
