/** The endpoint tables of the specification and of the decisions, as a machine reads them. */
import { ordinaryRoutes } from './ordinary.ts'

export interface Endpoint {
  /** Such as `POST /v1/admin/users/{id}/roles`. */
  name: string
  /** A permission, or the kind of caller: `signed in` on the admin API, `self` by a session, `public`, `system` by the operator's key. */
  access: string
  success: number
  /** Fields of the body. */
  request: string[]
  /** Fields of the response. */
  response: string[]
}

const listFields = 'data total nextCursor'
const pageFields = 'data nextCursor'
const user =
  'id email firstName lastName name phone emailVerifiedAt mfaEnabled blockedAt blockedReason lastLoginAt createdAt updatedAt roles teams'
const role = 'id name slug description isDefault permissions createdAt updatedAt'
const team = 'id name slug description members createdAt updatedAt'
const organisation =
  'id slug name email phone website ownerId allowedCallbackUrls allowedLogoutUrls allowedOrigins status sessionLifetime sessionIdleTimeout requireMfa allowedMfaMethods passwordPolicy tokenLifetimePolicy branding signInPolicy metadata createdAt updatedAt deletedAt'
const organisationChanges =
  'name email phone website allowedCallbackUrls allowedLogoutUrls allowedOrigins sessionLifetime sessionIdleTimeout requireMfa allowedMfaMethods passwordPolicy tokenLifetimePolicy branding signInPolicy clientDocumentPolicy metadata'
const invitation = 'id email roleId teamIds status invitedById expiresAt acceptedAt createdAt updatedAt'
const clientSettings =
  'name description tokenEndpointAuthMethod redirectUris postLogoutRedirectUris initiateLoginUri grantTypes scopes requirePkce allowPlainPkce requireConsent requirePushedAuthorizationRequests requireDpop tlsClientAuth certificateBoundAccessTokens refreshTokenGraceSeconds accessTokenLifetime refreshTokenLifetime refreshTokenAbsoluteLifetime idTokenLifetime authorizationCodeTtl idTokenSignedResponseAlg introspectionSignedResponseAlg profile federatedCredentials tokenEndpointAuthSigningAlg jwks jwksUri requireSignedRequestObject requestObjectSigningAlg defaultAcrValues defaultMaxAge backchannelLogoutUri backchannelLogoutSessionRequired backchannelLogoutRevokesRefresh resourceServerIds defaultResource claimMappings logoUrl'
const client = `id clientId clientType isActive organisationId createdAt updatedAt ${clientSettings}`
const apiKey = 'id name prefix permissions expiresAt lastUsedAt createdById createdAt'
const webhook = 'id organisationId url events clientId isActive failureCount lastTriggeredAt createdAt updatedAt variant standardSignature'
const delivery = 'id eventId event status attemptCount nextAttemptAt lastStatusCode createdAt deliveredAt'
const profile =
  'id email name firstName lastName emailVerified phone mfaEnabled organisation roles permissions isOwner session passwordChangedAt'

type Row = readonly [name: string, access: string, success: number, request: string, response: string]

/** Tables of the specification. */
const specified: Row[] = [
  ['GET /v1/admin/users', 'users:read', 200, '', listFields],
  ['GET /v1/admin/users/{id}', 'users:read', 200, '', user],
  ['POST /v1/admin/users', 'users:create', 201, 'email firstName lastName password roleIds teamIds', user],
  ['PATCH /v1/admin/users/{id}', 'users:update', 200, 'firstName lastName phone blockedAt blockedReason mfaEnabled', user],
  ['DELETE /v1/admin/users/{id}', 'users:delete', 204, '', ''],
  ['POST /v1/admin/users/{id}/roles', 'users:update', 200, 'roleId', 'message'],
  ['DELETE /v1/admin/users/{id}/roles', 'users:update', 200, 'roleId', 'message'],

  ['GET /v1/admin/roles', 'roles:read', 200, '', listFields],
  ['POST /v1/admin/roles', 'roles:create', 201, 'name slug description isDefault permissionIds', role],
  ['PATCH /v1/admin/roles/{id}', 'roles:update', 200, 'name description isDefault permissionIds', role],
  ['DELETE /v1/admin/roles/{id}', 'roles:delete', 204, '', ''],

  ['GET /v1/admin/teams', 'teams:read', 200, '', listFields],
  ['POST /v1/admin/teams', 'teams:create', 201, 'name slug description', team],
  ['PATCH /v1/admin/teams/{id}', 'teams:update', 200, 'name description', team],
  ['DELETE /v1/admin/teams/{id}', 'teams:delete', 204, '', ''],

  ['GET /v1/admin/permissions', 'users:read', 200, '', listFields],

  ['GET /v1/admin/organisation', 'signed in', 200, '', organisation],
  ['PATCH /v1/admin/organisation', 'organisation:update', 200, organisationChanges, organisation],
  ['DELETE /v1/admin/organisation', 'organisation:delete', 204, '', ''],

  ['GET /v1/admin/invitations', 'invitations:read', 200, '', listFields],
  ['POST /v1/admin/invitations', 'invitations:create', 201, 'email roleId teamIds expiresInDays', invitation],
  ['POST /v1/admin/invitations/{id}/resend', 'invitations:create', 200, '', 'message invitation'],
  ['DELETE /v1/admin/invitations/{id}', 'invitations:delete', 204, '', ''],
  ['POST /v1/auth/invitations/accept', 'public', 201, 'token firstName lastName password', 'message user'],

  ['POST /v1/admin/clients/{id}/revoke', 'clients:delete', 200, '', 'message'],
  ['DELETE /v1/admin/clients/{id}', 'clients:delete', 204, '', ''],

  ['GET /v1/admin/webhooks', 'webhooks:read', 200, '', listFields],
  ['GET /v1/admin/webhooks/{id}', 'webhooks:read', 200, '', webhook],
  ['POST /v1/admin/webhooks', 'webhooks:create', 201, 'url events clientId variant standardSignature', `${webhook} secret webhook`],
  ['PATCH /v1/admin/webhooks/{id}', 'webhooks:update', 200, 'url events isActive variant standardSignature', webhook],
  ['DELETE /v1/admin/webhooks/{id}', 'webhooks:delete', 204, '', ''],
  ['POST /v1/admin/webhooks/{id}/rotate-secret', 'webhooks:update', 200, '', `${webhook} secret`],
  ['POST /v1/admin/webhooks/{id}/test', 'webhooks:update', 200, '', 'message'],
  ['POST /v1/admin/webhooks/test', 'webhooks:update', 200, 'webhookId event', 'message'],

  ['GET /v1/me/profile', 'self', 200, '', profile],
  ['GET /v1/me/sessions', 'self', 200, '', 'data'],
  ['DELETE /v1/me/sessions/{id}', 'self', 204, '', ''],
  ['POST /v1/me/mfa/enable', 'self', 200, '', 'secret qrCodeUri message'],
  ['POST /v1/me/mfa/verify', 'self', 200, 'token', 'message backupCodes warning'],
  ['POST /v1/me/mfa/check', 'self', 200, 'token', 'valid'],
  ['POST /v1/me/mfa/disable', 'self', 200, 'token', 'message'],
  ['POST /v1/me/mfa/backup-codes', 'self', 200, 'token', 'backupCodes message'],
]

/** Tables of the decisions, sections 3 to 5. */
const decided: Row[] = [
  ['POST /v1/auth/login', 'public', 200, 'email password', 'status user session csrfToken mfaToken methods'],
  ['POST /v1/auth/login/mfa', 'public', 200, 'mfaToken code', 'status user session csrfToken'],
  ['GET /v1/auth/csrf', 'self', 200, '', 'csrfToken'],
  ['POST /v1/auth/logout', 'self', 204, '', ''],
  ['POST /v1/auth/password/forgot', 'public', 202, 'email', 'message'],
  ['GET /v1/auth/password/reset', 'public', 200, '', 'valid expiresAt passwordPolicy'],
  ['POST /v1/auth/password/reset', 'public', 200, 'token password', 'message'],
  ['POST /v1/auth/email/verify', 'public', 200, 'token', 'message'],
  ['POST /v1/me/email/verification', 'self', 202, '', 'message'],
  ['POST /v1/me/password', 'self', 204, 'currentPassword newPassword', ''],
  ['PATCH /v1/me/profile', 'self', 200, 'firstName lastName phone', profile],

  ['POST /v1/organisations', 'system', 201, 'name slug email ownerEmail ownerFirstName ownerLastName', 'organisation owner'],
  ['GET /v1/system/organisations', 'system', 200, '', listFields],
  ['GET /v1/system/organisations/{id}', 'system', 200, '', organisation],
  ['PATCH /v1/system/organisations/{id}/suspend', 'system', 200, 'reason', organisation],
  ['PATCH /v1/system/organisations/{id}/activate', 'system', 200, '', organisation],
  ['DELETE /v1/system/organisations/{id}', 'system', 204, '', ''],
  ['POST /v1/system/organisations/{id}/restore', 'system', 200, '', organisation],
  ['GET /v1/system/organisations/{id}/export', 'system', 200, '', ''],
  ['POST /v1/system/permissions', 'system', 201, 'slug name description category', 'id slug name description category createdAt updatedAt'],
  ['GET /v1/system/permissions', 'system', 200, '', 'data total'],
  ['DELETE /v1/system/permissions/{id}', 'system', 204, '', ''],
  ['POST /v1/system/signing-keys/rotate', 'system', 200, '', ''],
  ['GET /v1/system/signing-keys', 'system', 200, '', 'data total'],
  ['POST /v1/admin/organisation/transfer-ownership', 'signed in', 200, 'userId', organisation],

  ['GET /v1/admin/roles/{id}', 'roles:read', 200, '', role],
  ['GET /v1/admin/teams/{id}', 'teams:read', 200, '', team],
  ['GET /v1/admin/invitations/{id}', 'invitations:read', 200, '', invitation],
  ['POST /v1/admin/teams/{id}/members', 'teams:update', 200, 'userId', 'message'],
  ['DELETE /v1/admin/teams/{id}/members', 'teams:update', 200, 'userId', 'message'],
  ['GET /v1/admin/users/{id}/sessions', 'users:read', 200, '', 'data'],
  ['DELETE /v1/admin/users/{id}/sessions', 'users:update', 204, '', ''],
  ['POST /v1/admin/users/{id}/password-reset', 'users:update', 202, '', 'message'],
  ['GET /v1/admin/clients', 'clients:read', 200, '', listFields],
  ['GET /v1/admin/clients/{id}', 'clients:read', 200, '', client],
  ['POST /v1/admin/clients', 'clients:create', 201, `clientType ${clientSettings}`, `${client} clientSecret`],
  ['PATCH /v1/admin/clients/{id}', 'clients:update', 200, clientSettings, client],
  ['POST /v1/admin/clients/{id}/rotate-secret', 'clients:update', 200, 'gracePeriodSeconds', `${client} clientSecret`],
  ['POST /v1/admin/clients/{id}/activate', 'clients:update', 200, '', 'message'],
  ['GET /v1/admin/api-keys', 'api_keys:read', 200, '', listFields],
  ['POST /v1/admin/api-keys', 'api_keys:create', 201, 'name permissions expiresAt', `${apiKey} key`],
  ['DELETE /v1/admin/api-keys/{id}', 'api_keys:delete', 204, '', ''],
  ['GET /v1/admin/audit-logs', 'audit:read', 200, '', pageFields],
  ['GET /v1/admin/audit-logs/export', 'audit:read', 200, '', ''],
  ['GET /v1/admin/webhooks/{id}/deliveries', 'webhooks:read', 200, '', pageFields],
  ['GET /v1/admin/webhooks/{id}/deliveries/{deliveryId}', 'webhooks:read', 200, '', `${delivery} request attempts`],
  ['POST /v1/admin/webhooks/{id}/deliveries/{deliveryId}/replay', 'webhooks:update', 202, '', 'message deliveryId'],
  ['GET /v1/admin/events', 'webhooks:read', 200, '', 'data'],
  ['GET /v1/me/consents', 'self', 200, '', listFields],
  ['DELETE /v1/me/consents/{clientId}', 'self', 204, '', ''],
  ['GET /healthz', 'public', 200, '', ''],
  ['GET /readyz', 'public', 200, '', ''],
]

const words = (text: string): string[] => text.split(' ').filter((word) => word !== '')

export const endpoints: Endpoint[] = [...specified, ...decided].map(([name, access, success, request, response]) => ({
  name,
  access,
  success,
  request: words(request),
  response: words(response),
}))

/** Routes and request fields of ours that neither document has. They do not affect clients of the specification. */
export const extensions: { routes: Record<string, string>; requestFields: Record<string, string[]> } = {
  routes: {
    ...ordinaryRoutes,
    'POST /v1/admin/webhooks/{id}/replay': 'delivers the events of a time range again',
    'GET /v1/admin/users/export': 'exports users as NDJSON or CSV',
    'GET /v1/admin/teams/{id}/members': 'pages and searches the members of a team',
    'POST /v1/admin/users/{id}/restore': 'restores a deleted user',
    'GET /v1/system/organisations/{id}/users': 'finds a user for the operator',
    'POST /v1/system/organisations/{id}/users/{userId}/recover': 'restores the access of a user whom no one else can help',
    'POST /v1/system/organisations/{id}/users/{userId}/erase': 'removes name, address and factors for good',
    'POST /v1/system/organisations/{id}/transfer-ownership': 'makes another user the owner, for the operator',
    'GET /v1/system/domains/{id}/foreign-accounts': 'lists the accounts of other organisations in a domain',
    'DELETE /v1/admin/users/{id}/lock': 'lifts the lock of an account with too many failed sign-ins',
    'POST /v1/admin/roles/{id}/impact': 'who would gain or lose permissions by a change of a role',
    'POST /v1/admin/organisation/logo': 'uploads a logo',
    'DELETE /v1/admin/organisation/logo': 'removes the uploaded logo',
    'POST /v1/admin/directories/{id}/impact': 'who would gain or lose roles and teams by mappings of a directory',
    'POST /v1/admin/organisation/impact': 'what would follow from a change of settings',
    'GET /v1/admin/clients/{id}/impact': 'what would end with a client',
    'GET /v1/admin/users/{id}/impact': 'what would end with the access of a user',
    'GET /v1/admin/clients/{id}/document': 'whether the document of a client can be read',
    'GET /v1/admin/clients/failing-documents': 'which clients have a document that cannot be read',
    'GET /v1/admin/clients/{id}/profile': 'which clauses of a profile a client meets',
    'POST /v1/admin/permission-checks': 'whether users may use permissions, and why',
    'GET /v1/admin/configuration': 'the configuration as a document',
    'POST /v1/admin/configuration/diff': 'in what the organisation differs from a document',
    'POST /v1/admin/configuration/plan': 'what a document would change',
    'POST /v1/admin/configuration/apply': 'makes the organisation what a document says',
    'POST /v1/admin/authorization-checks': 'what a client would be issued for a user, and why not',
    'POST /v1/admin/clients/{id}/claims/preview': 'the claims of the tokens of a user, with mappings that are stored or tried',
    'POST /v1/admin/sign-in-checks': 'why a user cannot sign in',
    'POST /v1/admin/assertion-checks': 'why an identity assertion is refused',
    'POST /v1/system/sign-in-checks': 'the same for the operator, in any organisation',
    'GET /v1/admin/users/{id}/permissions': 'which roles give a user which permission',
    'POST /v1/me/reauthenticate/options': 'begins the same by a passkey',
    'POST /v1/me/reauthenticate': 'proves again that the caller is the user',
    'GET /v1/me/mfa': 'lists the enrolled second factors',
    'DELETE /v1/me/sessions': 'ends all other sessions of oneself',
    'GET /v1/me/activity': 'the sign-ins and security changes of oneself',
    'POST /v1/me/mfa/code': 'sends a code to the phone',
    'POST /v1/auth/login/mfa/code': 'sends a code to the phone during a sign-in',
    'POST /v1/auth/passkey/options': 'begins a sign-in with a passkey',
    'POST /v1/auth/passkey': 'signs in with a passkey',
    'POST /v1/auth/email-code': 'asks for a code that signs in by mail',
    'POST /v1/auth/email-code/verify': 'signs in with a mailed code',
    'POST /v1/me/mfa/passkey/options': 'begins a change of the second factors by a passkey',
    'POST /v1/auth/login/mfa/passkey/options': 'begins the second factor by a passkey',
    'GET /v1/me/passkeys': 'lists the passkeys of oneself',
    'POST /v1/auth/identify': 'says how an address can sign in',
    'POST /v1/me/identities': 'begins to link an account at an identity provider',
    'POST /v1/me/passkeys/options': 'begins the registration of a passkey',
    'POST /v1/me/passkeys': 'registers a passkey',
    'GET /v1/admin/domains': 'lists the domains of the organisation',
    'GET /v1/admin/domains/{id}': 'a domain by itself',
    'POST /v1/admin/domains': 'adds a domain',
    'PATCH /v1/admin/domains/{id}': 'changes what a domain means for its users',
    'DELETE /v1/admin/domains/{id}': 'removes a domain',
    'POST /v1/admin/domains/{id}/verify': 'looks for the proof of a domain in the DNS',
    'PATCH /v1/me/passkeys/{id}': 'renames a passkey',
    'DELETE /v1/me/passkeys/{id}': 'deletes a passkey',
    'DELETE /v1/me/password': 'removes the password, for users with a passkey',
    'GET /v1/admin/users/{id}/passkeys': 'lists the passkeys of a user',
    'DELETE /v1/admin/users/{id}/passkeys/{passkeyId}': 'deletes a passkey of a user',
    'GET /v1/admin/connections': 'lists the connections to identity providers',
    'GET /v1/admin/connections/{id}': 'a connection by itself',
    'POST /v1/admin/connections': 'connects an identity provider',
    'PATCH /v1/admin/connections/{id}': 'changes a connection',
    'DELETE /v1/admin/connections/{id}': 'deletes a connection',
    'POST /v1/admin/connections/{id}/rotate-secret': 'gives a connection a new secret',
    'POST /v1/admin/connections/{id}/rotate-keys': 'changes the key by which a connection proves itself',
    'POST /v1/admin/connections/{id}/refresh': 'reads the documents of an identity provider again',
    'POST /v1/admin/connections/{id}/test': 'prepares a test of a connection',
    'GET /v1/admin/registration-tokens': 'lists the tokens by which clients register themselves',
    'POST /v1/admin/registration-tokens': 'creates a token by which clients register themselves',
    'DELETE /v1/admin/registration-tokens/{id}': 'ends a token by which clients register themselves',
    'GET /v1/admin/resource-servers': 'lists the APIs that access tokens can be issued for',
    'GET /v1/admin/resource-servers/{id}': 'a resource server by itself',
    'GET /v1/admin/resource-servers/{id}/metadata': 'what a resource server has to publish about itself',
    'POST /v1/admin/resource-servers': 'registers a resource server',
    'POST /v1/admin/resource-servers/check-mcp-server': 'whether the answers of an MCP server lead its clients here',
    'PATCH /v1/admin/resource-servers/{id}': 'changes a resource server',
    'DELETE /v1/admin/resource-servers/{id}': 'deletes a resource server',
    'GET /v1/admin/blocked-client-hosts': 'lists the blocked hosts of applications',
    'POST /v1/admin/blocked-client-hosts': 'blocks a host of applications',
    'DELETE /v1/admin/blocked-client-hosts/{id}': 'unblocks a host of applications',
    'GET /v1/admin/directories': 'lists the directories that manage users',
    'GET /v1/admin/directories/{id}': 'a directory by itself',
    'POST /v1/admin/directories': 'lets a directory manage users',
    'PATCH /v1/admin/directories/{id}': 'changes a directory',
    'DELETE /v1/admin/directories/{id}': 'deletes a directory',
    'POST /v1/admin/directories/{id}/tokens': 'creates a token of a directory',
    'GET /v1/admin/directories/{id}/requests': 'lists the requests of a directory',
    'POST /v1/admin/directories/{id}/requests/try': 'tries a request of a directory',
    'DELETE /v1/admin/directories/{id}/tokens/{tokenId}': 'ends a token of a directory',
    'GET /v1/admin/setup-links': 'lists the set-up links',
    'POST /v1/admin/setup-links': 'creates a set-up link',
    'POST /v1/admin/setup-links/{id}/activate': 'activates what a set-up link has made',
    'DELETE /v1/admin/setup-links/{id}': 'ends a set-up link',
    'GET /v1/admin/users/{id}/identities': 'lists the linked accounts of a user',
    'DELETE /v1/admin/users/{id}/identities/{identityId}': 'unlinks an account of a user',
    'GET /v1/me/identities': 'lists the linked accounts of oneself',
    'DELETE /v1/me/identities/{id}': 'unlinks an account of oneself',
    'GET /v1/admin/api-keys/{id}': 'an API key by itself',
    'PATCH /v1/admin/api-keys/{id}': 'changes whom an API key trusts in place of a secret',
    'POST /v1/auth/api-keys/exchange': 'exchanges a token of a platform for a short-lived API key',
    'GET /v1/admin/webhooks/{id}/statistics': 'counts the deliveries to a webhook by hour or day',
    'GET /v1/admin/clients/{id}/logout-deliveries': 'lists what a client was told of ended sessions',
    'GET /v1/admin/clients/{id}/logout-deliveries/{deliveryId}': 'a logout delivery with its attempts',
    'POST /v1/admin/clients/{id}/logout-deliveries/{deliveryId}/replay': 'tells a client again that a session has ended',
    'POST /v1/admin/clients/{id}/logout-deliveries/test': 'sends a test logout token to a client',
    'GET /v1/admin/deliveries': 'lists the deliveries to all webhooks',
    'GET /v1/admin/diagnostics': 'lists why OAuth requests were refused',
    'GET /v1/admin/diagnostics/{reference}': 'why an OAuth request was refused',
    'GET /v1/admin/statistics': 'how many records of each kind there are, and in which state',
    'GET /v1/admin/statistics/sign-ins': 'how many sign-ins there were in each hour or day',
    'GET /v1/service': 'what the operator has set up, for programs that guide a signed-in user',
    'GET /v1/system/diagnostics/{reference}': 'the same, for the operator',
    'GET /v1/system/doctor': 'examines the installation',
    'DELETE /v1/admin/users/{id}/sessions/{sessionId}': 'ends one session of a user',
    'GET /v1/admin/clients/{id}/consents': 'lists the users who have let an application in',
    'GET /v1/admin/users/{id}/consents': 'lists the applications that have access to the account of a user',
    'DELETE /v1/admin/users/{id}/consents/{clientId}': 'removes the access of an application to the account of a user',
    'GET /v1/admin/search': 'finds records of any kind that the caller may read',
    'GET /v1/admin/audit-logs/{id}': 'shows an audit entry',
    'GET /v1/admin/sign-ins/{id}': 'shows a sign-in from its first request to its end',
    'GET /v1/admin/audit-logs/actions': 'lists the actions of audit entries',
    'POST /v1/admin/audit-logs/{id}/undo': 'undoes what an audit entry says was changed',
  },
  requestFields: {
    ...Object.fromEntries(
      [
        ...[
          'users',
          'roles',
          'teams',
          'clients',
          'connections',
          'directories',
          'resource-servers',
          'webhooks',
          'invitations',
          'api-keys',
          'setup-links',
        ].map((records) => `DELETE /v1/admin/${records}/{id}`),
        ...['DELETE /v1/admin/organisation', 'POST /v1/admin/clients/{id}/revoke'],
      ].map((name) => [name, ['reason']]),
    ),
    'POST /v1/admin/api-keys': ['secret', 'federatedCredentials'],
    'POST /v1/admin/invitations': ['clientId', 'returnLink'],
    'POST /v1/admin/users': ['sendWelcomeMail', 'metadata'],
    'PATCH /v1/admin/users/{id}': ['metadata'],
    'POST /v1/admin/webhooks/{id}/rotate-secret': ['gracePeriodSeconds'],
    'POST /v1/auth/login/mfa': ['credential'],
    'POST /v1/me/mfa/verify': ['flowToken', 'credential'],
    'POST /v1/me/mfa/enable': ['method', 'phone', 'token', 'replace', 'flowToken', 'credential'],
    'POST /v1/me/mfa/disable': ['flowToken', 'credential'],
    'POST /v1/me/mfa/backup-codes': ['flowToken', 'credential'],
    'POST /v1/system/signing-keys/rotate': ['withdraw'],
  },
}
