// Made by `npm run generate`.
import type { AnswerOf, BodyOf, CallOptions, KeyedCallOptions, List, QueryOf } from './named-types.ts'

/** The operations of the API, by the kind of record that they are about. */
export interface NamedOperations {
  apiKeys: {
    /**
     * List API keys. Requires the permission `api_keys:read`.
     */
    list(query?: QueryOf<'listApiKeys'>, options?: CallOptions): List<AnswerOf<'listApiKeys'>>
    /**
     * Create an API key. Requires the permission `api_keys:create`.
     */
    create(body: BodyOf<'createApiKey'>, options?: KeyedCallOptions): Promise<AnswerOf<'createApiKey'>>
    /**
     * Get an API key. Requires the permission `api_keys:read`.
     */
    get(id: string, options?: CallOptions): Promise<AnswerOf<'getApiKey'>>
    /**
     * Change an API key's credentials of platforms. Requires the permission `api_keys:create`. Replaces the list. Who adds one needs every permission of the key. Where one is taken away, the short-lived keys of the key end.
     */
    update(id: string, body?: BodyOf<'updateApiKey'>, options?: KeyedCallOptions): Promise<AnswerOf<'updateApiKey'>>
    /**
     * Delete an API key. Requires the permission `api_keys:delete`.
     */
    delete(id: string, body?: BodyOf<'deleteApiKey'>, options?: CallOptions): Promise<AnswerOf<'deleteApiKey'>>
  }
  assertionChecks: {
    /**
     * Check why an identity assertion is refused. Requires the permissions `connections:read` and `clients:read` and `users:read`. Every check that the token endpoint would make of an identity assertion (ID-JAG) now: whether it is met, what was expected and what came. That the application authenticates is assumed. Nothing is issued or used up; the audit log records the check, without the assertion.
     */
    checkAssertion(body: BodyOf<'checkAssertion'>, options?: CallOptions): Promise<AnswerOf<'checkAssertion'>>
  }
  auditLogs: {
    /**
     * List audit entries, newest first. Requires the permission `audit:read`.
     */
    list(query?: QueryOf<'listAuditEntries'>, options?: CallOptions): List<AnswerOf<'listAuditEntries'>>
    /**
     * Export audit entries. Requires the permission `audit:read`. Newest first, as a stream.
     */
    export(query?: QueryOf<'exportAuditEntries'>, options?: CallOptions): Promise<Response>
    /**
     * List the actions that audit entries can have. Requires the permission `audit:read`.
     */
    listActions(query?: QueryOf<'listAuditActions'>, options?: CallOptions): List<AnswerOf<'listAuditActions'>>
    /**
     * Show an audit entry. Requires the permission `audit:read`.
     */
    get(id: string, options?: CallOptions): Promise<AnswerOf<'getAuditEntry'>>
    /**
     * Undo the change that an audit entry records. Requires the permission `audit:read`. An ordinary change by the caller: it also needs the permission of the request that makes it, and is refused whenever that would be. `undo-changed-since` names what has changed since the entry, and who changed it. A user whom a directory has deactivated stays blocked when the block of an administrator is undone: `changes` says what becomes of each field. GET /v1/admin/audit-logs/actions says which actions cannot be undone, and why.
     */
    undo(id: string, query?: QueryOf<'undoAuditEntry'>, options?: KeyedCallOptions): Promise<AnswerOf<'undoAuditEntry'>>
  }
  auth: {
    /**
     * Sign in with e-mail and password. The response says what comes next: a session cookie with its CSRF token, or a second factor, with a token for it.
     */
    signIn(body: BodyOf<'signIn'>, options?: CallOptions): Promise<AnswerOf<'signIn'>>
    /**
     * Complete a sign-in with a second factor. Takes the token of the sign-in with a code or the response of a passkey. A right one starts the session.
     */
    completeSignIn(body: BodyOf<'completeSignIn'>, options?: CallOptions): Promise<AnswerOf<'completeSignIn'>>
    /**
     * Get the options for a passkey as second factor. For `navigator.credentials.get`. Send its response to `POST /v1/auth/login/mfa`.
     */
    startSecondFactorByPasskey(body: BodyOf<'startSecondFactorByPasskey'>, options?: CallOptions): Promise<AnswerOf<'startSecondFactorByPasskey'>>
    /**
     * Start signing in with a passkey. The same for every caller: the passkey says who the user is.
     */
    startPasskeySignIn(options?: CallOptions): Promise<AnswerOf<'startPasskeySignIn'>>
    /**
     * Sign in with a passkey. A 401 has `unknownCredential: true` only when no such passkey is known here at all: tell the device to forget it then.
     */
    signInByPasskey(body: BodyOf<'signInByPasskey'>, options?: CallOptions): Promise<AnswerOf<'signInByPasskey'>>
    /**
     * Request a sign-in code by mail. The same response for every address, but for those of a domain that requires single sign-on, which are refused: its owner and those who may sign in otherwise are mailed a code even so, for the `flowToken` of the refusal. A code is mailed where the organisation allows it (`signInPolicy.emailCode`); the one before stops working.
     */
    requestEmailCode(body: BodyOf<'requestEmailCode'>, options?: CallOptions): Promise<AnswerOf<'requestEmailCode'>>
    /**
     * Sign in with a mailed code. A code works once, for ten minutes, and is refused after five tries.
     */
    signInByEmailCode(body: BodyOf<'signInByEmailCode'>, options?: CallOptions): Promise<AnswerOf<'signInByEmailCode'>>
    /**
     * Send a code to the user's phone. For a user whose second factor is a phone. The code goes to `POST /v1/auth/login/mfa`.
     */
    sendSignInCode(body: BodyOf<'sendSignInCode'>, options?: CallOptions): Promise<AnswerOf<'sendSignInCode'>>
    /**
     * Get the CSRF token of the session. Every request of the session that changes something sends it as `X-CSRF-Token`.
     */
    getCsrfToken(options?: CallOptions): Promise<AnswerOf<'getCsrfToken'>>
    /**
     * Sign out. Ends the session at once, and removes its cookie.
     */
    signOut(options?: CallOptions): Promise<AnswerOf<'signOut'>>
    /**
     * Ask how an address can sign in. Only the domain of the address decides: the response is the same whether or not there is such an account.
     */
    identify(body: BodyOf<'identify'>, options?: CallOptions): Promise<AnswerOf<'identify'>>
    /**
     * Request a password reset link. The response is the same whether or not there is such an account. The link is mailed if there is one.
     */
    requestPasswordReset(body: BodyOf<'requestPasswordReset'>, options?: CallOptions): Promise<AnswerOf<'requestPasswordReset'>>
    /**
     * Check a password reset link. Says whether a link can still be used and which passwords are accepted, before the user types one.
     */
    checkPasswordResetLink(query: QueryOf<'checkPasswordResetLink'>, options?: CallOptions): Promise<AnswerOf<'checkPasswordResetLink'>>
    /**
     * Reset a password with a mailed link. The link works once. All sessions of the user end.
     */
    resetPassword(body: BodyOf<'resetPassword'>, options?: CallOptions): Promise<AnswerOf<'resetPassword'>>
    /**
     * Verify an e-mail address. Takes the token from the mailed link, which works once.
     */
    verifyEmail(body: BodyOf<'verifyEmail'>, options?: CallOptions): Promise<AnswerOf<'verifyEmail'>>
    /**
     * Accept an invitation. Creates the user, by the link in the mail.
     */
    acceptInvitation(body: BodyOf<'acceptInvitation'>, options?: CallOptions): Promise<AnswerOf<'acceptInvitation'>>
    /**
     * Exchange a token of a platform for a short-lived API key. For workloads that hold a signed identity: CI jobs, Kubernetes service accounts, SPIFFE. The token is one that `federatedCredentials` of the API key name, and for this service. The key works for 15 minutes with the permissions of the API key, and ends with it. Needs the extension `federated_credentials`: without it there is no such address.
     */
    exchangeApiKey(body: BodyOf<'exchangeApiKey'>, options?: CallOptions): Promise<AnswerOf<'exchangeApiKey'>>
  }
  authorizationChecks: {
    /**
     * Check what an application would be issued for a user. Requires the permissions `clients:read` and `users:read`. The scopes and claims that an authorization request would lead to if the user signed in now, and each check that would refuse it. Nothing is issued and nothing changed.
     */
    checkAuthorization(body: BodyOf<'checkAuthorization'>, options?: CallOptions): Promise<AnswerOf<'checkAuthorization'>>
  }
  blockedClientHosts: {
    /**
     * List blocked hosts of applications. Requires the permission `clients:read`. Hosts whose client ID metadata documents are refused.
     */
    list(query?: QueryOf<'listBlockedClientHosts'>, options?: CallOptions): List<AnswerOf<'listBlockedClientHosts'>>
    /**
     * Block a host of applications. Requires the permission `clients:delete`. Revokes every application whose client ID metadata document is of this host, with all its tokens, and refuses others.
     */
    blockClientHost(body: BodyOf<'blockClientHost'>, options?: KeyedCallOptions): Promise<AnswerOf<'blockClientHost'>>
    /**
     * Unblock a host of applications. Requires the permission `clients:delete`. Documents of the host are accepted again. Applications that were revoked stay revoked.
     */
    unblockClientHost(id: string, options?: CallOptions): Promise<AnswerOf<'unblockClientHost'>>
  }
  clients: {
    /**
     * Preview the claims of the tokens of a user. Requires the permissions `clients:read` and `users:read`. What the tokens, UserInfo and introspection would show of a user who signs in now: by a password or, with a linked account, by the identity provider used last. Nothing is signed, and nothing changed.
     */
    previewClaims(id: string, body: BodyOf<'previewClaims'>, options?: CallOptions): Promise<AnswerOf<'previewClaims'>>
    /**
     * List OAuth clients. Requires the permission `clients:read`.
     */
    list(query?: QueryOf<'listClients'>, options?: CallOptions): List<AnswerOf<'listClients'>>
    /**
     * Register an OAuth client. Requires the permission `clients:create`.
     */
    create(body: BodyOf<'createClient'>, options?: KeyedCallOptions): Promise<AnswerOf<'createClient'>>
    /**
     * Get an OAuth client. Requires the permission `clients:read`.
     */
    get(id: string, options?: CallOptions): Promise<AnswerOf<'getClient'>>
    /**
     * Update an OAuth client. Requires the permission `clients:update`.
     */
    update(id: string, body?: BodyOf<'updateClient'>, options?: KeyedCallOptions): Promise<AnswerOf<'updateClient'>>
    /**
     * Delete an OAuth client. Requires the permission `clients:delete`.
     */
    delete(id: string, body?: BodyOf<'deleteClient'>, options?: CallOptions): Promise<AnswerOf<'deleteClient'>>
    /**
     * Count what would end with an OAuth client. Requires the permission `clients:read`. How many users and refresh tokens would be affected if it were revoked or deleted now. Nothing is changed.
     */
    getImpact(id: string, options?: CallOptions): Promise<AnswerOf<'getClientImpact'>>
    /**
     * Compare an OAuth client with the FAPI 2.0 profile. Requires the permission `clients:read`. Which clauses the settings meet, whether the client has the profile or not. What its requests are like is not stored, so the clauses that are not met say what its application has to change. Nothing is changed.
     */
    getProfile(id: string, options?: CallOptions): Promise<AnswerOf<'getClientProfile'>>
    /**
     * Rotate the secret of an OAuth client. Requires the permission `clients:update`.
     */
    rotateSecret(id: string, body?: BodyOf<'rotateClientSecret'>, options?: KeyedCallOptions): Promise<AnswerOf<'rotateClientSecret'>>
    /**
     * Revoke an OAuth client and all its tokens. Requires the permission `clients:delete`.
     */
    revoke(id: string, body?: BodyOf<'revokeClient'>, options?: KeyedCallOptions): Promise<AnswerOf<'revokeClient'>>
    /**
     * Reactivate a revoked OAuth client. Requires the permission `clients:update`.
     */
    activate(id: string, options?: KeyedCallOptions): Promise<AnswerOf<'activateClient'>>
    /**
     * List the logout deliveries to an OAuth client, newest first. Requires the permission `clients:read`. What the client was told of ended sessions (OpenID Connect Back-Channel Logout 1.0), in the last 30 days.
     */
    listLogoutDeliveries(id: string, query?: QueryOf<'listLogoutDeliveries'>, options?: CallOptions): List<AnswerOf<'listLogoutDeliveries'>>
    /**
     * Get a logout delivery with its attempts. Requires the permission `clients:read`.
     */
    getLogoutDelivery(id: string, deliveryId: string, options?: CallOptions): Promise<AnswerOf<'getLogoutDelivery'>>
    /**
     * Replay a logout delivery. Requires the permission `clients:update`. A new delivery, with a `jti` of its own. Needs the extension `backchannel_logout`.
     */
    replayLogoutDelivery(id: string, deliveryId: string, options?: KeyedCallOptions): Promise<AnswerOf<'replayLogoutDelivery'>>
    /**
     * Send a test logout token to an OAuth client. Requires the permission `clients:update`. The token names a session that never was, so no user is signed out. Needs the extension `backchannel_logout`.
     */
    testLogoutDelivery(id: string, options?: KeyedCallOptions): Promise<AnswerOf<'testLogoutDelivery'>>
    /**
     * Which clients have a document that cannot be read. Requires the permission `clients:read`. Clients of the organisation that introduced themselves by a document, and since when it cannot be read any more.
     */
    listFailingClientDocuments(options?: CallOptions): Promise<AnswerOf<'listFailingClientDocuments'>>
    /**
     * Whether the document of a client can be read. Requires the permission `clients:read`. When the client ID metadata document by which the client introduced itself was read last, and since when it cannot be read any more. It is read when a request needs it.
     */
    getDocument(id: string, options?: CallOptions): Promise<AnswerOf<'getClientDocument'>>
    /**
     * List the users who have let an application in. Requires the permission `clients:read`. Who has consented to what, until when, and users whose tokens the application can refresh without their consent. `DELETE /v1/admin/users/{id}/consents/{clientId}` ends one of them.
     */
    listConsents(id: string, query?: QueryOf<'listClientConsents'>, options?: CallOptions): List<AnswerOf<'listClientConsents'>>
  }
  configuration: {
    /**
     * Get the configuration as a document. Requires the permissions `organisation:read` and `roles:read` and `teams:read` and `clients:read` and `connections:read` and `webhooks:read` and `api_keys:read`. Without secrets. Planned against the organisation, it changes nothing. Keys of clients, directories and webhooks are stored if the caller may change these, so that they stay when a name changes. Directories are in it with the permission `directories:read`, resource servers and the authorization servers of others with `resource_servers:read`.
     */
    export(options?: CallOptions): Promise<AnswerOf<'exportConfiguration'>>
    /**
     * Compare the organisation with a document. Requires no permission. Needs the permission to read each section of the document. Nothing is changed.
     */
    compare(body: BodyOf<'compareConfiguration'>, options?: CallOptions): Promise<AnswerOf<'compareConfiguration'>>
    /**
     * Plan what applying a document to the organisation would change. Requires no permission. Needs the permission to read each section of the document, and the permission for each change: each is made and rolled back, and refused as `apply` would refuse it. Nothing is changed.
     */
    plan(body: BodyOf<'planConfiguration'>, options?: CallOptions): Promise<AnswerOf<'planConfiguration'>>
    /**
     * Apply a document to the organisation. Requires no permission. In one transaction. Needs the permission to read each section of the document, and the permission for each change.
     */
    apply(body: BodyOf<'applyConfiguration'>, options?: KeyedCallOptions): Promise<AnswerOf<'applyConfiguration'>>
  }
  connections: {
    /**
     * List connections. Requires the permission `connections:read`.
     */
    list(query?: QueryOf<'listConnections'>, options?: CallOptions): List<AnswerOf<'listConnections'>>
    /**
     * Create a connection. Requires the permission `connections:create`. Needs every permission that any user but the owner holds, those of the roles that it maps and, with `provisioning` `jit`, those of the default role: a connection decides who a user is. An inactive one may be created before its provider has issued a client id.
     */
    create(body: BodyOf<'createConnection'>, options?: KeyedCallOptions): Promise<AnswerOf<'createConnection'>>
    /**
     * Get a connection. Requires the permission `connections:read`.
     */
    get(id: string, options?: CallOptions): Promise<AnswerOf<'getConnection'>>
    /**
     * Update a connection. Requires the permission `connections:update`. A change of isActive to true, configuration, linking, provisioning, mapping, roleMappings, teamMappings, syncOn, trustsMfa, mfaContexts or identityAssertions: needs every permission that any user but the owner holds, those of the roles that it maps and, with `provisioning` `jit`, those of the default role: a connection decides who a user is. Who is not the owner unlinks the accounts of the owner with a change of who proves them, or one by which more of it is believed.
     */
    update(id: string, body?: BodyOf<'updateConnection'>, options?: KeyedCallOptions): Promise<AnswerOf<'updateConnection'>>
    /**
     * Delete a connection. Requires the permission `connections:delete`. Unlinks all accounts, ends the sessions that began with it, and takes away the roles and memberships that only it gave. Users stay.
     */
    delete(id: string, body?: BodyOf<'deleteConnection'>, options?: CallOptions): Promise<AnswerOf<'deleteConnection'>>
    /**
     * Rotate the secret of a connection. Requires the permission `connections:update`. Both secrets are tried during the grace period.
     */
    rotateSecret(id: string, body: BodyOf<'rotateConnectionSecret'>, options?: KeyedCallOptions): Promise<AnswerOf<'rotateConnectionSecret'>>
    /**
     * Rotate the keys of a connection. Requires the permission `connections:update`. Of one with `private_key_jwt` or by SAML. The next key is at `jwksUri` or in our metadata at once; its provider may have read the keys long before. There is one at a time. Where there is no key, as after an import without secrets, the new one signs at once.
     */
    rotateKeys(id: string, body?: BodyOf<'rotateConnectionKeys'>, options?: KeyedCallOptions): Promise<AnswerOf<'rotateConnectionKeys'>>
    /**
     * Refresh a connection. Requires the permission `connections:update`. Reads discovery and keys of the provider now; `errors` say what cannot be read. GitHub has neither. Where metadata bring another certificate, who is not the owner unlinks the accounts of the owner.
     */
    refresh(id: string, options?: KeyedCallOptions): Promise<AnswerOf<'refreshConnection'>>
    /**
     * Test a connection. Requires the permission `connections:read`. The connection need not be active. The page signs in at the provider and shows each check, the claims, and what a sign-in would do, instead of signing the user in. For a signed-in user, in one browser.
     */
    test(id: string, options?: KeyedCallOptions): Promise<AnswerOf<'testConnection'>>
  }
  deliveries: {
    /**
     * List the deliveries to all webhooks, newest first. Requires the permission `webhooks:read`.
     */
    list(query?: QueryOf<'listDeliveries'>, options?: CallOptions): List<AnswerOf<'listDeliveries'>>
  }
  diagnostics: {
    /**
     * List refused OAuth requests, newest first. Requires the permission `clients:read`. Those of the last seven days that named a client of the organisation.
     */
    list(query?: QueryOf<'listDiagnostics'>, options?: CallOptions): List<AnswerOf<'listDiagnostics'>>
    /**
     * Explain a refused OAuth request. Requires the permission `clients:read`.
     */
    get(reference: string, options?: CallOptions): Promise<AnswerOf<'getDiagnostic'>>
    /**
     * Explain a refused OAuth request of any organisation. By the reference on an error page or in a refusal, for seven days.
     */
    getSystemDiagnostic(reference: string, options?: CallOptions): Promise<AnswerOf<'getSystemDiagnostic'>>
  }
  directories: {
    /**
     * List directories. Requires the permission `directories:read`.
     */
    list(query?: QueryOf<'listDirectories'>, options?: CallOptions): List<AnswerOf<'listDirectories'>>
    /**
     * Create a directory. Requires the permission `directories:create`. Needs every permission that any user but the owner holds, and those of the mapped roles and of the default role: a directory decides who a user is. It manages nothing until it has a token.
     */
    create(body: BodyOf<'createDirectory'>, options?: KeyedCallOptions): Promise<AnswerOf<'createDirectory'>>
    /**
     * Get a directory. Requires the permission `directories:read`.
     */
    get(id: string, options?: CallOptions): Promise<AnswerOf<'getDirectory'>>
    /**
     * Update a directory. Requires the permission `directories:update`. A change of isActive to true, groupMappings, userMatch, connectionId or emailChanges to verified_domains: needs every permission that any user but the owner holds, and those of the mapped roles and of the default role: a directory decides who a user is.
     */
    update(id: string, body?: BodyOf<'updateDirectory'>, options?: KeyedCallOptions): Promise<AnswerOf<'updateDirectory'>>
    /**
     * Delete a directory. Requires the permission `directories:delete`. Ends its tokens, and takes the roles and memberships that it alone gave. Users and teams stay.
     */
    delete(id: string, body?: BodyOf<'deleteDirectory'>, options?: CallOptions): Promise<AnswerOf<'deleteDirectory'>>
    /**
     * Show the impact of changing the mappings of a directory. Requires the permission `directories:read`. How many users would gain or lose which role and team. Nothing is changed.
     */
    getImpact(id: string, body?: BodyOf<'getDirectoryImpact'>, options?: CallOptions): Promise<AnswerOf<'getDirectoryImpact'>>
    /**
     * Create a token of a directory. Requires the permission `directories:update`. Needs every permission that any user but the owner holds, and those of the mapped roles and of the default role: a directory decides who a user is. At most two work at a time, so that one can replace the other without a gap.
     */
    createToken(id: string, body?: BodyOf<'createDirectoryToken'>, options?: KeyedCallOptions): Promise<AnswerOf<'createDirectoryToken'>>
    /**
     * End a token of a directory. Requires the permission `directories:update`.
     */
    endToken(id: string, tokenId: string, options?: CallOptions): Promise<AnswerOf<'endDirectoryToken'>>
    /**
     * List the requests of a directory, newest first. Requires the permission `directories:read`. Those of the last seven days that had a valid token, with values masked, except those that were too many (429).
     */
    listRequests(id: string, query?: QueryOf<'listDirectoryRequests'>, options?: CallOptions): List<AnswerOf<'listDirectoryRequests'>>
    /**
     * Try a request of a directory. Requires the permissions `directories:update` and `users:read`. Carries the request out as if the directory had sent it, and rolls it back: the response that it would get, and what would change. Nothing is stored but an audit entry that it was tried.
     */
    tryRequest(id: string, body: BodyOf<'tryDirectoryRequest'>, options?: KeyedCallOptions): Promise<AnswerOf<'tryDirectoryRequest'>>
  }
  doctor: {
    /**
     * Examine the installation. Checks the installation: configuration, `PUBLIC_URL` and its proxy, database, mail, webhooks, keys. Each check says what was seen, why it matters and how to fix it. Changes nothing; may take some seconds.
     */
    examineInstallation(options?: CallOptions): Promise<AnswerOf<'examineInstallation'>>
  }
  domains: {
    /**
     * List domains. Requires the permission `domains:read`.
     */
    list(query?: QueryOf<'listDomains'>, options?: CallOptions): List<AnswerOf<'listDomains'>>
    /**
     * Add a domain. Requires the permission `domains:update`. It takes effect once its `challenge` has been found in the DNS.
     */
    create(body: BodyOf<'createDomain'>, options?: KeyedCallOptions): Promise<AnswerOf<'createDomain'>>
    /**
     * Get a domain. Requires the permission `domains:read`.
     */
    get(id: string, options?: CallOptions): Promise<AnswerOf<'getDomain'>>
    /**
     * Update a domain. Requires the permission `domains:update`.
     */
    update(id: string, body?: BodyOf<'updateDomain'>, options?: KeyedCallOptions): Promise<AnswerOf<'updateDomain'>>
    /**
     * Delete a domain. Requires the permission `domains:update`. Its users sign in as they did before it was added. While it requires single sign-on, that takes every permission that any user but the owner holds.
     */
    delete(id: string, body?: BodyOf<'deleteDomain'>, options?: CallOptions): Promise<AnswerOf<'deleteDomain'>>
    /**
     * Verify a domain. Requires the permission `domains:update`. Looks for the `challenge` in the DNS.
     */
    verify(id: string, options?: KeyedCallOptions): Promise<AnswerOf<'verifyDomain'>>
    /**
     * List the accounts of other organisations in a domain. The accounts that `foreignAccounts` of the domain counts; its administrators see only the number.
     */
    listForeignAccounts(id: string, query?: QueryOf<'listForeignAccounts'>, options?: CallOptions): List<AnswerOf<'listForeignAccounts'>>
  }
  events: {
    /**
     * List the events that a webhook can subscribe to. Requires the permission `webhooks:read`.
     */
    list(query?: QueryOf<'listEvents'>, options?: CallOptions): List<AnswerOf<'listEvents'>>
  }
  invitations: {
    /**
     * List invitations. Requires the permission `invitations:read`.
     */
    list(query?: QueryOf<'listInvitations'>, options?: CallOptions): List<AnswerOf<'listInvitations'>>
    /**
     * Invite a user. Requires the permission `invitations:create`.
     */
    create(body: BodyOf<'createInvitation'>, options?: KeyedCallOptions): Promise<AnswerOf<'createInvitation'>>
    /**
     * Get an invitation. Requires the permission `invitations:read`.
     */
    get(id: string, options?: CallOptions): Promise<AnswerOf<'getInvitation'>>
    /**
     * Cancel a pending invitation. Requires the permission `invitations:delete`.
     */
    cancel(id: string, body?: BodyOf<'cancelInvitation'>, options?: CallOptions): Promise<AnswerOf<'cancelInvitation'>>
    /**
     * Resend a pending invitation. Requires the permission `invitations:create`. With a new link; the former one stops working.
     */
    resend(id: string, options?: KeyedCallOptions): Promise<AnswerOf<'resendInvitation'>>
  }
  me: {
    /**
     * Prove again that it is you. Operations that need a recent sign-in (403 `recent-sign-in-required`) work for the next 15 minutes. A user with a second factor sends a code of it, others the password; both may use a passkey instead.
     */
    reauthenticate(body: BodyOf<'reauthenticate'>, options?: CallOptions): Promise<AnswerOf<'reauthenticate'>>
    /**
     * Start reauthenticating with a passkey. The options are for `navigator.credentials.get()`; they name your passkeys, which must verify you.
     */
    startReauthentication(options?: CallOptions): Promise<AnswerOf<'startReauthentication'>>
    /**
     * Get your second factors. The factors in use, and how many backup codes are left.
     */
    getMfa(options?: CallOptions): Promise<AnswerOf<'getOwnMfa'>>
    /**
     * Start enrolling a second factor. The response depends on the method: the secret of an authenticator app, a code by SMS, or the options for a passkey. A second request with the code or the response of the passkey completes the enrolment.
     */
    startMfaEnrolment(body?: BodyOf<'startMfaEnrolment'>, options?: CallOptions): Promise<AnswerOf<'startMfaEnrolment'>>
    /**
     * Send a code to your phone. For users with a phone as second factor, before an operation that takes a code.
     */
    sendMfaCode(options?: CallOptions): Promise<AnswerOf<'sendMfaCode'>>
    /**
     * Start changing your second factors with a passkey. If passkeys are your second factor, use one instead of a code in requests that change them.
     */
    startFactorChangeByPasskey(options?: CallOptions): Promise<AnswerOf<'startFactorChangeByPasskey'>>
    /**
     * Complete an enrolment with a code. For a passkey, complete it with the passkey.
     */
    completeMfaEnrolment(body: BodyOf<'completeMfaEnrolment'>, options?: CallOptions): Promise<AnswerOf<'completeMfaEnrolment'>>
    /**
     * Check a code. Says whether it would be accepted now. The code is not used up.
     */
    checkMfaCode(body: BodyOf<'checkMfaCode'>, options?: CallOptions): Promise<AnswerOf<'checkMfaCode'>>
    /**
     * Disable MFA. Takes a proof by one of them. If the organisation requires a second factor, the next sign-in begins with enrolling another.
     */
    disableMfa(body: BodyOf<'disableMfa'>, options?: CallOptions): Promise<AnswerOf<'disableMfa'>>
    /**
     * Replace your backup codes. The former ones stop working.
     */
    replaceBackupCodes(body: BodyOf<'replaceBackupCodes'>, options?: CallOptions): Promise<AnswerOf<'replaceBackupCodes'>>
    /**
     * Begin to link an account at an identity provider. Needs a sign-in within the last fifteen minutes. The account is linked once you have signed in there in this browser. If your domain requires single sign-on, you can link only its connection.
     */
    startIdentityLink(body: BodyOf<'startIdentityLink'>, options?: CallOptions): Promise<AnswerOf<'startIdentityLink'>>
    /**
     * List your linked accounts. Accounts at identity providers with which you sign in here.
     */
    listIdentities(query?: QueryOf<'listOwnIdentities'>, options?: CallOptions): List<AnswerOf<'listOwnIdentities'>>
    /**
     * List your passkeys. Each with its password manager, if known, and when it was last used.
     */
    listPasskeys(query?: QueryOf<'listOwnPasskeys'>, options?: CallOptions): List<AnswerOf<'listOwnPasskeys'>>
    /**
     * Register a passkey. You get a mail.
     */
    registerPasskey(body: BodyOf<'registerPasskey'>, options?: CallOptions): Promise<AnswerOf<'registerPasskey'>>
    /**
     * Start registering a passkey. Needs a sign-in within the last fifteen minutes, unless the session has to enrol first.
     */
    startPasskeyRegistration(options?: CallOptions): Promise<AnswerOf<'startPasskeyRegistration'>>
    /**
     * Rename one of your passkeys. Only its name changes, not the passkey itself.
     */
    renamePasskey(id: string, body?: BodyOf<'renameOwnPasskey'>, options?: CallOptions): Promise<AnswerOf<'renameOwnPasskey'>>
    /**
     * Delete one of your passkeys. Needs a sign-in within the last fifteen minutes. You get a mail.
     */
    deletePasskey(id: string, options?: CallOptions): Promise<AnswerOf<'deleteOwnPasskey'>>
    /**
     * Unlink one of your accounts. Needs a sign-in within the last fifteen minutes. Ends your other sessions that began with it.
     */
    unlinkIdentity(id: string, options?: CallOptions): Promise<AnswerOf<'unlinkOwnIdentity'>>
    /**
     * Change your password. Takes the current password, and ends your other sessions.
     */
    changePassword(body: BodyOf<'changeOwnPassword'>, options?: CallOptions): Promise<AnswerOf<'changeOwnPassword'>>
    /**
     * Remove your password. Needs a passkey that signs in, and a sign-in with a passkey within the last fifteen minutes. You get a mail.
     */
    removePassword(options?: CallOptions): Promise<AnswerOf<'removeOwnPassword'>>
    /**
     * Resend the verification mail. A link to confirm your address, if it is not confirmed yet.
     */
    resendVerificationMail(options?: CallOptions): Promise<AnswerOf<'resendVerificationMail'>>
    /**
     * Get your profile. Who is signed in: name, organisation, roles, permissions, and the session.
     */
    getProfile(options?: CallOptions): Promise<AnswerOf<'getOwnProfile'>>
    /**
     * Update your profile. Fields that are not sent stay. Only an administrator can change the address.
     */
    updateProfile(body?: BodyOf<'updateOwnProfile'>, options?: CallOptions): Promise<AnswerOf<'updateOwnProfile'>>
    /**
     * List your active sessions. The browsers and devices on which you are signed in, most recent first.
     */
    listSessions(query?: QueryOf<'listOwnSessions'>, options?: CallOptions): List<AnswerOf<'listOwnSessions'>>
    /**
     * End your other sessions. All but the session of the request.
     */
    endOtherSessions(options?: CallOptions): Promise<AnswerOf<'endOtherSessions'>>
    /**
     * End one of your sessions. Signs that browser or device out at once.
     */
    endSession(id: string, options?: CallOptions): Promise<AnswerOf<'endOwnSession'>>
    /**
     * List your sign-ins and security changes, newest first. From the audit log: only entries about you, without the addresses of others.
     */
    listActivity(query?: QueryOf<'listOwnActivity'>, options?: CallOptions): List<AnswerOf<'listOwnActivity'>>
    /**
     * List the applications that have access to your account. What you have consented to, and applications that can refresh tokens without your consent, with what they were granted.
     */
    listConsents(query?: QueryOf<'listOwnConsents'>, options?: CallOptions): List<AnswerOf<'listOwnConsents'>>
    /**
     * Remove the access of an application. Ends its tokens.
     */
    revokeConsent(clientId: string, options?: CallOptions): Promise<AnswerOf<'revokeOwnConsent'>>
  }
  organisation: {
    /**
     * Get the organisation. Requires no permission.
     */
    get(options?: CallOptions): Promise<AnswerOf<'getOwnOrganisation'>>
    /**
     * Update the organisation. Requires the permission `organisation:update`.
     */
    update(body?: BodyOf<'updateOwnOrganisation'>, options?: KeyedCallOptions): Promise<AnswerOf<'updateOwnOrganisation'>>
    /**
     * Delete the organisation. Requires the permission `organisation:delete`. Only its owner can.
     */
    delete(body?: BodyOf<'deleteOwnOrganisation'>, options?: CallOptions): Promise<AnswerOf<'deleteOwnOrganisation'>>
    /**
     * Upload a logo for the organisation. Requires the permission `organisation:update`. A PNG, JPEG or WebP picture of at most 256 KiB and 2,048 pixels a side. It is served from this service as it is, metadata included, and `branding.logoUrl` becomes its address. A former one is removed.
     */
    setLogo(body: BodyOf<'setOrganisationLogo'>, options?: KeyedCallOptions): Promise<AnswerOf<'setOrganisationLogo'>>
    /**
     * Remove the uploaded logo of the organisation. Requires the permission `organisation:update`. `branding.logoUrl` becomes null if it is the address of that logo.
     */
    deleteLogo(options?: CallOptions): Promise<AnswerOf<'deleteOrganisationLogo'>>
    /**
     * Show the impact of changing settings of the organisation. Requires the permission `organisation:update`. Takes the same body as the PATCH. Nothing is changed.
     */
    getImpact(body?: BodyOf<'getOrganisationImpact'>, options?: CallOptions): Promise<AnswerOf<'getOrganisationImpact'>>
    /**
     * Transfer the ownership. Requires no permission. Only the owner can. All accounts at identity providers are unlinked from the new owner, who links them anew.
     */
    transferOwnership(body: BodyOf<'transferOwnership'>, options?: KeyedCallOptions): Promise<AnswerOf<'transferOwnership'>>
  }
  organisations: {
    /**
     * Create an organisation with its owner. With its default roles. The owner gets a mail with a link to set a password.
     */
    create(body: BodyOf<'createOrganisation'>, options?: CallOptions): Promise<AnswerOf<'createOrganisation'>>
    /**
     * List organisations. All of this installation, in any status.
     */
    list(query?: QueryOf<'listOrganisations'>, options?: CallOptions): List<AnswerOf<'listOrganisations'>>
    /**
     * Get an organisation. In any status, with its settings.
     */
    get(id: string, options?: CallOptions): Promise<AnswerOf<'getOrganisation'>>
    /**
     * Delete an organisation. It is cancelled: its users cannot sign in any more, and it is purged after the retention time.
     */
    delete(id: string, options?: CallOptions): Promise<AnswerOf<'deleteOrganisation'>>
    /**
     * Suspend an organisation. Its sessions end. Its tokens are refused and its users cannot sign in until it is activated again.
     */
    suspend(id: string, body: BodyOf<'suspendOrganisation'>, options?: KeyedCallOptions): Promise<AnswerOf<'suspendOrganisation'>>
    /**
     * Activate an organisation. Ends a trial or a suspension.
     */
    activate(id: string, options?: KeyedCallOptions): Promise<AnswerOf<'activateOrganisation'>>
    /**
     * Restore an organisation. Reverts its cancellation, as long as its data has not been purged. It gets its former status back; its users sign in anew.
     */
    restore(id: string, options?: KeyedCallOptions): Promise<AnswerOf<'restoreOrganisation'>>
    /**
     * Export an organisation. Everything stored about it, without secrets.
     */
    export(id: string, options?: CallOptions): Promise<AnswerOf<'exportOrganisation'>>
    /**
     * Find a user of an organisation by e-mail address. If there is one, the audit log of the organisation records `user.looked_up`.
     */
    findUsers(id: string, query: QueryOf<'findOrganisationUsers'>, options?: CallOptions): List<AnswerOf<'findOrganisationUsers'>>
    /**
     * Recover a user who cannot sign in. For users whom no administrator of the organisation can help, above all its owner. The audit log of the organisation records what was done, and the user gets a mail, except of the end of a block in whose place another begins.
     */
    recoverUser(id: string, userId: string, body?: BodyOf<'recoverUser'>, options?: KeyedCallOptions): Promise<AnswerOf<'recoverUser'>>
    /**
     * Erase the personal data of a user. Only the id stays in the audit log, and the e-mail address becomes available again. It cannot be undone.
     */
    eraseUser(id: string, userId: string, options?: KeyedCallOptions): Promise<AnswerOf<'eraseUser'>>
    /**
     * Transfer the ownership of an organisation. For an organisation whose owner can no longer do so. The new and the former owner get a mail. All accounts at identity providers are unlinked from the new owner.
     */
    transferOwnership(id: string, body: BodyOf<'transferOrganisationOwnership'>, options?: KeyedCallOptions): Promise<AnswerOf<'transferOrganisationOwnership'>>
  }
  permissionChecks: {
    /**
     * Check whether users may use permissions, and why. Requires the permissions `users:read` and `roles:read`. Takes one check, or up to 100 as `checks`. Nothing is changed.
     */
    checkPermissions(body: BodyOf<'checkPermissions'>, options?: CallOptions): Promise<AnswerOf<'checkPermissions'>>
  }
  permissions: {
    /**
     * List permissions. Requires the permission `users:read`.
     */
    list(query?: QueryOf<'listPermissions'>, options?: CallOptions): List<AnswerOf<'listPermissions'>>
    /**
     * List all permissions. The built-in ones and those that were added.
     */
    listAll(query?: QueryOf<'listAllPermissions'>, options?: CallOptions): List<AnswerOf<'listAllPermissions'>>
    /**
     * Add a permission. For your own API: roles of every organisation can hold it from then on.
     */
    create(body: BodyOf<'createPermission'>, options?: KeyedCallOptions): Promise<AnswerOf<'createPermission'>>
    /**
     * Remove a permission from the catalogue, roles and API keys. The service's own permissions cannot be removed. Tokens with the permission stay valid until they expire.
     */
    delete(id: string, options?: CallOptions): Promise<AnswerOf<'deletePermission'>>
  }
  registrationTokens: {
    /**
     * List registration tokens. Requires the permission `clients:read`. Those that no administrator has ended, also when they have expired or are used up.
     */
    list(query?: QueryOf<'listRegistrationTokens'>, options?: CallOptions): List<AnswerOf<'listRegistrationTokens'>>
    /**
     * Create a registration token. Requires the permission `clients:create`. With the token, a program registers OAuth clients in the organisation by itself, at /oauth2/register (RFC 7591). Needs the extension `dynamic_registration`.
     */
    create(body?: BodyOf<'createRegistrationToken'>, options?: KeyedCallOptions): Promise<AnswerOf<'createRegistrationToken'>>
    /**
     * End a registration token. Requires the permission `clients:delete`. It registers no client any more. Clients that were registered by it stay.
     */
    end(id: string, body?: BodyOf<'endRegistrationToken'>, options?: CallOptions): Promise<AnswerOf<'endRegistrationToken'>>
  }
  resourceAuthorizationServers: {
    /**
     * List resource authorization servers. Requires the permission `resource_servers:read`.
     */
    list(query?: QueryOf<'listResourceAuthorizationServers'>, options?: CallOptions): List<AnswerOf<'listResourceAuthorizationServers'>>
    /**
     * Register a resource authorization server. Requires the permission `resource_servers:create`. An authorization server of another company, which takes identity assertions of this organisation. Its grants say which client may do what there, and for whom.
     */
    create(body: BodyOf<'createResourceAuthorizationServer'>, options?: KeyedCallOptions): Promise<AnswerOf<'createResourceAuthorizationServer'>>
    /**
     * Get a resource authorization server. Requires the permission `resource_servers:read`.
     */
    get(id: string, options?: CallOptions): Promise<AnswerOf<'getResourceAuthorizationServer'>>
    /**
     * Update a resource authorization server. Requires the permission `resource_servers:update`. Lists that are sent replace those before. Assertions that were issued before stay valid for their few minutes.
     */
    update(id: string, body?: BodyOf<'updateResourceAuthorizationServer'>, options?: KeyedCallOptions): Promise<AnswerOf<'updateResourceAuthorizationServer'>>
    /**
     * Delete a resource authorization server. Requires the permission `resource_servers:delete`.
     */
    delete(id: string, body?: BodyOf<'deleteResourceAuthorizationServer'>, options?: CallOptions): Promise<AnswerOf<'deleteResourceAuthorizationServer'>>
  }
  resourceServers: {
    /**
     * List resource servers. Requires the permission `resource_servers:read`.
     */
    list(query?: QueryOf<'listResourceServers'>, options?: CallOptions): List<AnswerOf<'listResourceServers'>>
    /**
     * Register a resource server. Requires the permission `resource_servers:create`. An API that access tokens can be issued for, once clients may ask for it.
     */
    create(body: BodyOf<'createResourceServer'>, options?: KeyedCallOptions): Promise<AnswerOf<'createResourceServer'>>
    /**
     * Get a resource server. Requires the permission `resource_servers:read`.
     */
    get(id: string, options?: CallOptions): Promise<AnswerOf<'getResourceServer'>>
    /**
     * Update a resource server. Requires the permission `resource_servers:update`. Setting isActive to false ends all its access tokens for good.
     */
    update(id: string, body?: BodyOf<'updateResourceServer'>, options?: KeyedCallOptions): Promise<AnswerOf<'updateResourceServer'>>
    /**
     * Delete a resource server. Requires the permission `resource_servers:delete`. Ends its access tokens, and takes it from the clients that may ask for it. Refused while it is the default of one.
     */
    delete(id: string, body?: BodyOf<'deleteResourceServer'>, options?: CallOptions): Promise<AnswerOf<'deleteResourceServer'>>
    /**
     * Get the metadata that a resource server publishes. Requires the permission `resource_servers:read`. The document of OAuth 2.0 Protected Resource Metadata (RFC 9728) and the header that leads clients to it. The resource server itself has to serve both.
     */
    getMetadata(id: string, options?: CallOptions): Promise<AnswerOf<'getResourceServerMetadata'>>
    /**
     * Check an MCP server. Requires the permission `resource_servers:create`. Asks the server at an address what clients of the Model Context Protocol ask it before they have a token, and says whether its answers lead them here. Changes nothing.
     */
    checkMcpServer(body: BodyOf<'checkMcpServer'>, options?: KeyedCallOptions): Promise<AnswerOf<'checkMcpServer'>>
  }
  roles: {
    /**
     * List roles. Requires the permission `roles:read`.
     */
    list(query?: QueryOf<'listRoles'>, options?: CallOptions): List<AnswerOf<'listRoles'>>
    /**
     * Create a role. Requires the permission `roles:create`.
     */
    create(body: BodyOf<'createRole'>, options?: KeyedCallOptions): Promise<AnswerOf<'createRole'>>
    /**
     * Get a role. Requires the permission `roles:read`.
     */
    get(id: string, options?: CallOptions): Promise<AnswerOf<'getRole'>>
    /**
     * Update a role. Requires the permission `roles:update`.
     */
    update(id: string, body?: BodyOf<'updateRole'>, options?: KeyedCallOptions): Promise<AnswerOf<'updateRole'>>
    /**
     * Delete a role. Requires the permission `roles:delete`.
     */
    delete(id: string, body?: BodyOf<'deleteRole'>, options?: CallOptions): Promise<AnswerOf<'deleteRole'>>
    /**
     * Show the impact of changing or deleting a role. Requires the permission `roles:read`. Nothing is changed.
     */
    getImpact(id: string, body?: BodyOf<'getRoleImpact'>, options?: CallOptions): Promise<AnswerOf<'getRoleImpact'>>
  }
  search: {
    /**
     * Find records of any kind. Requires no permission. Users, teams, roles, clients, webhooks, connections, domains, directories, set-up links, resource servers and API keys, of the kinds that the caller may read: first those with this id or e-mail address, then those that begin with the text, then, if there is room, those that contain it.
     */
    search(query: QueryOf<'search'>, options?: CallOptions): Promise<AnswerOf<'search'>>
  }
  service: {
    /**
     * Get what the operator has set up. What a program that guides a user needs to know about the service: where mail goes, the issuer, what is allowed. No secrets.
     */
    getSettings(options?: CallOptions): Promise<AnswerOf<'getServiceSettings'>>
  }
  setupLinks: {
    /**
     * List set-up links. Requires no permission. Needs `connections:create` for `oidc` and `saml`, `domains:update` for `domain`, `directories:create` for `scim`: other links are left out. They are removed 90 days after their end.
     */
    list(query?: QueryOf<'listSetupLinks'>, options?: CallOptions): List<AnswerOf<'listSetupLinks'>>
    /**
     * Create a set-up link. Requires no permission. Needs `connections:create` for `oidc` and `saml`, `domains:update` for `domain`, `directories:create` for `scim`, and, but for `domain` alone, every permission that any user but the owner holds or that what it makes gives. The link works while its creator has them.
     */
    create(body: BodyOf<'createSetupLink'>, options?: KeyedCallOptions): Promise<AnswerOf<'createSetupLink'>>
    /**
     * Activate what a set-up link has made. Requires no permission. Needs `connections:create` for `oidc` and `saml`, `domains:update` for `domain`, `directories:create` for `scim`, `connections:update` for a connection and `directories:update` for a directory, and what activating them takes. The domain gets the connection, with the `sso` of the link, unless an administrator has put it into use since.
     */
    activate(id: string, options?: KeyedCallOptions): Promise<AnswerOf<'activateSetupLink'>>
    /**
     * End a set-up link. Requires no permission. Needs `connections:create` for `oidc` and `saml`, `domains:update` for `domain`, `directories:create` for `scim`. It stops working with its next request; what was made by it stays.
     */
    delete(id: string, body?: BodyOf<'deleteSetupLink'>, options?: CallOptions): Promise<AnswerOf<'deleteSetupLink'>>
  }
  signInChecks: {
    /**
     * Check why a user cannot sign in. Requires the permission `users:read`. Each step that a sign-in with the address would take now, by every way or by one connection, and how to fix it. Nothing is issued; the audit log records the check.
     */
    checkSignIn(body: BodyOf<'checkSignIn'>, options?: CallOptions): Promise<AnswerOf<'checkSignIn'>>
    /**
     * Check why a user of any organisation cannot sign in. The same for the operator, in any organisation. The organisation's audit log records the check.
     */
    checkSignInAnywhere(body: BodyOf<'checkSignInAnywhere'>, options?: KeyedCallOptions): Promise<AnswerOf<'checkSignInAnywhere'>>
  }
  signIns: {
    /**
     * Show a sign-in from its first request to its end. Requires the permission `audit:read`. Audit entries, sessions and diagnostics name their sign-in as `signInId`. Records that are stored for a shorter time than the audit log, such as codes and refusals, are missing once they are deleted.
     */
    get(id: string, options?: CallOptions): Promise<AnswerOf<'getSignIn'>>
  }
  signingKeys: {
    /**
     * List the published signing keys. Keys that sign, will sign or have signed tokens that are still valid.
     */
    list(query?: QueryOf<'listSigningKeys'>, options?: CallOptions): List<AnswerOf<'listSigningKeys'>>
    /**
     * Rotate the signing keys. Makes the next key of each algorithm: it is published now, and signs in 15 minutes, once all receivers have had time to fetch it. Tokens of the former one stay valid until they expire, unless it is withdrawn.
     */
    rotate(body?: BodyOf<'rotateSigningKeys'>, options?: KeyedCallOptions): Promise<AnswerOf<'rotateSigningKeys'>>
  }
  statistics: {
    /**
     * Count the records of the organisation. Requires no permission. Groups for which the caller lacks the permission are left out. From 5,000 users on, the numbers of users and sessions may be a minute old: `asOf` says when they were counted.
     */
    get(options?: CallOptions): Promise<AnswerOf<'getStatistics'>>
    /**
     * Count sign-ins by hour or day. Requires the permission `users:read`. Whole hours of up to 31 days, or whole days of up to 366; those of the last 400 days are stored. A user who signs in twice within a bucket counts once in its `users`, so these do not add up: a day has fewer users than its hours together. Attempts that a limit refuses unchecked are not counted, nor are those for unknown addresses.
     */
    getSignInStatistics(query?: QueryOf<'getSignInStatistics'>, options?: CallOptions): Promise<AnswerOf<'getSignInStatistics'>>
  }
  teams: {
    /**
     * List teams with their members. Requires the permission `teams:read`.
     */
    list(query?: QueryOf<'listTeams'>, options?: CallOptions): List<AnswerOf<'listTeams'>>
    /**
     * Create a team. Requires the permission `teams:create`.
     */
    create(body: BodyOf<'createTeam'>, options?: KeyedCallOptions): Promise<AnswerOf<'createTeam'>>
    /**
     * Get a team with its members. Requires the permission `teams:read`.
     */
    get(id: string, query?: QueryOf<'getTeam'>, options?: CallOptions): Promise<AnswerOf<'getTeam'>>
    /**
     * Update a team. Requires the permission `teams:update`.
     */
    update(id: string, body?: BodyOf<'updateTeam'>, options?: KeyedCallOptions): Promise<AnswerOf<'updateTeam'>>
    /**
     * Delete a team. Requires the permission `teams:delete`. Its members stay users of the organisation.
     */
    delete(id: string, body?: BodyOf<'deleteTeam'>, options?: CallOptions): Promise<AnswerOf<'deleteTeam'>>
    /**
     * List the members of a team. Requires the permission `teams:read`. In the order in which the users were created, without deleted ones.
     */
    listMembers(id: string, query?: QueryOf<'listTeamMembers'>, options?: CallOptions): List<AnswerOf<'listTeamMembers'>>
    /**
     * Add a user to a team. Requires the permission `teams:update`.
     */
    addMember(id: string, body: BodyOf<'addTeamMember'>, options?: KeyedCallOptions): Promise<AnswerOf<'addTeamMember'>>
    /**
     * Remove a user from a team. Requires the permission `teams:update`. A user whom a connection or directory also puts into the team stays a member: `message` and `remainingSources` then name it. Only it can remove them.
     */
    removeMember(id: string, body: BodyOf<'removeTeamMember'>, options?: CallOptions): Promise<AnswerOf<'removeTeamMember'>>
  }
  users: {
    /**
     * Send a user a password reset link. Requires the permission `users:update`.
     */
    sendPasswordResetLink(id: string, options?: KeyedCallOptions): Promise<AnswerOf<'sendPasswordResetLink'>>
    /**
     * List the active sessions of a user. Requires the permission `users:read`.
     */
    listSessions(id: string, query?: QueryOf<'listUserSessions'>, options?: CallOptions): List<AnswerOf<'listUserSessions'>>
    /**
     * End all sessions of a user. Requires the permission `users:update`.
     */
    endSessions(id: string, options?: CallOptions): Promise<AnswerOf<'endUserSessions'>>
    /**
     * End one session of a user. Requires the permission `users:update`. Applications keep their tokens, as when the user ends it: ending all sessions ends those, too.
     */
    endSession(id: string, sessionId: string, options?: CallOptions): Promise<AnswerOf<'endUserSession'>>
    /**
     * List users. Requires the permission `users:read`.
     */
    list(query?: QueryOf<'listUsers'>, options?: CallOptions): List<AnswerOf<'listUsers'>>
    /**
     * Create a user. Requires the permission `users:create`.
     */
    create(body: BodyOf<'createUser'>, options?: KeyedCallOptions): Promise<AnswerOf<'createUser'>>
    /**
     * Export users. Requires the permission `users:read`. All users that the list shows with the same filters, in the same order, as a stream.
     */
    export(query?: QueryOf<'exportUsers'>, options?: CallOptions): Promise<Response>
    /**
     * Get a user. Requires the permission `users:read`.
     */
    get(id: string, options?: CallOptions): Promise<AnswerOf<'getUser'>>
    /**
     * Update a user. Requires the permission `users:update`.
     */
    update(id: string, body?: BodyOf<'updateUser'>, options?: KeyedCallOptions): Promise<AnswerOf<'updateUser'>>
    /**
     * Delete a user. Requires the permission `users:delete`.
     */
    delete(id: string, body?: BodyOf<'deleteUser'>, options?: CallOptions): Promise<AnswerOf<'deleteUser'>>
    /**
     * Count what would end with the access of a user. Requires the permission `users:read`. How many sessions would end if the user were blocked or deleted, or if all their sessions were ended now, and how many applications would lose their tokens. Nothing is changed.
     */
    getImpact(id: string, options?: CallOptions): Promise<AnswerOf<'getUserImpact'>>
    /**
     * Restore a deleted user. Requires the permission `users:create`. With roles, teams, password and second factors, but signed out and without linked accounts. `GET /v1/admin/users?status=deleted` lists who can be restored. A user who is not deleted stays as it is.
     */
    restore(id: string, options?: KeyedCallOptions): Promise<AnswerOf<'restoreUser'>>
    /**
     * Unlock a user. Requires the permission `users:update`. Forgets the failed sign-ins and wrong codes of a user, who can sign in again at once. `lockedUntil` says whether a user is locked; for one who is not, nothing is recorded.
     */
    unlock(id: string, options?: CallOptions): Promise<AnswerOf<'unlockUser'>>
    /**
     * Assign a role to a user. Requires the permission `users:update`.
     */
    assignRole(id: string, body: BodyOf<'assignRole'>, options?: KeyedCallOptions): Promise<AnswerOf<'assignRole'>>
    /**
     * Remove a role from a user. Requires the permission `users:update`. A role that a connection or directory also gives stays: `message` and `remainingSources` then name it. Only it can take the role away.
     */
    unassignRole(id: string, body: BodyOf<'unassignRole'>, options?: CallOptions): Promise<AnswerOf<'unassignRole'>>
    /**
     * List the passkeys of a user. Requires the permission `users:read`.
     */
    listPasskeys(id: string, query?: QueryOf<'listUserPasskeys'>, options?: CallOptions): List<AnswerOf<'listUserPasskeys'>>
    /**
     * Delete a passkey of a user. Requires the permission `users:update`. Ends the user's sessions; the user gets a mail. Only the owner can delete the owner's passkeys.
     */
    deletePasskey(id: string, passkeyId: string, options?: CallOptions): Promise<AnswerOf<'deleteUserPasskey'>>
    /**
     * List the linked accounts of a user. Requires the permission `users:read`.
     */
    listIdentities(id: string, query?: QueryOf<'listUserIdentities'>, options?: CallOptions): List<AnswerOf<'listUserIdentities'>>
    /**
     * Unlink an account of a user. Requires the permission `users:update`. Ends the sessions that began with it. Only the owner can unlink the owner's accounts.
     */
    unlinkIdentity(id: string, identityId: string, body?: BodyOf<'unlinkUserIdentity'>, options?: CallOptions): Promise<AnswerOf<'unlinkUserIdentity'>>
    /**
     * List the permissions of a user with the roles that give them. Requires the permissions `users:read` and `roles:read`.
     */
    listPermissions(id: string, query?: QueryOf<'listUserPermissions'>, options?: CallOptions): List<AnswerOf<'listUserPermissions'>>
    /**
     * List the applications that have access to the account of a user. Requires the permission `users:read`. What the user has consented to, and applications that can refresh tokens without consent, with what they were granted.
     */
    listConsents(id: string, query?: QueryOf<'listUserConsents'>, options?: CallOptions): List<AnswerOf<'listUserConsents'>>
    /**
     * Remove the access of an application to the account of a user. Requires the permission `users:update`. Ends the tokens that the application has for the user.
     */
    revokeConsent(id: string, clientId: string, options?: CallOptions): Promise<AnswerOf<'revokeUserConsent'>>
  }
  webhooks: {
    /**
     * List webhooks. Requires the permission `webhooks:read`.
     */
    list(query?: QueryOf<'listWebhooks'>, options?: CallOptions): List<AnswerOf<'listWebhooks'>>
    /**
     * Create a webhook. Requires the permission `webhooks:create`.
     */
    create(body: BodyOf<'createWebhook'>, options?: KeyedCallOptions): Promise<AnswerOf<'createWebhook'>>
    /**
     * Get a webhook. Requires the permission `webhooks:read`.
     */
    get(id: string, options?: CallOptions): Promise<AnswerOf<'getWebhook'>>
    /**
     * Update a webhook. Requires the permission `webhooks:update`.
     */
    update(id: string, body?: BodyOf<'updateWebhook'>, options?: KeyedCallOptions): Promise<AnswerOf<'updateWebhook'>>
    /**
     * Delete a webhook and its deliveries. Requires the permission `webhooks:delete`.
     */
    delete(id: string, body?: BodyOf<'deleteWebhook'>, options?: CallOptions): Promise<AnswerOf<'deleteWebhook'>>
    /**
     * Rotate the secret of a webhook. Requires the permission `webhooks:update`.
     */
    rotateSecret(id: string, body?: BodyOf<'rotateWebhookSecret'>, options?: KeyedCallOptions): Promise<AnswerOf<'rotateWebhookSecret'>>
    /**
     * Send a test event to a webhook. Requires the permission `webhooks:update`.
     */
    test(id: string, options?: KeyedCallOptions): Promise<AnswerOf<'testWebhook'>>
    /**
     * Send a test event with a chosen name to a webhook. Requires the permission `webhooks:update`.
     */
    sendTestEvent(body: BodyOf<'sendTestEvent'>, options?: KeyedCallOptions): Promise<AnswerOf<'sendTestEvent'>>
    /**
     * Count the deliveries to a webhook by hour or day. Requires the permission `webhooks:read`. Whole hours of up to 31 days, or whole days of up to 90; those of the last 90 days are stored. A delivery counts when it ended, and the percentiles are exact to a tenth. Deliveries are counted by hours of UTC: in a time zone that is half an hour off, a delivery counts with the hour in which its UTC hour begins.
     */
    getStatistics(id: string, query?: QueryOf<'getWebhookStatistics'>, options?: CallOptions): Promise<AnswerOf<'getWebhookStatistics'>>
    /**
     * List the deliveries to a webhook, newest first. Requires the permission `webhooks:read`.
     */
    listDeliveries(id: string, query?: QueryOf<'listWebhookDeliveries'>, options?: CallOptions): List<AnswerOf<'listWebhookDeliveries'>>
    /**
     * Get a delivery with its attempts. Requires the permission `webhooks:read`.
     */
    getDelivery(id: string, deliveryId: string, options?: CallOptions): Promise<AnswerOf<'getWebhookDelivery'>>
    /**
     * Replay a delivery. Requires the permission `webhooks:update`.
     */
    replayDelivery(id: string, deliveryId: string, options?: KeyedCallOptions): Promise<AnswerOf<'replayDelivery'>>
    /**
     * Replay the deliveries of a time range. Requires the permission `webhooks:update`.
     */
    replayDeliveries(id: string, body: BodyOf<'replayDeliveries'>, options?: KeyedCallOptions): Promise<AnswerOf<'replayDeliveries'>>
  }
}

/** How each is sent: method and path, then what the first argument after the ids is, or how the response is read. */
export const ways = {
  apiKeys: {
    list: 'GET /v1/admin/api-keys list',
    create: 'POST /v1/admin/api-keys body',
    get: 'GET /v1/admin/api-keys/{id}',
    update: 'PATCH /v1/admin/api-keys/{id} body',
    delete: 'DELETE /v1/admin/api-keys/{id} body',
  },
  assertionChecks: {
    checkAssertion: 'POST /v1/admin/assertion-checks body',
  },
  auditLogs: {
    list: 'GET /v1/admin/audit-logs list',
    export: 'GET /v1/admin/audit-logs/export stream',
    listActions: 'GET /v1/admin/audit-logs/actions list',
    get: 'GET /v1/admin/audit-logs/{id}',
    undo: 'POST /v1/admin/audit-logs/{id}/undo query',
  },
  auth: {
    signIn: 'POST /v1/auth/login body',
    completeSignIn: 'POST /v1/auth/login/mfa body',
    startSecondFactorByPasskey: 'POST /v1/auth/login/mfa/passkey/options body',
    startPasskeySignIn: 'POST /v1/auth/passkey/options',
    signInByPasskey: 'POST /v1/auth/passkey body',
    requestEmailCode: 'POST /v1/auth/email-code body',
    signInByEmailCode: 'POST /v1/auth/email-code/verify body',
    sendSignInCode: 'POST /v1/auth/login/mfa/code body',
    getCsrfToken: 'GET /v1/auth/csrf',
    signOut: 'POST /v1/auth/logout',
    identify: 'POST /v1/auth/identify body',
    requestPasswordReset: 'POST /v1/auth/password/forgot body',
    checkPasswordResetLink: 'GET /v1/auth/password/reset query',
    resetPassword: 'POST /v1/auth/password/reset body',
    verifyEmail: 'POST /v1/auth/email/verify body',
    acceptInvitation: 'POST /v1/auth/invitations/accept body',
    exchangeApiKey: 'POST /v1/auth/api-keys/exchange body',
  },
  authorizationChecks: {
    checkAuthorization: 'POST /v1/admin/authorization-checks body',
  },
  blockedClientHosts: {
    list: 'GET /v1/admin/blocked-client-hosts list',
    blockClientHost: 'POST /v1/admin/blocked-client-hosts body',
    unblockClientHost: 'DELETE /v1/admin/blocked-client-hosts/{id}',
  },
  clients: {
    previewClaims: 'POST /v1/admin/clients/{id}/claims/preview body',
    list: 'GET /v1/admin/clients list',
    create: 'POST /v1/admin/clients body',
    get: 'GET /v1/admin/clients/{id}',
    update: 'PATCH /v1/admin/clients/{id} body',
    delete: 'DELETE /v1/admin/clients/{id} body',
    getImpact: 'GET /v1/admin/clients/{id}/impact',
    getProfile: 'GET /v1/admin/clients/{id}/profile',
    rotateSecret: 'POST /v1/admin/clients/{id}/rotate-secret body',
    revoke: 'POST /v1/admin/clients/{id}/revoke body',
    activate: 'POST /v1/admin/clients/{id}/activate',
    listLogoutDeliveries: 'GET /v1/admin/clients/{id}/logout-deliveries list',
    getLogoutDelivery: 'GET /v1/admin/clients/{id}/logout-deliveries/{deliveryId}',
    replayLogoutDelivery: 'POST /v1/admin/clients/{id}/logout-deliveries/{deliveryId}/replay',
    testLogoutDelivery: 'POST /v1/admin/clients/{id}/logout-deliveries/test',
    listFailingClientDocuments: 'GET /v1/admin/clients/failing-documents',
    getDocument: 'GET /v1/admin/clients/{id}/document',
    listConsents: 'GET /v1/admin/clients/{id}/consents list',
  },
  configuration: {
    export: 'GET /v1/admin/configuration',
    compare: 'POST /v1/admin/configuration/diff body',
    plan: 'POST /v1/admin/configuration/plan body',
    apply: 'POST /v1/admin/configuration/apply body',
  },
  connections: {
    list: 'GET /v1/admin/connections list',
    create: 'POST /v1/admin/connections body',
    get: 'GET /v1/admin/connections/{id}',
    update: 'PATCH /v1/admin/connections/{id} body',
    delete: 'DELETE /v1/admin/connections/{id} body',
    rotateSecret: 'POST /v1/admin/connections/{id}/rotate-secret body',
    rotateKeys: 'POST /v1/admin/connections/{id}/rotate-keys body',
    refresh: 'POST /v1/admin/connections/{id}/refresh',
    test: 'POST /v1/admin/connections/{id}/test',
  },
  deliveries: {
    list: 'GET /v1/admin/deliveries list',
  },
  diagnostics: {
    list: 'GET /v1/admin/diagnostics list',
    get: 'GET /v1/admin/diagnostics/{reference}',
    getSystemDiagnostic: 'GET /v1/system/diagnostics/{reference}',
  },
  directories: {
    list: 'GET /v1/admin/directories list',
    create: 'POST /v1/admin/directories body',
    get: 'GET /v1/admin/directories/{id}',
    update: 'PATCH /v1/admin/directories/{id} body',
    delete: 'DELETE /v1/admin/directories/{id} body',
    getImpact: 'POST /v1/admin/directories/{id}/impact body',
    createToken: 'POST /v1/admin/directories/{id}/tokens body',
    endToken: 'DELETE /v1/admin/directories/{id}/tokens/{tokenId}',
    listRequests: 'GET /v1/admin/directories/{id}/requests list',
    tryRequest: 'POST /v1/admin/directories/{id}/requests/try body',
  },
  doctor: {
    examineInstallation: 'GET /v1/system/doctor',
  },
  domains: {
    list: 'GET /v1/admin/domains list',
    create: 'POST /v1/admin/domains body',
    get: 'GET /v1/admin/domains/{id}',
    update: 'PATCH /v1/admin/domains/{id} body',
    delete: 'DELETE /v1/admin/domains/{id} body',
    verify: 'POST /v1/admin/domains/{id}/verify',
    listForeignAccounts: 'GET /v1/system/domains/{id}/foreign-accounts list',
  },
  events: {
    list: 'GET /v1/admin/events list',
  },
  invitations: {
    list: 'GET /v1/admin/invitations list',
    create: 'POST /v1/admin/invitations body',
    get: 'GET /v1/admin/invitations/{id}',
    cancel: 'DELETE /v1/admin/invitations/{id} body',
    resend: 'POST /v1/admin/invitations/{id}/resend',
  },
  me: {
    reauthenticate: 'POST /v1/me/reauthenticate body',
    startReauthentication: 'POST /v1/me/reauthenticate/options',
    getMfa: 'GET /v1/me/mfa',
    startMfaEnrolment: 'POST /v1/me/mfa/enable body',
    sendMfaCode: 'POST /v1/me/mfa/code',
    startFactorChangeByPasskey: 'POST /v1/me/mfa/passkey/options',
    completeMfaEnrolment: 'POST /v1/me/mfa/verify body',
    checkMfaCode: 'POST /v1/me/mfa/check body',
    disableMfa: 'POST /v1/me/mfa/disable body',
    replaceBackupCodes: 'POST /v1/me/mfa/backup-codes body',
    startIdentityLink: 'POST /v1/me/identities body',
    listIdentities: 'GET /v1/me/identities list',
    listPasskeys: 'GET /v1/me/passkeys list',
    registerPasskey: 'POST /v1/me/passkeys body',
    startPasskeyRegistration: 'POST /v1/me/passkeys/options',
    renamePasskey: 'PATCH /v1/me/passkeys/{id} body',
    deletePasskey: 'DELETE /v1/me/passkeys/{id}',
    unlinkIdentity: 'DELETE /v1/me/identities/{id}',
    changePassword: 'POST /v1/me/password body',
    removePassword: 'DELETE /v1/me/password',
    resendVerificationMail: 'POST /v1/me/email/verification',
    getProfile: 'GET /v1/me/profile',
    updateProfile: 'PATCH /v1/me/profile body',
    listSessions: 'GET /v1/me/sessions list',
    endOtherSessions: 'DELETE /v1/me/sessions',
    endSession: 'DELETE /v1/me/sessions/{id}',
    listActivity: 'GET /v1/me/activity list',
    listConsents: 'GET /v1/me/consents list',
    revokeConsent: 'DELETE /v1/me/consents/{clientId}',
  },
  organisation: {
    get: 'GET /v1/admin/organisation',
    update: 'PATCH /v1/admin/organisation body',
    delete: 'DELETE /v1/admin/organisation body',
    setLogo: 'POST /v1/admin/organisation/logo body',
    deleteLogo: 'DELETE /v1/admin/organisation/logo',
    getImpact: 'POST /v1/admin/organisation/impact body',
    transferOwnership: 'POST /v1/admin/organisation/transfer-ownership body',
  },
  organisations: {
    create: 'POST /v1/organisations body',
    list: 'GET /v1/system/organisations list',
    get: 'GET /v1/system/organisations/{id}',
    delete: 'DELETE /v1/system/organisations/{id}',
    suspend: 'PATCH /v1/system/organisations/{id}/suspend body',
    activate: 'PATCH /v1/system/organisations/{id}/activate',
    restore: 'POST /v1/system/organisations/{id}/restore',
    export: 'GET /v1/system/organisations/{id}/export',
    findUsers: 'GET /v1/system/organisations/{id}/users list',
    recoverUser: 'POST /v1/system/organisations/{id}/users/{userId}/recover body',
    eraseUser: 'POST /v1/system/organisations/{id}/users/{userId}/erase',
    transferOwnership: 'POST /v1/system/organisations/{id}/transfer-ownership body',
  },
  permissionChecks: {
    checkPermissions: 'POST /v1/admin/permission-checks body',
  },
  permissions: {
    list: 'GET /v1/admin/permissions list',
    listAll: 'GET /v1/system/permissions list',
    create: 'POST /v1/system/permissions body',
    delete: 'DELETE /v1/system/permissions/{id}',
  },
  registrationTokens: {
    list: 'GET /v1/admin/registration-tokens list',
    create: 'POST /v1/admin/registration-tokens body',
    end: 'DELETE /v1/admin/registration-tokens/{id} body',
  },
  resourceAuthorizationServers: {
    list: 'GET /v1/admin/resource-authorization-servers list',
    create: 'POST /v1/admin/resource-authorization-servers body',
    get: 'GET /v1/admin/resource-authorization-servers/{id}',
    update: 'PATCH /v1/admin/resource-authorization-servers/{id} body',
    delete: 'DELETE /v1/admin/resource-authorization-servers/{id} body',
  },
  resourceServers: {
    list: 'GET /v1/admin/resource-servers list',
    create: 'POST /v1/admin/resource-servers body',
    get: 'GET /v1/admin/resource-servers/{id}',
    update: 'PATCH /v1/admin/resource-servers/{id} body',
    delete: 'DELETE /v1/admin/resource-servers/{id} body',
    getMetadata: 'GET /v1/admin/resource-servers/{id}/metadata',
    checkMcpServer: 'POST /v1/admin/resource-servers/check-mcp-server body',
  },
  roles: {
    list: 'GET /v1/admin/roles list',
    create: 'POST /v1/admin/roles body',
    get: 'GET /v1/admin/roles/{id}',
    update: 'PATCH /v1/admin/roles/{id} body',
    delete: 'DELETE /v1/admin/roles/{id} body',
    getImpact: 'POST /v1/admin/roles/{id}/impact body',
  },
  search: {
    search: 'GET /v1/admin/search query',
  },
  service: {
    getSettings: 'GET /v1/service',
  },
  setupLinks: {
    list: 'GET /v1/admin/setup-links list',
    create: 'POST /v1/admin/setup-links body',
    activate: 'POST /v1/admin/setup-links/{id}/activate',
    delete: 'DELETE /v1/admin/setup-links/{id} body',
  },
  signInChecks: {
    checkSignIn: 'POST /v1/admin/sign-in-checks body',
    checkSignInAnywhere: 'POST /v1/system/sign-in-checks body',
  },
  signIns: {
    get: 'GET /v1/admin/sign-ins/{id}',
  },
  signingKeys: {
    list: 'GET /v1/system/signing-keys list',
    rotate: 'POST /v1/system/signing-keys/rotate body',
  },
  statistics: {
    get: 'GET /v1/admin/statistics',
    getSignInStatistics: 'GET /v1/admin/statistics/sign-ins query',
  },
  teams: {
    list: 'GET /v1/admin/teams list',
    create: 'POST /v1/admin/teams body',
    get: 'GET /v1/admin/teams/{id} query',
    update: 'PATCH /v1/admin/teams/{id} body',
    delete: 'DELETE /v1/admin/teams/{id} body',
    listMembers: 'GET /v1/admin/teams/{id}/members list',
    addMember: 'POST /v1/admin/teams/{id}/members body',
    removeMember: 'DELETE /v1/admin/teams/{id}/members body',
  },
  users: {
    sendPasswordResetLink: 'POST /v1/admin/users/{id}/password-reset',
    listSessions: 'GET /v1/admin/users/{id}/sessions list',
    endSessions: 'DELETE /v1/admin/users/{id}/sessions',
    endSession: 'DELETE /v1/admin/users/{id}/sessions/{sessionId}',
    list: 'GET /v1/admin/users list',
    create: 'POST /v1/admin/users body',
    export: 'GET /v1/admin/users/export stream',
    get: 'GET /v1/admin/users/{id}',
    update: 'PATCH /v1/admin/users/{id} body',
    delete: 'DELETE /v1/admin/users/{id} body',
    getImpact: 'GET /v1/admin/users/{id}/impact',
    restore: 'POST /v1/admin/users/{id}/restore',
    unlock: 'DELETE /v1/admin/users/{id}/lock',
    assignRole: 'POST /v1/admin/users/{id}/roles body',
    unassignRole: 'DELETE /v1/admin/users/{id}/roles body',
    listPasskeys: 'GET /v1/admin/users/{id}/passkeys list',
    deletePasskey: 'DELETE /v1/admin/users/{id}/passkeys/{passkeyId}',
    listIdentities: 'GET /v1/admin/users/{id}/identities list',
    unlinkIdentity: 'DELETE /v1/admin/users/{id}/identities/{identityId} body',
    listPermissions: 'GET /v1/admin/users/{id}/permissions list',
    listConsents: 'GET /v1/admin/users/{id}/consents list',
    revokeConsent: 'DELETE /v1/admin/users/{id}/consents/{clientId}',
  },
  webhooks: {
    list: 'GET /v1/admin/webhooks list',
    create: 'POST /v1/admin/webhooks body',
    get: 'GET /v1/admin/webhooks/{id}',
    update: 'PATCH /v1/admin/webhooks/{id} body',
    delete: 'DELETE /v1/admin/webhooks/{id} body',
    rotateSecret: 'POST /v1/admin/webhooks/{id}/rotate-secret body',
    test: 'POST /v1/admin/webhooks/{id}/test',
    sendTestEvent: 'POST /v1/admin/webhooks/test body',
    getStatistics: 'GET /v1/admin/webhooks/{id}/statistics query',
    listDeliveries: 'GET /v1/admin/webhooks/{id}/deliveries list',
    getDelivery: 'GET /v1/admin/webhooks/{id}/deliveries/{deliveryId}',
    replayDelivery: 'POST /v1/admin/webhooks/{id}/deliveries/{deliveryId}/replay',
    replayDeliveries: 'POST /v1/admin/webhooks/{id}/replay body',
  },
} as const satisfies Record<keyof NamedOperations, Record<string, string>>
