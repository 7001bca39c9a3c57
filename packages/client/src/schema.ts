// Made by `npm run generate`.
export interface paths {
  "/v1/service": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get what the operator has set up
     * @description What a program that guides a user needs to know about the service: where mail goes, the issuer, what is allowed. No secrets.
     */
    get: operations["getServiceSettings"];
  };
  "/v1/auth/login": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Sign in with e-mail and password
     * @description The response says what comes next: a session cookie with its CSRF token, or a second factor, with a token for it.
     */
    post: operations["signIn"];
  };
  "/v1/auth/login/mfa": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Complete a sign-in with a second factor
     * @description Takes the token of the sign-in with a code or the response of a passkey. A right one starts the session.
     */
    post: operations["completeSignIn"];
  };
  "/v1/auth/login/mfa/passkey/options": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the options for a passkey as second factor
     * @description For `navigator.credentials.get`. Send its response to `POST /v1/auth/login/mfa`.
     */
    post: operations["startSecondFactorByPasskey"];
  };
  "/v1/auth/passkey/options": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Start signing in with a passkey
     * @description The same for every caller: the passkey says who the user is.
     */
    post: operations["startPasskeySignIn"];
  };
  "/v1/auth/passkey": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Sign in with a passkey
     * @description A 401 has `unknownCredential: true` only when no such passkey is known here at all: tell the device to forget it then.
     */
    post: operations["signInByPasskey"];
  };
  "/v1/auth/email-code": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Request a sign-in code by mail
     * @description The same response for every address, but for those of a domain that requires single sign-on, which are refused: its owner and those who may sign in otherwise are mailed a code even so, for the `flowToken` of the refusal. A code is mailed where the organisation allows it (`signInPolicy.emailCode`); the one before stops working.
     */
    post: operations["requestEmailCode"];
  };
  "/v1/auth/email-code/verify": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Sign in with a mailed code
     * @description A code works once, for ten minutes, and is refused after five tries.
     */
    post: operations["signInByEmailCode"];
  };
  "/v1/auth/login/mfa/code": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Send a code to the user's phone
     * @description For a user whose second factor is a phone. The code goes to `POST /v1/auth/login/mfa`.
     */
    post: operations["sendSignInCode"];
  };
  "/v1/auth/csrf": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the CSRF token of the session
     * @description Every request of the session that changes something sends it as `X-CSRF-Token`.
     */
    get: operations["getCsrfToken"];
  };
  "/v1/auth/logout": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Sign out
     * @description Ends the session at once, and removes its cookie.
     */
    post: operations["signOut"];
  };
  "/v1/auth/identify": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Ask how an address can sign in
     * @description Only the domain of the address decides: the response is the same whether or not there is such an account.
     */
    post: operations["identify"];
  };
  "/v1/me/reauthenticate": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Prove again that it is you
     * @description Operations that need a recent sign-in (403 `recent-sign-in-required`) work for the next 15 minutes. A user with a second factor sends a code of it, others the password; both may use a passkey instead.
     */
    post: operations["reauthenticate"];
  };
  "/v1/me/reauthenticate/options": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Start reauthenticating with a passkey
     * @description The options are for `navigator.credentials.get()`; they name your passkeys, which must verify you.
     */
    post: operations["startReauthentication"];
  };
  "/v1/me/mfa": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get your second factors
     * @description The factors in use, and how many backup codes are left.
     */
    get: operations["getOwnMfa"];
  };
  "/v1/me/mfa/enable": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Start enrolling a second factor
     * @description The response depends on the method: the secret of an authenticator app, a code by SMS, or the options for a passkey. A second request with the code or the response of the passkey completes the enrolment.
     */
    post: operations["startMfaEnrolment"];
  };
  "/v1/me/mfa/code": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Send a code to your phone
     * @description For users with a phone as second factor, before an operation that takes a code.
     */
    post: operations["sendMfaCode"];
  };
  "/v1/me/mfa/passkey/options": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Start changing your second factors with a passkey
     * @description If passkeys are your second factor, use one instead of a code in requests that change them.
     */
    post: operations["startFactorChangeByPasskey"];
  };
  "/v1/me/mfa/verify": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Complete an enrolment with a code
     * @description For a passkey, complete it with the passkey.
     */
    post: operations["completeMfaEnrolment"];
  };
  "/v1/me/mfa/check": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Check a code
     * @description Says whether it would be accepted now. The code is not used up.
     */
    post: operations["checkMfaCode"];
  };
  "/v1/me/mfa/disable": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Disable MFA
     * @description Takes a proof by one of them. If the organisation requires a second factor, the next sign-in begins with enrolling another.
     */
    post: operations["disableMfa"];
  };
  "/v1/me/mfa/backup-codes": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Replace your backup codes
     * @description The former ones stop working.
     */
    post: operations["replaceBackupCodes"];
  };
  "/v1/me/identities": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List your linked accounts
     * @description Accounts at identity providers with which you sign in here.
     */
    get: operations["listOwnIdentities"];
    /**
     * Begin to link an account at an identity provider
     * @description Needs a sign-in within the last fifteen minutes. The account is linked once you have signed in there in this browser. If your domain requires single sign-on, you can link only its connection.
     */
    post: operations["startIdentityLink"];
  };
  "/v1/me/passkeys": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List your passkeys
     * @description Each with its password manager, if known, and when it was last used.
     */
    get: operations["listOwnPasskeys"];
    /**
     * Register a passkey
     * @description You get a mail.
     */
    post: operations["registerPasskey"];
  };
  "/v1/me/passkeys/options": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Start registering a passkey
     * @description Needs a sign-in within the last fifteen minutes, unless the session has to enrol first.
     */
    post: operations["startPasskeyRegistration"];
  };
  "/v1/me/passkeys/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Delete one of your passkeys
     * @description Needs a sign-in within the last fifteen minutes. You get a mail.
     */
    delete: operations["deleteOwnPasskey"];
    /**
     * Rename one of your passkeys
     * @description Only its name changes, not the passkey itself.
     */
    patch: operations["renameOwnPasskey"];
  };
  "/v1/me/identities/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Unlink one of your accounts
     * @description Needs a sign-in within the last fifteen minutes. Ends your other sessions that began with it.
     */
    delete: operations["unlinkOwnIdentity"];
  };
  "/v1/auth/password/forgot": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Request a password reset link
     * @description The response is the same whether or not there is such an account. The link is mailed if there is one.
     */
    post: operations["requestPasswordReset"];
  };
  "/v1/auth/password/reset": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Check a password reset link
     * @description Says whether a link can still be used and which passwords are accepted, before the user types one.
     */
    get: operations["checkPasswordResetLink"];
    /**
     * Reset a password with a mailed link
     * @description The link works once. All sessions of the user end.
     */
    post: operations["resetPassword"];
  };
  "/v1/auth/email/verify": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Verify an e-mail address
     * @description Takes the token from the mailed link, which works once.
     */
    post: operations["verifyEmail"];
  };
  "/v1/me/password": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Change your password
     * @description Takes the current password, and ends your other sessions.
     */
    post: operations["changeOwnPassword"];
    /**
     * Remove your password
     * @description Needs a passkey that signs in, and a sign-in with a passkey within the last fifteen minutes. You get a mail.
     */
    delete: operations["removeOwnPassword"];
  };
  "/v1/me/email/verification": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Resend the verification mail
     * @description A link to confirm your address, if it is not confirmed yet.
     */
    post: operations["resendVerificationMail"];
  };
  "/v1/admin/users/{id}/password-reset": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Send a user a password reset link
     * @description Requires the permission `users:update`.
     */
    post: operations["sendPasswordResetLink"];
  };
  "/v1/me/profile": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get your profile
     * @description Who is signed in: name, organisation, roles, permissions, and the session.
     */
    get: operations["getOwnProfile"];
    /**
     * Update your profile
     * @description Fields that are not sent stay. Only an administrator can change the address.
     */
    patch: operations["updateOwnProfile"];
  };
  "/v1/me/sessions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List your active sessions
     * @description The browsers and devices on which you are signed in, most recent first.
     */
    get: operations["listOwnSessions"];
    /**
     * End your other sessions
     * @description All but the session of the request.
     */
    delete: operations["endOtherSessions"];
  };
  "/v1/me/sessions/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * End one of your sessions
     * @description Signs that browser or device out at once.
     */
    delete: operations["endOwnSession"];
  };
  "/v1/me/activity": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List your sign-ins and security changes, newest first
     * @description From the audit log: only entries about you, without the addresses of others.
     */
    get: operations["listOwnActivity"];
  };
  "/v1/admin/users/{id}/sessions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the active sessions of a user
     * @description Requires the permission `users:read`.
     */
    get: operations["listUserSessions"];
    /**
     * End all sessions of a user
     * @description Requires the permission `users:update`.
     */
    delete: operations["endUserSessions"];
  };
  "/v1/admin/users/{id}/sessions/{sessionId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * End one session of a user
     * @description Requires the permission `users:update`. Applications keep their tokens, as when the user ends it: ending all sessions ends those, too.
     */
    delete: operations["endUserSession"];
  };
  "/v1/admin/users": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List users
     * @description Requires the permission `users:read`.
     */
    get: operations["listUsers"];
    /**
     * Create a user
     * @description Requires the permission `users:create`.
     */
    post: operations["createUser"];
  };
  "/v1/admin/users/export": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Export users
     * @description Requires the permission `users:read`. All users that the list shows with the same filters, in the same order, as a stream.
     */
    get: operations["exportUsers"];
  };
  "/v1/admin/users/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a user
     * @description Requires the permission `users:read`.
     */
    get: operations["getUser"];
    /**
     * Delete a user
     * @description Requires the permission `users:delete`.
     */
    delete: operations["deleteUser"];
    /**
     * Update a user
     * @description Requires the permission `users:update`.
     */
    patch: operations["updateUser"];
  };
  "/v1/admin/users/{id}/impact": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Count what would end with the access of a user
     * @description Requires the permission `users:read`. How many sessions would end if the user were blocked or deleted, or if all their sessions were ended now, and how many applications would lose their tokens. Nothing is changed.
     */
    get: operations["getUserImpact"];
  };
  "/v1/admin/users/{id}/restore": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Restore a deleted user
     * @description Requires the permission `users:create`. With roles, teams, password and second factors, but signed out and without linked accounts. `GET /v1/admin/users?status=deleted` lists who can be restored. A user who is not deleted stays as it is.
     */
    post: operations["restoreUser"];
  };
  "/v1/admin/users/{id}/lock": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Unlock a user
     * @description Requires the permission `users:update`. Forgets the failed sign-ins and wrong codes of a user, who can sign in again at once. `lockedUntil` says whether a user is locked; for one who is not, nothing is recorded.
     */
    delete: operations["unlockUser"];
  };
  "/v1/admin/users/{id}/roles": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Assign a role to a user
     * @description Requires the permission `users:update`.
     */
    post: operations["assignRole"];
    /**
     * Remove a role from a user
     * @description Requires the permission `users:update`. A role that a connection or directory also gives stays: `message` and `remainingSources` then name it. Only it can take the role away.
     */
    delete: operations["unassignRole"];
  };
  "/v1/admin/users/{id}/passkeys": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the passkeys of a user
     * @description Requires the permission `users:read`.
     */
    get: operations["listUserPasskeys"];
  };
  "/v1/admin/users/{id}/passkeys/{passkeyId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Delete a passkey of a user
     * @description Requires the permission `users:update`. Ends the user's sessions; the user gets a mail. Only the owner can delete the owner's passkeys.
     */
    delete: operations["deleteUserPasskey"];
  };
  "/v1/admin/users/{id}/identities": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the linked accounts of a user
     * @description Requires the permission `users:read`.
     */
    get: operations["listUserIdentities"];
  };
  "/v1/admin/users/{id}/identities/{identityId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Unlink an account of a user
     * @description Requires the permission `users:update`. Ends the sessions that began with it. Only the owner can unlink the owner's accounts.
     */
    delete: operations["unlinkUserIdentity"];
  };
  "/v1/admin/permission-checks": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Check whether users may use permissions, and why
     * @description Requires the permissions `users:read` and `roles:read`. Takes one check, or up to 100 as `checks`. Nothing is changed.
     */
    post: operations["checkPermissions"];
  };
  "/v1/admin/authorization-checks": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Check what an application would be issued for a user
     * @description Requires the permissions `clients:read` and `users:read`. The scopes and claims that an authorization request would lead to if the user signed in now, and each check that would refuse it. Nothing is issued and nothing changed.
     */
    post: operations["checkAuthorization"];
  };
  "/v1/admin/clients/{id}/claims/preview": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Preview the claims of the tokens of a user
     * @description Requires the permissions `clients:read` and `users:read`. What the tokens, UserInfo and introspection would show of a user who signs in now: by a password or, with a linked account, by the identity provider used last. Nothing is signed, and nothing changed.
     */
    post: operations["previewClaims"];
  };
  "/v1/admin/users/{id}/permissions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the permissions of a user with the roles that give them
     * @description Requires the permissions `users:read` and `roles:read`.
     */
    get: operations["listUserPermissions"];
  };
  "/v1/admin/sign-in-checks": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Check why a user cannot sign in
     * @description Requires the permission `users:read`. Each step that a sign-in with the address would take now, by every way or by one connection, and how to fix it. Nothing is issued; the audit log records the check.
     */
    post: operations["checkSignIn"];
  };
  "/v1/admin/roles": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List roles
     * @description Requires the permission `roles:read`.
     */
    get: operations["listRoles"];
    /**
     * Create a role
     * @description Requires the permission `roles:create`.
     */
    post: operations["createRole"];
  };
  "/v1/admin/roles/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a role
     * @description Requires the permission `roles:read`.
     */
    get: operations["getRole"];
    /**
     * Delete a role
     * @description Requires the permission `roles:delete`.
     */
    delete: operations["deleteRole"];
    /**
     * Update a role
     * @description Requires the permission `roles:update`.
     */
    patch: operations["updateRole"];
  };
  "/v1/admin/roles/{id}/impact": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show the impact of changing or deleting a role
     * @description Requires the permission `roles:read`. Nothing is changed.
     */
    post: operations["getRoleImpact"];
  };
  "/v1/admin/teams": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List teams with their members
     * @description Requires the permission `teams:read`.
     */
    get: operations["listTeams"];
    /**
     * Create a team
     * @description Requires the permission `teams:create`.
     */
    post: operations["createTeam"];
  };
  "/v1/admin/teams/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a team with its members
     * @description Requires the permission `teams:read`.
     */
    get: operations["getTeam"];
    /**
     * Delete a team
     * @description Requires the permission `teams:delete`. Its members stay users of the organisation.
     */
    delete: operations["deleteTeam"];
    /**
     * Update a team
     * @description Requires the permission `teams:update`.
     */
    patch: operations["updateTeam"];
  };
  "/v1/admin/teams/{id}/members": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the members of a team
     * @description Requires the permission `teams:read`. In the order in which the users were created, without deleted ones.
     */
    get: operations["listTeamMembers"];
    /**
     * Add a user to a team
     * @description Requires the permission `teams:update`.
     */
    post: operations["addTeamMember"];
    /**
     * Remove a user from a team
     * @description Requires the permission `teams:update`. A user whom a connection or directory also puts into the team stays a member: `message` and `remainingSources` then name it. Only it can remove them.
     */
    delete: operations["removeTeamMember"];
  };
  "/v1/admin/invitations": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List invitations
     * @description Requires the permission `invitations:read`.
     */
    get: operations["listInvitations"];
    /**
     * Invite a user
     * @description Requires the permission `invitations:create`.
     */
    post: operations["createInvitation"];
  };
  "/v1/admin/invitations/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get an invitation
     * @description Requires the permission `invitations:read`.
     */
    get: operations["getInvitation"];
    /**
     * Cancel a pending invitation
     * @description Requires the permission `invitations:delete`.
     */
    delete: operations["cancelInvitation"];
  };
  "/v1/admin/invitations/{id}/resend": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Resend a pending invitation
     * @description Requires the permission `invitations:create`. With a new link; the former one stops working.
     */
    post: operations["resendInvitation"];
  };
  "/v1/auth/invitations/accept": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Accept an invitation
     * @description Creates the user, by the link in the mail.
     */
    post: operations["acceptInvitation"];
  };
  "/v1/admin/permissions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List permissions
     * @description Requires the permission `users:read`.
     */
    get: operations["listPermissions"];
  };
  "/v1/admin/connections": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List connections
     * @description Requires the permission `connections:read`.
     */
    get: operations["listConnections"];
    /**
     * Create a connection
     * @description Requires the permission `connections:create`. Needs every permission that any user but the owner holds, those of the roles that it maps and, with `provisioning` `jit`, those of the default role: a connection decides who a user is. An inactive one may be created before its provider has issued a client id.
     */
    post: operations["createConnection"];
  };
  "/v1/admin/connections/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a connection
     * @description Requires the permission `connections:read`.
     */
    get: operations["getConnection"];
    /**
     * Delete a connection
     * @description Requires the permission `connections:delete`. Unlinks all accounts, ends the sessions that began with it, and takes away the roles and memberships that only it gave. Users stay.
     */
    delete: operations["deleteConnection"];
    /**
     * Update a connection
     * @description Requires the permission `connections:update`. A change of isActive to true, configuration, linking, provisioning, mapping, roleMappings, teamMappings, syncOn, trustsMfa, mfaContexts or identityAssertions: needs every permission that any user but the owner holds, those of the roles that it maps and, with `provisioning` `jit`, those of the default role: a connection decides who a user is. Who is not the owner unlinks the accounts of the owner with a change of who proves them, or one by which more of it is believed.
     */
    patch: operations["updateConnection"];
  };
  "/v1/admin/connections/{id}/rotate-secret": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Rotate the secret of a connection
     * @description Requires the permission `connections:update`. Both secrets are tried during the grace period.
     */
    post: operations["rotateConnectionSecret"];
  };
  "/v1/admin/connections/{id}/rotate-keys": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Rotate the keys of a connection
     * @description Requires the permission `connections:update`. Of one with `private_key_jwt` or by SAML. The next key is at `jwksUri` or in our metadata at once; its provider may have read the keys long before. There is one at a time. Where there is no key, as after an import without secrets, the new one signs at once.
     */
    post: operations["rotateConnectionKeys"];
  };
  "/v1/admin/connections/{id}/refresh": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Refresh a connection
     * @description Requires the permission `connections:update`. Reads discovery and keys of the provider now; `errors` say what cannot be read. GitHub has neither. Where metadata bring another certificate, who is not the owner unlinks the accounts of the owner.
     */
    post: operations["refreshConnection"];
  };
  "/v1/admin/connections/{id}/test": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Test a connection
     * @description Requires the permission `connections:read`. The connection need not be active. The page signs in at the provider and shows each check, the claims, and what a sign-in would do, instead of signing the user in. For a signed-in user, in one browser.
     */
    post: operations["testConnection"];
  };
  "/v1/admin/assertion-checks": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Check why an identity assertion is refused
     * @description Requires the permissions `connections:read` and `clients:read` and `users:read`. Every check that the token endpoint would make of an identity assertion (ID-JAG) now: whether it is met, what was expected and what came. That the application authenticates is assumed. Nothing is issued or used up; the audit log records the check, without the assertion.
     */
    post: operations["checkAssertion"];
  };
  "/v1/admin/directories": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List directories
     * @description Requires the permission `directories:read`.
     */
    get: operations["listDirectories"];
    /**
     * Create a directory
     * @description Requires the permission `directories:create`. Needs every permission that any user but the owner holds, and those of the mapped roles and of the default role: a directory decides who a user is. It manages nothing until it has a token.
     */
    post: operations["createDirectory"];
  };
  "/v1/admin/directories/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a directory
     * @description Requires the permission `directories:read`.
     */
    get: operations["getDirectory"];
    /**
     * Delete a directory
     * @description Requires the permission `directories:delete`. Ends its tokens, and takes the roles and memberships that it alone gave. Users and teams stay.
     */
    delete: operations["deleteDirectory"];
    /**
     * Update a directory
     * @description Requires the permission `directories:update`. A change of isActive to true, groupMappings, userMatch, connectionId or emailChanges to verified_domains: needs every permission that any user but the owner holds, and those of the mapped roles and of the default role: a directory decides who a user is.
     */
    patch: operations["updateDirectory"];
  };
  "/v1/admin/directories/{id}/impact": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show the impact of changing the mappings of a directory
     * @description Requires the permission `directories:read`. How many users would gain or lose which role and team. Nothing is changed.
     */
    post: operations["getDirectoryImpact"];
  };
  "/v1/admin/directories/{id}/tokens": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Create a token of a directory
     * @description Requires the permission `directories:update`. Needs every permission that any user but the owner holds, and those of the mapped roles and of the default role: a directory decides who a user is. At most two work at a time, so that one can replace the other without a gap.
     */
    post: operations["createDirectoryToken"];
  };
  "/v1/admin/directories/{id}/tokens/{tokenId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * End a token of a directory
     * @description Requires the permission `directories:update`.
     */
    delete: operations["endDirectoryToken"];
  };
  "/v1/admin/directories/{id}/requests": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the requests of a directory, newest first
     * @description Requires the permission `directories:read`. Those of the last seven days that had a valid token, with values masked, except those that were too many (429).
     */
    get: operations["listDirectoryRequests"];
  };
  "/v1/admin/directories/{id}/requests/try": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Try a request of a directory
     * @description Requires the permissions `directories:update` and `users:read`. Carries the request out as if the directory had sent it, and rolls it back: the response that it would get, and what would change. Nothing is stored but an audit entry that it was tried.
     */
    post: operations["tryDirectoryRequest"];
  };
  "/v1/admin/setup-links": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List set-up links
     * @description Requires no permission. Needs `connections:create` for `oidc` and `saml`, `domains:update` for `domain`, `directories:create` for `scim`: other links are left out. They are removed 90 days after their end.
     */
    get: operations["listSetupLinks"];
    /**
     * Create a set-up link
     * @description Requires no permission. Needs `connections:create` for `oidc` and `saml`, `domains:update` for `domain`, `directories:create` for `scim`, and, but for `domain` alone, every permission that any user but the owner holds or that what it makes gives. The link works while its creator has them.
     */
    post: operations["createSetupLink"];
  };
  "/v1/admin/setup-links/{id}/activate": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Activate what a set-up link has made
     * @description Requires no permission. Needs `connections:create` for `oidc` and `saml`, `domains:update` for `domain`, `directories:create` for `scim`, `connections:update` for a connection and `directories:update` for a directory, and what activating them takes. The domain gets the connection, with the `sso` of the link, unless an administrator has put it into use since.
     */
    post: operations["activateSetupLink"];
  };
  "/v1/admin/setup-links/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * End a set-up link
     * @description Requires no permission. Needs `connections:create` for `oidc` and `saml`, `domains:update` for `domain`, `directories:create` for `scim`. It stops working with its next request; what was made by it stays.
     */
    delete: operations["deleteSetupLink"];
  };
  "/v1/admin/domains": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List domains
     * @description Requires the permission `domains:read`.
     */
    get: operations["listDomains"];
    /**
     * Add a domain
     * @description Requires the permission `domains:update`. It takes effect once its `challenge` has been found in the DNS.
     */
    post: operations["createDomain"];
  };
  "/v1/admin/domains/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a domain
     * @description Requires the permission `domains:read`.
     */
    get: operations["getDomain"];
    /**
     * Delete a domain
     * @description Requires the permission `domains:update`. Its users sign in as they did before it was added. While it requires single sign-on, that takes every permission that any user but the owner holds.
     */
    delete: operations["deleteDomain"];
    /**
     * Update a domain
     * @description Requires the permission `domains:update`.
     */
    patch: operations["updateDomain"];
  };
  "/v1/admin/domains/{id}/verify": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Verify a domain
     * @description Requires the permission `domains:update`. Looks for the `challenge` in the DNS.
     */
    post: operations["verifyDomain"];
  };
  "/v1/admin/clients": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List OAuth clients
     * @description Requires the permission `clients:read`.
     */
    get: operations["listClients"];
    /**
     * Register an OAuth client
     * @description Requires the permission `clients:create`.
     */
    post: operations["createClient"];
  };
  "/v1/admin/clients/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get an OAuth client
     * @description Requires the permission `clients:read`.
     */
    get: operations["getClient"];
    /**
     * Delete an OAuth client
     * @description Requires the permission `clients:delete`.
     */
    delete: operations["deleteClient"];
    /**
     * Update an OAuth client
     * @description Requires the permission `clients:update`.
     */
    patch: operations["updateClient"];
  };
  "/v1/admin/clients/{id}/impact": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Count what would end with an OAuth client
     * @description Requires the permission `clients:read`. How many users and refresh tokens would be affected if it were revoked or deleted now. Nothing is changed.
     */
    get: operations["getClientImpact"];
  };
  "/v1/admin/clients/{id}/profile": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Compare an OAuth client with the FAPI 2.0 profile
     * @description Requires the permission `clients:read`. Which clauses the settings meet, whether the client has the profile or not. What its requests are like is not stored, so the clauses that are not met say what its application has to change. Nothing is changed.
     */
    get: operations["getClientProfile"];
  };
  "/v1/admin/clients/{id}/rotate-secret": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Rotate the secret of an OAuth client
     * @description Requires the permission `clients:update`.
     */
    post: operations["rotateClientSecret"];
  };
  "/v1/admin/clients/{id}/revoke": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Revoke an OAuth client and all its tokens
     * @description Requires the permission `clients:delete`.
     */
    post: operations["revokeClient"];
  };
  "/v1/admin/clients/{id}/activate": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Reactivate a revoked OAuth client
     * @description Requires the permission `clients:update`.
     */
    post: operations["activateClient"];
  };
  "/v1/admin/clients/{id}/logout-deliveries": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the logout deliveries to an OAuth client, newest first
     * @description Requires the permission `clients:read`. What the client was told of ended sessions (OpenID Connect Back-Channel Logout 1.0), in the last 30 days.
     */
    get: operations["listLogoutDeliveries"];
  };
  "/v1/admin/clients/{id}/logout-deliveries/{deliveryId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a logout delivery with its attempts
     * @description Requires the permission `clients:read`.
     */
    get: operations["getLogoutDelivery"];
  };
  "/v1/admin/clients/{id}/logout-deliveries/{deliveryId}/replay": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Replay a logout delivery
     * @description Requires the permission `clients:update`. A new delivery, with a `jti` of its own. Needs the extension `backchannel_logout`.
     */
    post: operations["replayLogoutDelivery"];
  };
  "/v1/admin/clients/{id}/logout-deliveries/test": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Send a test logout token to an OAuth client
     * @description Requires the permission `clients:update`. The token names a session that never was, so no user is signed out. Needs the extension `backchannel_logout`.
     */
    post: operations["testLogoutDelivery"];
  };
  "/v1/admin/blocked-client-hosts": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List blocked hosts of applications
     * @description Requires the permission `clients:read`. Hosts whose client ID metadata documents are refused.
     */
    get: operations["listBlockedClientHosts"];
    /**
     * Block a host of applications
     * @description Requires the permission `clients:delete`. Revokes every application whose client ID metadata document is of this host, with all its tokens, and refuses others.
     */
    post: operations["blockClientHost"];
  };
  "/v1/admin/blocked-client-hosts/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Unblock a host of applications
     * @description Requires the permission `clients:delete`. Documents of the host are accepted again. Applications that were revoked stay revoked.
     */
    delete: operations["unblockClientHost"];
  };
  "/v1/admin/clients/failing-documents": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Which clients have a document that cannot be read
     * @description Requires the permission `clients:read`. Clients of the organisation that introduced themselves by a document, and since when it cannot be read any more.
     */
    get: operations["listFailingClientDocuments"];
  };
  "/v1/admin/clients/{id}/document": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Whether the document of a client can be read
     * @description Requires the permission `clients:read`. When the client ID metadata document by which the client introduced itself was read last, and since when it cannot be read any more. It is read when a request needs it.
     */
    get: operations["getClientDocument"];
  };
  "/v1/admin/registration-tokens": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List registration tokens
     * @description Requires the permission `clients:read`. Those that no administrator has ended, also when they have expired or are used up.
     */
    get: operations["listRegistrationTokens"];
    /**
     * Create a registration token
     * @description Requires the permission `clients:create`. With the token, a program registers OAuth clients in the organisation by itself, at /oauth2/register (RFC 7591). Needs the extension `dynamic_registration`.
     */
    post: operations["createRegistrationToken"];
  };
  "/v1/admin/registration-tokens/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * End a registration token
     * @description Requires the permission `clients:delete`. It registers no client any more. Clients that were registered by it stay.
     */
    delete: operations["endRegistrationToken"];
  };
  "/v1/admin/resource-servers": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List resource servers
     * @description Requires the permission `resource_servers:read`.
     */
    get: operations["listResourceServers"];
    /**
     * Register a resource server
     * @description Requires the permission `resource_servers:create`. An API that access tokens can be issued for, once clients may ask for it.
     */
    post: operations["createResourceServer"];
  };
  "/v1/admin/resource-servers/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a resource server
     * @description Requires the permission `resource_servers:read`.
     */
    get: operations["getResourceServer"];
    /**
     * Delete a resource server
     * @description Requires the permission `resource_servers:delete`. Ends its access tokens, and takes it from the clients that may ask for it. Refused while it is the default of one.
     */
    delete: operations["deleteResourceServer"];
    /**
     * Update a resource server
     * @description Requires the permission `resource_servers:update`. Setting isActive to false ends all its access tokens for good.
     */
    patch: operations["updateResourceServer"];
  };
  "/v1/admin/resource-servers/{id}/metadata": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the metadata that a resource server publishes
     * @description Requires the permission `resource_servers:read`. The document of OAuth 2.0 Protected Resource Metadata (RFC 9728) and the header that leads clients to it. The resource server itself has to serve both.
     */
    get: operations["getResourceServerMetadata"];
  };
  "/v1/admin/resource-servers/check-mcp-server": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Check an MCP server
     * @description Requires the permission `resource_servers:create`. Asks the server at an address what clients of the Model Context Protocol ask it before they have a token, and says whether its answers lead them here. Changes nothing.
     */
    post: operations["checkMcpServer"];
  };
  "/v1/admin/resource-authorization-servers": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List resource authorization servers
     * @description Requires the permission `resource_servers:read`.
     */
    get: operations["listResourceAuthorizationServers"];
    /**
     * Register a resource authorization server
     * @description Requires the permission `resource_servers:create`. An authorization server of another company, which takes identity assertions of this organisation. Its grants say which client may do what there, and for whom.
     */
    post: operations["createResourceAuthorizationServer"];
  };
  "/v1/admin/resource-authorization-servers/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a resource authorization server
     * @description Requires the permission `resource_servers:read`.
     */
    get: operations["getResourceAuthorizationServer"];
    /**
     * Delete a resource authorization server
     * @description Requires the permission `resource_servers:delete`.
     */
    delete: operations["deleteResourceAuthorizationServer"];
    /**
     * Update a resource authorization server
     * @description Requires the permission `resource_servers:update`. Lists that are sent replace those before. Assertions that were issued before stay valid for their few minutes.
     */
    patch: operations["updateResourceAuthorizationServer"];
  };
  "/v1/admin/api-keys": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List API keys
     * @description Requires the permission `api_keys:read`.
     */
    get: operations["listApiKeys"];
    /**
     * Create an API key
     * @description Requires the permission `api_keys:create`.
     */
    post: operations["createApiKey"];
  };
  "/v1/admin/api-keys/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get an API key
     * @description Requires the permission `api_keys:read`.
     */
    get: operations["getApiKey"];
    /**
     * Delete an API key
     * @description Requires the permission `api_keys:delete`.
     */
    delete: operations["deleteApiKey"];
    /**
     * Change an API key's credentials of platforms
     * @description Requires the permission `api_keys:create`. Replaces the list. Who adds one needs every permission of the key. Where one is taken away, the short-lived keys of the key end.
     */
    patch: operations["updateApiKey"];
  };
  "/v1/auth/api-keys/exchange": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Exchange a token of a platform for a short-lived API key
     * @description For workloads that hold a signed identity: CI jobs, Kubernetes service accounts, SPIFFE. The token is one that `federatedCredentials` of the API key name, and for this service. The key works for 15 minutes with the permissions of the API key, and ends with it. Needs the extension `federated_credentials`: without it there is no such address.
     */
    post: operations["exchangeApiKey"];
  };
  "/v1/admin/webhooks": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List webhooks
     * @description Requires the permission `webhooks:read`.
     */
    get: operations["listWebhooks"];
    /**
     * Create a webhook
     * @description Requires the permission `webhooks:create`.
     */
    post: operations["createWebhook"];
  };
  "/v1/admin/webhooks/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a webhook
     * @description Requires the permission `webhooks:read`.
     */
    get: operations["getWebhook"];
    /**
     * Delete a webhook and its deliveries
     * @description Requires the permission `webhooks:delete`.
     */
    delete: operations["deleteWebhook"];
    /**
     * Update a webhook
     * @description Requires the permission `webhooks:update`.
     */
    patch: operations["updateWebhook"];
  };
  "/v1/admin/webhooks/{id}/rotate-secret": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Rotate the secret of a webhook
     * @description Requires the permission `webhooks:update`.
     */
    post: operations["rotateWebhookSecret"];
  };
  "/v1/admin/webhooks/{id}/test": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Send a test event to a webhook
     * @description Requires the permission `webhooks:update`.
     */
    post: operations["testWebhook"];
  };
  "/v1/admin/webhooks/test": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Send a test event with a chosen name to a webhook
     * @description Requires the permission `webhooks:update`.
     */
    post: operations["sendTestEvent"];
  };
  "/v1/admin/webhooks/{id}/statistics": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Count the deliveries to a webhook by hour or day
     * @description Requires the permission `webhooks:read`. Whole hours of up to 31 days, or whole days of up to 90; those of the last 90 days are stored. A delivery counts when it ended, and the percentiles are exact to a tenth. Deliveries are counted by hours of UTC: in a time zone that is half an hour off, a delivery counts with the hour in which its UTC hour begins.
     */
    get: operations["getWebhookStatistics"];
  };
  "/v1/admin/webhooks/{id}/deliveries": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the deliveries to a webhook, newest first
     * @description Requires the permission `webhooks:read`.
     */
    get: operations["listWebhookDeliveries"];
  };
  "/v1/admin/webhooks/{id}/deliveries/{deliveryId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a delivery with its attempts
     * @description Requires the permission `webhooks:read`.
     */
    get: operations["getWebhookDelivery"];
  };
  "/v1/admin/webhooks/{id}/deliveries/{deliveryId}/replay": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Replay a delivery
     * @description Requires the permission `webhooks:update`.
     */
    post: operations["replayDelivery"];
  };
  "/v1/admin/webhooks/{id}/replay": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Replay the deliveries of a time range
     * @description Requires the permission `webhooks:update`.
     */
    post: operations["replayDeliveries"];
  };
  "/v1/admin/deliveries": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the deliveries to all webhooks, newest first
     * @description Requires the permission `webhooks:read`.
     */
    get: operations["listDeliveries"];
  };
  "/v1/admin/events": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the events that a webhook can subscribe to
     * @description Requires the permission `webhooks:read`.
     */
    get: operations["listEvents"];
  };
  "/v1/admin/organisation": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the organisation
     * @description Requires no permission.
     */
    get: operations["getOwnOrganisation"];
    /**
     * Delete the organisation
     * @description Requires the permission `organisation:delete`. Only its owner can.
     */
    delete: operations["deleteOwnOrganisation"];
    /**
     * Update the organisation
     * @description Requires the permission `organisation:update`.
     */
    patch: operations["updateOwnOrganisation"];
  };
  "/v1/admin/organisation/logo": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Upload a logo for the organisation
     * @description Requires the permission `organisation:update`. A PNG, JPEG or WebP picture of at most 256 KiB and 2,048 pixels a side. It is served from this service as it is, metadata included, and `branding.logoUrl` becomes its address. A former one is removed.
     */
    post: operations["setOrganisationLogo"];
    /**
     * Remove the uploaded logo of the organisation
     * @description Requires the permission `organisation:update`. `branding.logoUrl` becomes null if it is the address of that logo.
     */
    delete: operations["deleteOrganisationLogo"];
  };
  "/v1/admin/organisation/impact": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show the impact of changing settings of the organisation
     * @description Requires the permission `organisation:update`. Takes the same body as the PATCH. Nothing is changed.
     */
    post: operations["getOrganisationImpact"];
  };
  "/v1/admin/organisation/transfer-ownership": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Transfer the ownership
     * @description Requires no permission. Only the owner can. All accounts at identity providers are unlinked from the new owner, who links them anew.
     */
    post: operations["transferOwnership"];
  };
  "/v1/admin/configuration": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the configuration as a document
     * @description Requires the permissions `organisation:read` and `roles:read` and `teams:read` and `clients:read` and `connections:read` and `webhooks:read` and `api_keys:read`. Without secrets. Planned against the organisation, it changes nothing. Keys of clients, directories and webhooks are stored if the caller may change these, so that they stay when a name changes. Directories are in it with the permission `directories:read`, resource servers and the authorization servers of others with `resource_servers:read`.
     */
    get: operations["exportConfiguration"];
  };
  "/v1/admin/configuration/diff": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Compare the organisation with a document
     * @description Requires no permission. Needs the permission to read each section of the document. Nothing is changed.
     */
    post: operations["compareConfiguration"];
  };
  "/v1/admin/configuration/plan": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Plan what applying a document to the organisation would change
     * @description Requires no permission. Needs the permission to read each section of the document, and the permission for each change: each is made and rolled back, and refused as `apply` would refuse it. Nothing is changed.
     */
    post: operations["planConfiguration"];
  };
  "/v1/admin/configuration/apply": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Apply a document to the organisation
     * @description Requires no permission. In one transaction. Needs the permission to read each section of the document, and the permission for each change.
     */
    post: operations["applyConfiguration"];
  };
  "/v1/me/consents": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the applications that have access to your account
     * @description What you have consented to, and applications that can refresh tokens without your consent, with what they were granted.
     */
    get: operations["listOwnConsents"];
  };
  "/v1/me/consents/{clientId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Remove the access of an application
     * @description Ends its tokens.
     */
    delete: operations["revokeOwnConsent"];
  };
  "/v1/admin/users/{id}/consents": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the applications that have access to the account of a user
     * @description Requires the permission `users:read`. What the user has consented to, and applications that can refresh tokens without consent, with what they were granted.
     */
    get: operations["listUserConsents"];
  };
  "/v1/admin/users/{id}/consents/{clientId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Remove the access of an application to the account of a user
     * @description Requires the permission `users:update`. Ends the tokens that the application has for the user.
     */
    delete: operations["revokeUserConsent"];
  };
  "/v1/admin/clients/{id}/consents": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the users who have let an application in
     * @description Requires the permission `clients:read`. Who has consented to what, until when, and users whose tokens the application can refresh without their consent. `DELETE /v1/admin/users/{id}/consents/{clientId}` ends one of them.
     */
    get: operations["listClientConsents"];
  };
  "/v1/admin/diagnostics": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List refused OAuth requests, newest first
     * @description Requires the permission `clients:read`. Those of the last seven days that named a client of the organisation.
     */
    get: operations["listDiagnostics"];
  };
  "/v1/admin/diagnostics/{reference}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Explain a refused OAuth request
     * @description Requires the permission `clients:read`.
     */
    get: operations["getDiagnostic"];
  };
  "/v1/system/diagnostics/{reference}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Explain a refused OAuth request of any organisation
     * @description By the reference on an error page or in a refusal, for seven days.
     */
    get: operations["getSystemDiagnostic"];
  };
  "/v1/system/signing-keys": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the published signing keys
     * @description Keys that sign, will sign or have signed tokens that are still valid.
     */
    get: operations["listSigningKeys"];
  };
  "/v1/system/signing-keys/rotate": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Rotate the signing keys
     * @description Makes the next key of each algorithm: it is published now, and signs in 15 minutes, once all receivers have had time to fetch it. Tokens of the former one stay valid until they expire, unless it is withdrawn.
     */
    post: operations["rotateSigningKeys"];
  };
  "/v1/admin/audit-logs": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List audit entries, newest first
     * @description Requires the permission `audit:read`.
     */
    get: operations["listAuditEntries"];
  };
  "/v1/admin/audit-logs/export": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Export audit entries
     * @description Requires the permission `audit:read`. Newest first, as a stream.
     */
    get: operations["exportAuditEntries"];
  };
  "/v1/admin/audit-logs/actions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the actions that audit entries can have
     * @description Requires the permission `audit:read`.
     */
    get: operations["listAuditActions"];
  };
  "/v1/admin/audit-logs/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show an audit entry
     * @description Requires the permission `audit:read`.
     */
    get: operations["getAuditEntry"];
  };
  "/v1/admin/sign-ins/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show a sign-in from its first request to its end
     * @description Requires the permission `audit:read`. Audit entries, sessions and diagnostics name their sign-in as `signInId`. Records that are stored for a shorter time than the audit log, such as codes and refusals, are missing once they are deleted.
     */
    get: operations["getSignIn"];
  };
  "/v1/admin/audit-logs/{id}/undo": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Undo the change that an audit entry records
     * @description Requires the permission `audit:read`. An ordinary change by the caller: it also needs the permission of the request that makes it, and is refused whenever that would be. `undo-changed-since` names what has changed since the entry, and who changed it. A user whom a directory has deactivated stays blocked when the block of an administrator is undone: `changes` says what becomes of each field. GET /v1/admin/audit-logs/actions says which actions cannot be undone, and why.
     */
    post: operations["undoAuditEntry"];
  };
  "/v1/admin/search": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Find records of any kind
     * @description Requires no permission. Users, teams, roles, clients, webhooks, connections, domains, directories, set-up links, resource servers and API keys, of the kinds that the caller may read: first those with this id or e-mail address, then those that begin with the text, then, if there is room, those that contain it.
     */
    get: operations["search"];
  };
  "/v1/admin/statistics": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Count the records of the organisation
     * @description Requires no permission. Groups for which the caller lacks the permission are left out. From 5,000 users on, the numbers of users and sessions may be a minute old: `asOf` says when they were counted.
     */
    get: operations["getStatistics"];
  };
  "/v1/admin/statistics/sign-ins": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Count sign-ins by hour or day
     * @description Requires the permission `users:read`. Whole hours of up to 31 days, or whole days of up to 366; those of the last 400 days are stored. A user who signs in twice within a bucket counts once in its `users`, so these do not add up: a day has fewer users than its hours together. Attempts that a limit refuses unchecked are not counted, nor are those for unknown addresses.
     */
    get: operations["getSignInStatistics"];
  };
  "/v1/organisations": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Create an organisation with its owner
     * @description With its default roles. The owner gets a mail with a link to set a password.
     */
    post: operations["createOrganisation"];
  };
  "/v1/system/organisations": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List organisations
     * @description All of this installation, in any status.
     */
    get: operations["listOrganisations"];
  };
  "/v1/system/organisations/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get an organisation
     * @description In any status, with its settings.
     */
    get: operations["getOrganisation"];
    /**
     * Delete an organisation
     * @description It is cancelled: its users cannot sign in any more, and it is purged after the retention time.
     */
    delete: operations["deleteOrganisation"];
  };
  "/v1/system/organisations/{id}/suspend": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Suspend an organisation
     * @description Its sessions end. Its tokens are refused and its users cannot sign in until it is activated again.
     */
    patch: operations["suspendOrganisation"];
  };
  "/v1/system/organisations/{id}/activate": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Activate an organisation
     * @description Ends a trial or a suspension.
     */
    patch: operations["activateOrganisation"];
  };
  "/v1/system/organisations/{id}/restore": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Restore an organisation
     * @description Reverts its cancellation, as long as its data has not been purged. It gets its former status back; its users sign in anew.
     */
    post: operations["restoreOrganisation"];
  };
  "/v1/system/organisations/{id}/export": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Export an organisation
     * @description Everything stored about it, without secrets.
     */
    get: operations["exportOrganisation"];
  };
  "/v1/system/organisations/{id}/users": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Find a user of an organisation by e-mail address
     * @description If there is one, the audit log of the organisation records `user.looked_up`.
     */
    get: operations["findOrganisationUsers"];
  };
  "/v1/system/organisations/{id}/users/{userId}/recover": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Recover a user who cannot sign in
     * @description For users whom no administrator of the organisation can help, above all its owner. The audit log of the organisation records what was done, and the user gets a mail, except of the end of a block in whose place another begins.
     */
    post: operations["recoverUser"];
  };
  "/v1/system/organisations/{id}/users/{userId}/erase": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Erase the personal data of a user
     * @description Only the id stays in the audit log, and the e-mail address becomes available again. It cannot be undone.
     */
    post: operations["eraseUser"];
  };
  "/v1/system/organisations/{id}/transfer-ownership": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Transfer the ownership of an organisation
     * @description For an organisation whose owner can no longer do so. The new and the former owner get a mail. All accounts at identity providers are unlinked from the new owner.
     */
    post: operations["transferOrganisationOwnership"];
  };
  "/v1/system/domains/{id}/foreign-accounts": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the accounts of other organisations in a domain
     * @description The accounts that `foreignAccounts` of the domain counts; its administrators see only the number.
     */
    get: operations["listForeignAccounts"];
  };
  "/v1/system/sign-in-checks": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Check why a user of any organisation cannot sign in
     * @description The same for the operator, in any organisation. The organisation's audit log records the check.
     */
    post: operations["checkSignInAnywhere"];
  };
  "/v1/system/permissions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List all permissions
     * @description The built-in ones and those that were added.
     */
    get: operations["listAllPermissions"];
    /**
     * Add a permission
     * @description For your own API: roles of every organisation can hold it from then on.
     */
    post: operations["createPermission"];
  };
  "/v1/system/permissions/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Remove a permission from the catalogue, roles and API keys
     * @description The service's own permissions cannot be removed. Tokens with the permission stay valid until they expire.
     */
    delete: operations["deletePermission"];
  };
  "/v1/system/doctor": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Examine the installation
     * @description Checks the installation: configuration, `PUBLIC_URL` and its proxy, database, mail, webhooks, keys. Each check says what was seen, why it matters and how to fix it. Changes nothing; may take some seconds.
     */
    get: operations["examineInstallation"];
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    Acceptance: {
      /** @description From the link in the mail */
      token: string;
      /** @description First name */
      firstName: string;
      /** @description Last name */
      lastName: string;
      /** @description Within the password policy of the organisation */
      password: string;
    };
    ActivityEntry: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /**
       * @description What happened
       * @enum {string}
       */
      action: "login.success" | "auth.logout" | "session.revoked" | "oauth2.consent.granted" | "oauth2.consent.revoked" | "api_key.created" | "passkey.registered" | "passkey.deleted" | "passkey.clone_suspected" | "identity.linked" | "identity.unlinked" | "user.created" | "user.updated" | "user.blocked" | "user.restored" | "user.recovered" | "user.password_changed" | "user.password_removed" | "user.password_breached" | "role.assigned" | "role.unassigned" | "login.failed" | "login.locked" | "login.unlocked" | "auth.password_reset_requested" | "auth.email_code_requested" | "auth.password_reset" | "auth.password_expired" | "auth.email_verified" | "mfa.enabled" | "mfa.disabled" | "mfa.backup_codes_replaced";
      /**
       * @description Who did it; `unidentified` if they had not proven to be you
       * @enum {string}
       */
      by: "self" | "unidentified" | "administrator" | "operator";
      /** @description Name of the application, API key or passkey, or slug of the role; null without one */
      about: string | null;
      /** @description The session that began or ended; null when none did */
      sessionId: string | null;
      /** @description IP address of the request; null for actions of others */
      ipAddress: string | null;
      /** @description The user agent, as it names itself; null for actions of others */
      device: {
        /** @description Name of the browser, if known */
        browser: string | null;
        /** @description Name of the operating system, if known */
        os: string | null;
        /** @description desktop, mobile, tablet …, if known */
        type: string | null;
      } | null;
      /**
       * Format: date-time
       * @description When it happened
       */
      createdAt: string;
    };
    ActivityPage: {
      /** @description The records of this page */
      data: components["schemas"]["ActivityEntry"][];
      /** @description Where the next page begins; null on the last page */
      nextCursor: string | null;
    };
    ApiKey: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description What the key is for */
      name: string;
      /** @description How the key begins, to tell keys apart; empty without a secret */
      prefix: string;
      /** @description Slugs of its permissions; it may use those that its creator still has */
      permissions: string[];
      /** @description When the key stops working; null never */
      expiresAt: string | null;
      /** @description To the minute; null before the first use */
      lastUsedAt: string | null;
      /** @description The user who is responsible for the key */
      createdById: string;
      /** @description Identities of platforms that stand in for a secret, at most 20: of CI jobs, Kubernetes service accounts or SPIFFE workloads. Each is of one client or API key in the whole installation. The tokens are for this service: `aud` is its issuer */
      federatedCredentials: components["schemas"]["FederatedCredential"][];
      /**
       * Format: date-time
       * @description When the key was made
       */
      createdAt: string;
      /** @description The user who is responsible for the key */
      createdBy: {
        /** @description The user who is responsible for the key */
        id: string;
        /** @description The current name of the user */
        name: string;
      };
    };
    ApiKeyChanges: {
      /** @description Identities of platforms that stand in for a secret, at most 20: of CI jobs, Kubernetes service accounts or SPIFFE workloads. Each is of one client or API key in the whole installation. The tokens are for this service: `aud` is its issuer. Needs the extension `federated_credentials` */
      federatedCredentials?: {
        /** @description Which workload it is, for people */
        name: string;
        /** @description The `iss` of its tokens, compared as exact text */
        issuer: string;
        /** @description The `sub` of its tokens: exact, or ending in `*` after a `:` or `/` that two segments or more stand before */
        subject: string;
        /** @description Further claims that its tokens have to have, with these values (default: `{}`) */
        claims?: {
          [key: string]: string | number | boolean;
        };
        /** @description The public keys of an issuer that publishes none; without it they are found by its discovery document */
        jwks?: {
          /** @description At most 20 */
          keys: ({
            /**
             * @description Kind of the key
             * @enum {string}
             */
            kty: "RSA" | "EC" | "OKP";
            /** @description Curve: `P-256` of EC, `Ed25519` of OKP; of platforms also `P-384` and `P-521` of EC */
            crv?: string;
            /** @description Public key on the curve */
            x?: string;
            /** @description Second coordinate of EC */
            y?: string;
            /** @description Modulus of RSA, of 2048 to 8192 bits */
            n?: string;
            /** @description Exponent of RSA */
            e?: string;
            /** @description Name of the key, which assertions carry in their header */
            kid?: string;
            /** @description `sig`, or left out */
            use?: string;
            /** @description The only algorithm of the key */
            alg?: string;
          } & {
            [key: string]: unknown;
          })[];
        };
      }[];
    };
    ApiKeyList: {
      /** @description The records of this page */
      data: components["schemas"]["ApiKey"][];
      /** @description Total number of records */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
    };
    ApiKeyWithSecret: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description What the key is for */
      name: string;
      /** @description How the key begins, to tell keys apart; empty without a secret */
      prefix: string;
      /** @description Slugs of its permissions; it may use those that its creator still has */
      permissions: string[];
      /** @description When the key stops working; null never */
      expiresAt: string | null;
      /** @description To the minute; null before the first use */
      lastUsedAt: string | null;
      /** @description The user who is responsible for the key */
      createdById: string;
      /** @description Identities of platforms that stand in for a secret, at most 20: of CI jobs, Kubernetes service accounts or SPIFFE workloads. Each is of one client or API key in the whole installation. The tokens are for this service: `aud` is its issuer */
      federatedCredentials: components["schemas"]["FederatedCredential"][];
      /**
       * Format: date-time
       * @description When the key was made
       */
      createdAt: string;
      /** @description For `Authorization: Bearer`; shown this once. Not there with `secret` `none` */
      key?: string;
    };
    AppliedConfiguration: {
      /** @description The state that the plan was made from, for `apply` */
      basis: string;
      /** @description In the order of the document */
      changes: components["schemas"]["ConfigurationChange"][];
      /** @description Secrets that were made with new objects */
      secrets: {
        /** @description The section of the document */
        section: string;
        /** @description The key of the object */
        object: string;
        /** @description Shown only in this response */
        secret: string;
      }[];
      /** @description The ids of the objects that the document names, such as the `client_id` of a new client */
      ids: {
        /** @description The section of the document */
        section: string;
        /** @description The key of the object */
        object: string;
        /** @description Its id, which no document has */
        id: string;
      }[];
    };
    AskedAssertionCheck: {
      /** @description The identity assertion (ID-JAG), as the application presents it. It is neither stored nor used up */
      assertion: string;
      /** @description The application that presents it; by default the one that the assertion names as `client_id` */
      clientId?: string;
      /** @description The `resource` parameters of its request (default: `[]`) */
      resource?: string[];
      /** @description The `scope` parameter of its request; by default all of the assertion */
      scope?: string;
    };
    AskedAuthorizationCheck: {
      /** @description Id of a user of the organisation */
      userId: string;
      /** @description Id of a client of the organisation */
      clientId: string;
      /** @description Scopes as the authorization request would ask for them, separated by spaces */
      scope?: string;
      /** @description The resource server that the token would be for (RFC 8707); ignored without the extension `resource_indicators` */
      resource?: string;
    };
    AskedClaims: {
      /** @description Id of a user of the organisation */
      userId: string;
      /** @description Scopes as the authorization request would ask for them, separated by spaces */
      scope?: string;
      /** @description The resource server that the token would be for (RFC 8707); ignored without the extension `resource_indicators` */
      resource?: string;
      /** @description Mappings to try in place of those of the application. Nothing is stored */
      claimMappings?: {
        /** @description The claim. Names that tokens and OpenID Connect define are reserved */
        name: string;
        /** @description Which tokens and responses have it */
        in: ("id_token" | "access_token" | "userinfo" | "introspection")[];
        /** @description A JSON pointer (RFC 6901): `/user/metadata/…`, `/user/teams` and `/user/roles` (slugs), `/organisation/metadata/…`, `/organisation/slug`, `/identity/<claim>` of the identity provider that the session came by, or `/session/acr`; or the value itself as `{"value": …}`. What is about the user needs the permission `users:read` */
        from: string | {
          /** @description The value itself */
          value: unknown;
        };
        /**
         * @description The form of the value. `first` takes the first of a list, `join` puts commas between its entries. A value that cannot be read so is missing
         * @enum {string}
         */
        as?: "string" | "number" | "boolean" | "array" | "first" | "join" | "lowercase";
        /** @description Only where this scope is granted; without it always */
        scope?: string;
        /** @description Stands in for a value that is missing or null */
        default?: unknown;
      }[];
    };
    AskedConfiguration: {
      /** @description The document, of docs/organisation.schema.json, but with secrets in place of the names of their variables */
      document: {
        [key: string]: unknown;
      };
      /** @description Whether to delete objects that the document does not name, in the sections that it has (default: `false`) */
      prune?: boolean;
    };
    AskedMappings: {
      /** @description Roles and teams of the members of groups */
      groupMappings?: {
        /** @description The group, by exactly one of its names */
        group: {
          /** @description What the group is called there, in any case */
          displayName?: string;
          /** @description The id by which the directory knows it */
          externalId?: string;
        };
        /** @description Ids of the roles that its members get; never the owner role (default: `[]`) */
        roleIds?: string[];
        /** @description Ids of the teams that its members join (default: `[]`) */
        teamIds?: string[];
      }[];
      /**
       * @description `teams`: each of its groups is a team. `mappings_only`: only what `groupMappings` name follows
       * @enum {string}
       */
      groups?: "teams" | "mappings_only";
    };
    AskedPermissionChecks: {
      /** @description Id of a user of the organisation */
      userId: string;
      /** @description Slug of a permission */
      permission: string;
    } | {
      /** @description Several at once */
      checks: {
        /** @description Id of a user of the organisation */
        userId: string;
        /** @description Slug of a permission */
        permission: string;
      }[];
    };
    AskedRoleChange: {
      /** @description Ids or slugs of permissions; replaces those that the role holds */
      permissionIds?: string[];
      /**
       * @description Shows the impact of deleting the role
       * @enum {boolean}
       */
      delete?: true;
    };
    AskedSignInCheck: {
      /** @description The whole e-mail address */
      email: string;
      /** @description The application that the user wants to use; for one with a document, the address of that */
      clientId?: string;
      /** @description The connection with which the user signs in; limits the check to this way */
      connectionId?: string;
      /** @description The redirect URI that the application sends, beside `clientId` */
      redirectUri?: string;
      /** @description Slug of the permission that the user needs */
      permission?: string;
    };
    AssertionCheck: {
      /** @description Whether the application would get an access token now */
      allowed: boolean;
      /** @description The application; null if the organisation has none that the assertion or the request names */
      clientId: string | null;
      /** @description The connection of its issuer; null if none accepts it */
      connectionId: string | null;
      /** @description The user; null for one who is unknown, or would be created */
      userId: string | null;
      /** @description Whether its first use would create the user */
      createsUser: boolean;
      /** @description The APIs that the token would be for */
      resources: string[];
      /** @description The scopes that it would have */
      scope: string[];
      /** @description Every check, in the order of the token endpoint */
      checks: components["schemas"]["InspectedCheck"][];
    };
    AssignmentSource: {
      /**
       * @description `manual`: an administrator
       * @enum {string}
       */
      type: "manual" | "connection" | "directory";
      /** @description Id of the connection or directory; null for `manual` */
      id: string | null;
      /** @description Name of the connection or directory; null for `manual` */
      name: string | null;
    };
    AuditAction: {
      /** @description What the entries say in `action` */
      action: string;
      /**
       * @description The kind of object in such entries
       * @enum {string}
       */
      targetType: "api_key" | "client" | "client_host" | "connection" | "directory" | "domain" | "identity" | "invitation" | "organisation" | "passkey" | "permission" | "registration_token" | "resource_authorization_server" | "resource_server" | "role" | "session" | "setup_link" | "team" | "user" | "webhook";
      /** @description The webhook events that report it; none if only the audit log does */
      events: string[];
      /** @description Code of the refusal that undoing such an entry always gets; null where it may succeed */
      undoRefusal: string | null;
    };
    AuditActionList: {
      /** @description The records of this page */
      data: components["schemas"]["AuditAction"][];
      /** @description Total number of records */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
    };
    AuditEntry: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description What happened */
      action: string;
      /**
       * @description What kind of actor it was
       * @enum {string}
       */
      actorType: "user" | "api_key" | "client" | "directory" | "setup_link" | "system";
      /** @description Id of the actor; `cli` for the command `gatehouse`, null for the system otherwise and for a caller who was not identified */
      actorId: string | null;
      /** @description The kind of object */
      targetType: string;
      /** @description Id of the object that it concerns */
      targetId: string;
      /** @description IP address of the request; null for the system */
      ipAddress: string | null;
      /** @description User agent of the request, as it names itself; null for the system */
      userAgent: string | null;
      /** @description Each changed field with its value before and after; all fields of an object that was created or deleted. Null when no fields were compared */
      changes: {
        [key: string]: {
          /** @description The value before */
          from: unknown;
          /** @description The value after */
          to: unknown;
        };
      } | null;
      /** @description Further details, such as the reason; null without any */
      metadata: {
        [key: string]: unknown;
      } | null;
      /**
       * Format: date-time
       * @description When it happened
       */
      createdAt: string;
      /** @description The name of the actor at that time */
      actorName: string | null;
      /** @description The e-mail address of an actor who is a user, at that time */
      actorEmail: string | null;
      /** @description The name of the target at that time */
      targetName: string | null;
      /** @description The target's address then */
      targetEmail: string | null;
      /** @description The actor in one place: the fields that begin with `actor` */
      actor: {
        /** @description Id of the actor; `cli` for the command `gatehouse`, null for the system otherwise and for a caller who was not identified */
        id: string | null;
        /**
         * @description What kind of actor it was
         * @enum {string}
         */
        type: "user" | "api_key" | "client" | "directory" | "setup_link" | "system";
        /** @description The name of the actor at that time */
        name: string | null;
        /** @description The e-mail address of an actor who is a user, at that time */
        email: string | null;
      };
      /** @description The target in one place: the fields that begin with `target` */
      target: {
        /** @description Id of the object that it concerns */
        id: string;
        /** @description The kind of object */
        type: string;
        /** @description The name of the target at that time */
        name: string | null;
      };
      /** @description The request that it was part of, as `X-Request-Id` of its response names it; null for the system */
      requestId: string | null;
      /** @description The sign-in that it was part of, or that of its actor, for GET /v1/admin/sign-ins/{id}; null without one, and in entries of earlier releases */
      signInId: string | null;
    };
    AuditEntryPage: {
      /** @description The records of this page */
      data: components["schemas"]["AuditEntry"][];
      /** @description Where the next page begins; null on the last page */
      nextCursor: string | null;
    };
    AuthorizationCheck: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      userId: string;
      /** @description Identifier: the prefix of its type, and an opaque text */
      clientId: string;
      /** @description Whether the client would get tokens for the user now */
      allowed: boolean;
      /** @description The scopes that would be issued */
      scope: string[];
      /** @description Whether the user would be asked for consent first */
      asksConsent: boolean;
      /** @description Claims of the access token, without those that the sign-in decides (`jti`, `sid`, `nonce`, `acr`, `amr`, `auth_time`); null when none would be issued */
      accessToken: {
        [key: string]: unknown;
      } | null;
      /** @description Claims of the ID token, without those that the sign-in decides (`jti`, `sid`, `nonce`, `acr`, `amr`, `auth_time`); null when none would be issued */
      idToken: {
        [key: string]: unknown;
      } | null;
      /** @description Whether a refresh token would be issued */
      refreshToken: boolean;
      /** @description Each check that would refuse */
      refusals: {
        /**
         * @description The endpoint that would refuse
         * @enum {string}
         */
        endpoint: "authorize" | "token";
        /** @description Error code of the protocol */
        error: string;
        /** @description What would be refused */
        description: string;
        /** @description What is checked */
        check: string;
        /** @description What would be right */
        expected: unknown;
        /** @description What there is */
        received: unknown;
      }[];
      /** @description What keeps the user from using any permission: the user is blocked, the organisation is suspended, or the user has no session and the next sign-in asks to enrol a second factor, register a passkey or set a new password first */
      blockedBy: ("blocked" | "suspended" | "mfa_enrolment" | "passkey_enrolment" | "password_expired")[];
      /** @description What was requested but has no effect */
      ignored: "resource"[];
    };
    BlockedClientHost: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description Host whose documents are refused */
      host: string;
      /** @description Why it is blocked; null when no reason was given */
      reason: string | null;
      /** @description Id of the user who has blocked it; null when it was an API key */
      createdById: string | null;
      /**
       * Format: date-time
       * @description When it was blocked
       */
      createdAt: string;
    };
    BlockedClientHostList: {
      /** @description The records of this page */
      data: components["schemas"]["BlockedClientHost"][];
      /** @description Total number of records */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
    };
    ChangedWebhook: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description The organisation that it belongs to */
      organisationId: string;
      /** @description Where events are sent, by https */
      url: string;
      /** @description Names of the events; `*` means all */
      events: string[];
      /** @description Id of an OAuth client of the organisation */
      clientId: string | null;
      /**
       * @description Which of the two documented payload formats the endpoint receives
       * @enum {string}
       */
      variant: "A" | "B";
      /** @description Whether requests also have the headers of Standard Webhooks, which its libraries verify: `webhook-id`, `webhook-timestamp`, `webhook-signature` */
      standardSignature: boolean;
      /** @description Whether events are delivered to it */
      isActive: boolean;
      /** @description Deliveries in a row that failed for good; at 10 the endpoint is deactivated */
      failureCount: number;
      /** @description When the last attempt was made */
      lastTriggeredAt: string | null;
      /** @description When the last failed attempt was made */
      lastFailureAt: string | null;
      /**
       * Format: date-time
       * @description When it was created
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When it was last changed
       */
      updatedAt: string;
    };
    ClaimMapping: {
      /** @description Where the address is; `email` without it. Only `oidc` may name another claim */
      email?: string | null;
      /** @description Where the first name is; `given_name` without it */
      firstName?: string | null;
      /** @description Where the last name is; `family_name` without it */
      lastName?: string | null;
      /** @description Where the phone number is; none is read without it */
      phone?: string | null;
      /** @description Where the groups are; `groups` without it. The mappings of the claim `groups` read it there */
      groups?: string | null;
    };
    ClaimsPreview: {
      /** @description Claims of the ID token; null without the scope `openid`, without those that the sign-in decides (`jti`, `sid`, `nonce`) */
      idToken: {
        [key: string]: unknown;
      } | null;
      /** @description Claims of the access token, without those that the sign-in decides (`jti`, `sid`, `nonce`) */
      accessToken: {
        [key: string]: unknown;
      };
      /** @description Claims of UserInfo; null without the scope `openid`, without those that the sign-in decides (`jti`, `sid`, `nonce`) */
      userInfo: {
        [key: string]: unknown;
      } | null;
      /** @description Claims of the introspection of the access token, without those that the sign-in decides (`jti`, `sid`, `nonce`) */
      introspection: {
        [key: string]: unknown;
      };
    };
    Client: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description What OAuth calls `client_id`: equal to `id`, or what an application uses that has introduced itself */
      clientId: string;
      /**
       * @description How it came here: an administrator registered it, it registered itself, or it has a client ID metadata document
       * @enum {string}
       */
      origin: "admin" | "registration" | "metadata_document";
      /** @description Address of its client ID metadata document; null without one */
      metadataUrl: string | null;
      /** @description Name of the application, as the consent page shows it */
      name: string;
      /** @description What the client is for */
      description: string | null;
      /**
       * @description Confidential clients can store a secret; public ones (browser and native applications) cannot. Immutable
       * @enum {string}
       */
      clientType: "confidential" | "public";
      /** @description `fapi2` holds the client to the FAPI 2.0 Security Profile: it sets what the profile demands, and refuses what contradicts it; null for none. Needs the extensions `private_key_jwt`, `par` and `dpop`; `mtls` may take the place of the first and of the last */
      profile: "fapi2" | null;
      /**
       * @description How the client is told to authenticate: client_secret_basic by default, none for public clients. A secret is accepted either way; with `private_key_jwt` only a signed assertion is (RFC 7523), which needs the extension of that name; with `tls_client_auth` and `self_signed_tls_client_auth` only a certificate is (RFC 8705), which needs the extension `mtls`
       * @enum {string}
       */
      tokenEndpointAuthMethod: "client_secret_basic" | "client_secret_post" | "none" | "private_key_jwt" | "tls_client_auth" | "self_signed_tls_client_auth";
      /** @description Public keys by which the client signs; null when it has none, or publishes them */
      jwks: {
        /** @description At most 20 */
        keys: {
          /**
           * @description Kind of the key
           * @enum {string}
           */
          kty: "RSA" | "EC" | "OKP";
          /** @description Curve: `P-256` of EC, `Ed25519` of OKP; of platforms also `P-384` and `P-521` of EC */
          crv?: string;
          /** @description Public key on the curve */
          x?: string;
          /** @description Second coordinate of EC */
          y?: string;
          /** @description Modulus of RSA, of 2048 to 8192 bits */
          n?: string;
          /** @description Exponent of RSA */
          e?: string;
          /** @description Name of the key, which assertions carry in their header */
          kid?: string;
          /** @description `sig`, or left out */
          use?: string;
          /** @description The only algorithm of the key */
          alg?: string;
        }[];
      } | null;
      /** @description Address at which the client publishes its keys */
      jwksUri: string | null;
      /** @description The only algorithm in which the client signs its assertions; null allows each */
      tokenEndpointAuthSigningAlg: ("EdDSA" | "ES256" | "PS256" | "RS256") | null;
      /** @description Whether the client has to sign its authorization requests (RFC 9101): others are refused. Needs the extension `jar` */
      requireSignedRequestObject: boolean;
      /** @description The only algorithm in which the client signs its authorization requests; null allows each */
      requestObjectSigningAlg: ("EdDSA" | "ES256" | "PS256" | "RS256") | null;
      /** @description The name that its certificate has to have; null for none */
      tlsClientAuth: {
        /** @description The subject */
        subjectDn?: string;
        /** @description A DNS name */
        sanDns?: string;
        /** @description A URI */
        sanUri?: string;
        /** @description An IP address */
        sanIp?: string;
        /** @description An e-mail address */
        sanEmail?: string;
      } | null;
      /** @description Whether the client gets tokens for a certificate alone, to which they are bound (RFC 8705 §3). With a proof of a key (DPoP) they are bound to that key. Needs the extension `mtls` */
      certificateBoundAccessTokens: boolean;
      /** @description Addresses that an authorization response may be sent to, compared as exact strings */
      redirectUris: string[];
      /** @description Addresses that the browser may be sent to after sign-out */
      postLogoutRedirectUris: string[];
      /** @description Address of the application at which a sign-in begins (OpenID Connect Core §4) */
      initiateLoginUri: string | null;
      /** @description Grants that the client may use */
      grantTypes: ("authorization_code" | "refresh_token" | "client_credentials" | "urn:ietf:params:oauth:grant-type:device_code" | "urn:ietf:params:oauth:grant-type:token-exchange" | "urn:ietf:params:oauth:grant-type:jwt-bearer")[];
      /** @description Custom scopes */
      scopes: string[];
      /** @description Whether a code is only issued for a PKCE challenge; always true for public clients */
      requirePkce: boolean;
      /** @description Whether the challenge method `plain` is accepted besides `S256` */
      allowPlainPkce: boolean;
      /** @description Whether users are asked before the client gets a code */
      requireConsent: boolean;
      /** @description Whether the client has to push its authorization requests (RFC 9126): others are refused. Needs the extension `par` */
      requirePushedAuthorizationRequests: boolean;
      /** @description Whether the client gets tokens for a proof of its key alone (RFC 9449), to which they are bound. Needs the extension `dpop` */
      requireDpop: boolean;
      /** @description false once revoked: nothing is issued and nothing issued before is accepted */
      isActive: boolean;
      /** @description Seconds within which the same refresh by the same client gets the same response again. With 0, two processes of one application that refresh at the same moment end the session: set some, such as 30, for an application of several processes */
      refreshTokenGraceSeconds: number;
      /** @description Seconds: the client's own, else the organisation's, else the default */
      accessTokenLifetime: number;
      /** @description Seconds: the client's own, else the organisation's, else the default */
      refreshTokenLifetime: number;
      /** @description Seconds: the client's own, else the organisation's, else the default */
      refreshTokenAbsoluteLifetime: number;
      /** @description Seconds: the client's own, else the organisation's, else the default */
      idTokenLifetime: number;
      /** @description Seconds that a code can be redeemed */
      authorizationCodeTtl: number;
      /**
       * @description What signs ID tokens of the client
       * @enum {string}
       */
      idTokenSignedResponseAlg: "EdDSA" | "RS256";
      /** @description What signs the responses of introspection in signed form; null means `RS256` */
      introspectionSignedResponseAlg: ("EdDSA" | "RS256") | null;
      /** @description Levels of sign-in to attempt if a request names none; null for none */
      defaultAcrValues: string[] | null;
      /** @description Seconds after which a user signs in again, if a request does not say it; null for none */
      defaultMaxAge: number | null;
      /** @description Where logout tokens are sent when a session ends; null for none */
      backchannelLogoutUri: string | null;
      /** @description Whether the client needs `sid` in logout tokens. They always contain it, so this only records what the client has registered. Needs the extension `backchannel_logout` */
      backchannelLogoutSessionRequired: boolean;
      /** @description Whether what the client holds by a session ends with the session, refresh tokens among it. Needs the extension `backchannel_logout` */
      backchannelLogoutRevokesRefresh: boolean;
      /** @description Resource servers that the client may ask tokens for; null for none */
      resourceServerIds: string[] | null;
      /** @description Identifier of the resource server that tokens are for if a request names none; null for none */
      defaultResource: string | null;
      /** @description Claims that its tokens, UserInfo and introspection have besides */
      claimMappings: {
        /** @description The claim */
        name: string;
        /** @description Which tokens and responses have it */
        in: ("id_token" | "access_token" | "userinfo" | "introspection")[];
        /** @description A JSON pointer, or the value itself as `{"value": …}` */
        from: unknown;
        /**
         * @description The form of the value
         * @enum {string}
         */
        as?: "string" | "number" | "boolean" | "array" | "first" | "join" | "lowercase";
        /** @description The scope that has to be granted */
        scope?: string;
        /** @description Stands in for a value that is missing */
        default?: unknown;
      }[];
      /** @description Identities of platforms that stand in for a secret, at most 20: of CI jobs, Kubernetes service accounts or SPIFFE workloads. Each is of one client or API key in the whole installation. The tokens are for this service: `aud` is its issuer */
      federatedCredentials: components["schemas"]["FederatedCredential"][];
      /** @description Address of the logo on the consent page */
      logoUrl: string | null;
      /** @description The organisation that it belongs to */
      organisationId: string;
      /**
       * Format: date-time
       * @description When the client was registered
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When the client was last changed
       */
      updatedAt: string;
      /** @description How the client registered itself; null for others */
      registration: {
        /** @description The registration token by which it registered; null without one */
        registrationTokenId: string | null;
        /** @description From which address it registered */
        ipAddress: string | null;
      } | null;
      /** @description When it last got a token, or called introspection or revocation with its secret; null before. May be 5 minutes old */
      lastUsedAt: string | null;
      /** @description The secret of the client, without its value; null for a client that does not authenticate by one */
      secret: {
        /**
         * Format: date-time
         * @description When the current secret was made
         */
        createdAt: string;
        /** @description When the current secret was last used; null before. May be 5 minutes old */
        lastUsedAt: string | null;
        /** @description Until when the previous secret works, or worked; null when there is none or it ended at once */
        previousValidUntil: string | null;
      } | null;
    };
    ClientChanges: {
      /** @description Shown on the consent page */
      name?: string;
      /** @description What the client is for */
      description?: string | null;
      /**
       * @description How the client is told to authenticate: client_secret_basic by default, none for public clients. A secret is accepted either way; with `private_key_jwt` only a signed assertion is (RFC 7523), which needs the extension of that name; with `tls_client_auth` and `self_signed_tls_client_auth` only a certificate is (RFC 8705), which needs the extension `mtls`
       * @enum {string}
       */
      tokenEndpointAuthMethod?: "client_secret_basic" | "client_secret_post" | "none" | "private_key_jwt" | "tls_client_auth" | "self_signed_tls_client_auth";
      /** @description `fapi2` holds the client to the FAPI 2.0 Security Profile: it sets what the profile demands, and refuses what contradicts it; null for none. Needs the extensions `private_key_jwt`, `par` and `dpop`; `mtls` may take the place of the first and of the last */
      profile?: "fapi2" | null;
      /** @description Public keys by which the client signs (RFC 7517): RSA, EC with P-256, or OKP with Ed25519; null for none. With `self_signed_tls_client_auth`, the keys of its certificates. Needs the extension `private_key_jwt`, `mtls` or `jar` */
      jwks?: {
        /** @description At most 20 */
        keys: ({
          /**
           * @description Kind of the key
           * @enum {string}
           */
          kty: "RSA" | "EC" | "OKP";
          /** @description Curve: `P-256` of EC, `Ed25519` of OKP; of platforms also `P-384` and `P-521` of EC */
          crv?: string;
          /** @description Public key on the curve */
          x?: string;
          /** @description Second coordinate of EC */
          y?: string;
          /** @description Modulus of RSA, of 2048 to 8192 bits */
          n?: string;
          /** @description Exponent of RSA */
          e?: string;
          /** @description Name of the key, which assertions carry in their header */
          kid?: string;
          /** @description `sig`, or left out */
          use?: string;
          /** @description The only algorithm of the key */
          alg?: string;
        } & {
          [key: string]: unknown;
        })[];
      } | null;
      /** @description Address at which the client publishes them, in place of `jwks`: https, read anew every ten minutes; null for none. Needs the extension `private_key_jwt`, `mtls` or `jar` */
      jwksUri?: string | null;
      /** @description The only algorithm in which the client signs its assertions; null allows each. `Ed25519` is another name of `EdDSA`. Needs the extension `private_key_jwt` */
      tokenEndpointAuthSigningAlg?: ("EdDSA" | "Ed25519" | "ES256" | "PS256" | "RS256") | null;
      /** @description Whether the client has to sign its authorization requests (RFC 9101): others are refused. Needs the extension `jar` */
      requireSignedRequestObject?: boolean;
      /** @description The only algorithm in which the client signs its authorization requests; null allows each. `Ed25519` is another name of `EdDSA`. Needs the extension `jar` */
      requestObjectSigningAlg?: ("EdDSA" | "Ed25519" | "ES256" | "PS256" | "RS256") | null;
      /** @description The name that the certificate has to have with `tls_client_auth` (RFC 8705 §2.1.2): exactly one; null for none. Needs the extension `mtls` */
      tlsClientAuth?: {
        /** @description The subject (RFC 4514), the most specific name first. It is stored and shown in one form */
        subjectDn?: string;
        /** @description A DNS name among the alternative names */
        sanDns?: string;
        /** @description A URI among them */
        sanUri?: string;
        /** @description An IP address among them */
        sanIp?: string;
        /** @description An e-mail address among them */
        sanEmail?: string;
      } | null;
      /** @description Whether the client gets tokens for a certificate alone, to which they are bound (RFC 8705 §3). With a proof of a key (DPoP) they are bound to that key. Needs the extension `mtls` */
      certificateBoundAccessTokens?: boolean;
      /** @description Where browsers may be sent with a code, compared as exact strings: https, loopback http or a private-use scheme. Within allowedCallbackUrls of the organisation, when it has any */
      redirectUris?: string[];
      /** @description Where browsers may be sent after signing out. Within allowedLogoutUrls of the organisation, when it has any */
      postLogoutRedirectUris?: string[];
      /** @description Where a sign-in begins that the application has not requested, such as after an invitation (OpenID Connect Core §4): https, or http on loopback. Of the origin of one of allowedCallbackUrls of the organisation, when it has any */
      initiateLoginUri?: string | null;
      /** @description Grants that the client may use. `urn:ietf:params:oauth:grant-type:device_code`, for devices without a browser (RFC 8628), needs the extension `device` */
      grantTypes?: ("authorization_code" | "refresh_token" | "client_credentials" | "urn:ietf:params:oauth:grant-type:device_code" | "urn:ietf:params:oauth:grant-type:token-exchange" | "urn:ietf:params:oauth:grant-type:jwt-bearer")[];
      /** @description Custom scopes that the client may request. Those of OpenID Connect are left out: every client may request them */
      scopes?: string[];
      /** @description Whether a code is only issued for a PKCE challenge; always true for public clients */
      requirePkce?: boolean;
      /** @description Whether the challenge method `plain` is accepted besides `S256` */
      allowPlainPkce?: boolean;
      /** @description Whether users are asked before the client gets a code */
      requireConsent?: boolean;
      /** @description Whether the client has to push its authorization requests (RFC 9126): others are refused. Needs the extension `par` */
      requirePushedAuthorizationRequests?: boolean;
      /** @description Whether the client gets tokens for a proof of its key alone (RFC 9449), to which they are bound. Needs the extension `dpop` */
      requireDpop?: boolean;
      /** @description Seconds within which the same refresh by the same client gets the same response again. With 0, two processes of one application that refresh at the same moment end the session: set some, such as 30, for an application of several processes */
      refreshTokenGraceSeconds?: number;
      /** @description Seconds; null follows the token lifetime policy of the organisation */
      accessTokenLifetime?: number | null;
      /** @description Seconds; null follows the token lifetime policy of the organisation */
      refreshTokenLifetime?: number | null;
      /** @description Seconds after the sign-in of the user at which refreshing ends for good, however often it was used; null follows the token lifetime policy of the organisation */
      refreshTokenAbsoluteLifetime?: number | null;
      /** @description Seconds; null follows the token lifetime policy of the organisation */
      idTokenLifetime?: number | null;
      /** @description Seconds that a code can be redeemed */
      authorizationCodeTtl?: number;
      /**
       * @description What signs ID tokens of the client. `Ed25519` is another name of `EdDSA`
       * @enum {string}
       */
      idTokenSignedResponseAlg?: "EdDSA" | "RS256" | "Ed25519";
      /** @description What signs the responses of introspection that the client asks for in signed form (RFC 9701); null means `RS256`. Needs the extension `jwt_introspection` */
      introspectionSignedResponseAlg?: ("EdDSA" | "RS256" | "Ed25519") | null;
      /** @description Levels of sign-in, best first, to attempt if a request names none in `acr_values` (OpenID Connect Dynamic Client Registration §2). Needs the extension `step_up` */
      defaultAcrValues?: ("aal1" | "aal2" | "phr" | "phrh")[] | null;
      /** @description Seconds after which a user signs in again, if a request does not say it by `max_age` (OpenID Connect Dynamic Client Registration §2) */
      defaultMaxAge?: number | null;
      /** @description Where logout tokens are sent when a session ends in which the client has got tokens: https, without a fragment, to a destination that webhooks may have; null for none. Needs the extension `backchannel_logout` */
      backchannelLogoutUri?: string | null;
      /** @description Whether the client needs `sid` in logout tokens. They always contain it, so this only records what the client has registered. Needs the extension `backchannel_logout` */
      backchannelLogoutSessionRequired?: boolean;
      /** @description Whether what the client holds by a session ends with the session, refresh tokens among it. Needs the extension `backchannel_logout` */
      backchannelLogoutRevokesRefresh?: boolean;
      /** @description Resource servers that the client may ask tokens for, and of whose scopes those that `scopes` names; null for none. Needs the extension `resource_indicators` */
      resourceServerIds?: string[] | null;
      /** @description Identifier of the one of them that tokens are for if a request names no `resource`; null for none. Needs the extension `resource_indicators` */
      defaultResource?: string | null;
      /** @description Claims that its tokens, UserInfo and introspection have besides, at most 4 KiB in each */
      claimMappings?: {
        /** @description The claim. Names that tokens and OpenID Connect define are reserved */
        name: string;
        /** @description Which tokens and responses have it */
        in: ("id_token" | "access_token" | "userinfo" | "introspection")[];
        /** @description A JSON pointer (RFC 6901): `/user/metadata/…`, `/user/teams` and `/user/roles` (slugs), `/organisation/metadata/…`, `/organisation/slug`, `/identity/<claim>` of the identity provider that the session came by, or `/session/acr`; or the value itself as `{"value": …}`. What is about the user needs the permission `users:read` */
        from: string | {
          /** @description The value itself */
          value: unknown;
        };
        /**
         * @description The form of the value. `first` takes the first of a list, `join` puts commas between its entries. A value that cannot be read so is missing
         * @enum {string}
         */
        as?: "string" | "number" | "boolean" | "array" | "first" | "join" | "lowercase";
        /** @description Only where this scope is granted; without it always */
        scope?: string;
        /** @description Stands in for a value that is missing or null */
        default?: unknown;
      }[];
      /** @description Identities of platforms that stand in for a secret, at most 20: of CI jobs, Kubernetes service accounts or SPIFFE workloads. Each is of one client or API key in the whole installation. The tokens are for this service: `aud` is its issuer. Needs the extension `federated_credentials` */
      federatedCredentials?: {
        /** @description Which workload it is, for people */
        name: string;
        /** @description The `iss` of its tokens, compared as exact text */
        issuer: string;
        /** @description The `sub` of its tokens: exact, or ending in `*` after a `:` or `/` that two segments or more stand before */
        subject: string;
        /** @description Further claims that its tokens have to have, with these values (default: `{}`) */
        claims?: {
          [key: string]: string | number | boolean;
        };
        /** @description The public keys of an issuer that publishes none; without it they are found by its discovery document */
        jwks?: {
          /** @description At most 20 */
          keys: ({
            /**
             * @description Kind of the key
             * @enum {string}
             */
            kty: "RSA" | "EC" | "OKP";
            /** @description Curve: `P-256` of EC, `Ed25519` of OKP; of platforms also `P-384` and `P-521` of EC */
            crv?: string;
            /** @description Public key on the curve */
            x?: string;
            /** @description Second coordinate of EC */
            y?: string;
            /** @description Modulus of RSA, of 2048 to 8192 bits */
            n?: string;
            /** @description Exponent of RSA */
            e?: string;
            /** @description Name of the key, which assertions carry in their header */
            kid?: string;
            /** @description `sig`, or left out */
            use?: string;
            /** @description The only algorithm of the key */
            alg?: string;
          } & {
            [key: string]: unknown;
          })[];
        };
      }[];
      /** @description Shown on the consent page; https only, during development also http of the machine itself */
      logoUrl?: string | null;
    };
    ClientImpact: {
      /** @description How many users it can act for now, because it can refresh their tokens */
      users: number;
      /** @description How many refresh tokens of these users would end */
      refreshTokens: number;
      /** @description How many users have consented to what it asks for */
      consents: number;
    };
    ClientInformation: {
      /** @description Its identifier */
      client_id: string;
      /** @description When it registered, in seconds since 1970 */
      client_id_issued_at: number;
      /** @description Its secret, which only the response to the registration shows */
      client_secret?: string;
      /** @description 0: the secret does not expire */
      client_secret_expires_at?: number;
      /** @description Where it reads, replaces and deletes its registration */
      registration_client_uri: string;
      /** @description For `Authorization: Bearer` there */
      registration_access_token: string;
      /** @description Shown on the consent page */
      client_name: string;
      /** @description Where browsers may be sent with a code */
      redirect_uris: string[];
      /** @description How it authenticates */
      token_endpoint_auth_method: string;
      /** @description Grants that it may use */
      grant_types: string[];
      /** @description What it may ask for at the authorization endpoint */
      response_types: string[];
      /** @description `web` or `native` */
      application_type: string;
      /** @description Scopes that it may ask for; not for an openly registered client, for which the resources decide */
      scope?: string;
      /** @description What signs its ID tokens */
      id_token_signed_response_alg: string;
      /** @description Always `public` */
      subject_type: string;
      /** @description Where browsers may be sent after signing out */
      post_logout_redirect_uris: string[];
      /** @description Where a sign-in begins that a third party initiates */
      initiate_login_uri?: string;
      /** @description Levels of sign-in to attempt if a request names none */
      default_acr_values?: string[];
      /** @description Seconds after which a user signs in again */
      default_max_age?: number;
      /** @description Page about it */
      client_uri?: string;
      /** @description Address of its logo */
      logo_uri?: string;
      /** @description Its terms of service */
      tos_uri?: string;
      /** @description Its privacy policy */
      policy_uri?: string;
      /** @description Who is responsible for it */
      contacts?: string[];
      /** @description What identifies the software */
      software_id?: string;
      /** @description Version of the software */
      software_version?: string;
      /** @description Public keys by which the client signs */
      jwks?: {
        /** @description At most 20 */
        keys: {
          /**
           * @description Kind of the key
           * @enum {string}
           */
          kty: "RSA" | "EC" | "OKP";
          /** @description Curve: `P-256` of EC, `Ed25519` of OKP; of platforms also `P-384` and `P-521` of EC */
          crv?: string;
          /** @description Public key on the curve */
          x?: string;
          /** @description Second coordinate of EC */
          y?: string;
          /** @description Modulus of RSA, of 2048 to 8192 bits */
          n?: string;
          /** @description Exponent of RSA */
          e?: string;
          /** @description Name of the key, which assertions carry in their header */
          kid?: string;
          /** @description `sig`, or left out */
          use?: string;
          /** @description The only algorithm of the key */
          alg?: string;
        }[];
      };
      /** @description Where it publishes them instead */
      jwks_uri?: string;
      /** @description The only algorithm of its assertions, with `private_key_jwt` */
      token_endpoint_auth_signing_alg?: string;
      /** @description Whether it has to push its requests (RFC 9126), with `par` */
      require_pushed_authorization_requests?: boolean;
      /** @description Whether its tokens are bound to a key that it proves (RFC 9449), with `dpop` */
      dpop_bound_access_tokens?: boolean;
      /** @description Whether it has to sign its requests (RFC 9101), with `jar` */
      require_signed_request_object?: boolean;
      /** @description The only algorithm of its signed requests, with `jar` */
      request_object_signing_alg?: string;
      /** @description What signs introspection (RFC 9701), with `jwt_introspection` */
      introspection_signed_response_alg?: string;
      /** @description Where it is told of the end of sessions, with `backchannel_logout` */
      backchannel_logout_uri?: string;
      /** @description Whether it needs `sid` there */
      backchannel_logout_session_required?: boolean;
      /** @description Subject of its certificate (RFC 4514), with `mtls` */
      tls_client_auth_subject_dn?: string;
      /** @description In place of the subject, a DNS name in its certificate */
      tls_client_auth_san_dns?: string;
      /** @description Or a URI */
      tls_client_auth_san_uri?: string;
      /** @description Or an IP address */
      tls_client_auth_san_ip?: string;
      /** @description Or an e-mail address */
      tls_client_auth_san_email?: string;
      /** @description Whether its tokens are bound to its certificate (RFC 8705), with `mtls` */
      tls_client_certificate_bound_access_tokens?: boolean;
    };
    ClientList: {
      /** @description The records of this page */
      data: components["schemas"]["Client"][];
      /** @description Total number of records */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
    };
    ClientMetadata: {
      /** @description Where browsers may be sent with a code, compared as exact strings; only the port of a loopback address may vary */
      redirect_uris?: string[] | null;
      /** @description `client_secret_basic` unless sent, `client_secret_post`, `none` for a public client, `private_key_jwt` with that extension, or `tls_client_auth` and `self_signed_tls_client_auth` with the extension `mtls` */
      token_endpoint_auth_method?: string | null;
      /** @description `authorization_code` unless sent */
      grant_types?: string[] | null;
      /** @description Only `code` is supported */
      response_types?: string[] | null;
      /** @description `web` redirects to https alone. Unless sent, the redirect URIs decide */
      application_type?: ("web" | "native") | null;
      /** @description Shown on the consent page */
      client_name?: string | null;
      /** @description Page about the client */
      client_uri?: string | null;
      /** @description Address of its logo */
      logo_uri?: string | null;
      /** @description Its terms of service */
      tos_uri?: string | null;
      /** @description Its privacy policy */
      policy_uri?: string | null;
      /** @description Who is responsible for it */
      contacts?: string[] | null;
      /** @description Scopes separated by spaces; unless sent, all that it may register for */
      scope?: string | null;
      /** @description What identifies the software */
      software_id?: string | null;
      /** @description Version of the software */
      software_version?: string | null;
      /** @description Where browsers may be sent after signing out */
      post_logout_redirect_uris?: string[] | null;
      /** @description Where a sign-in begins that a third party initiates */
      initiate_login_uri?: string | null;
      /** @description `RS256` unless sent, or `EdDSA` */
      id_token_signed_response_alg?: string | null;
      /** @description Only `public` is supported */
      subject_type?: string | null;
      /** @description Levels of sign-in to attempt if a request names none, with the extension `step_up` */
      default_acr_values?: string[] | null;
      /** @description Seconds after which a user signs in again, if a request does not say it by `max_age` */
      default_max_age?: (number | null) | null;
      /** @description Public keys by which it signs, with `private_key_jwt` or `jar`, or those of its certificates, with `mtls`. Not together with `jwks_uri` */
      jwks?: unknown;
      /** @description Where it publishes them instead */
      jwks_uri?: unknown;
      /** @description The only algorithm of its assertions, with `private_key_jwt` */
      token_endpoint_auth_signing_alg?: unknown;
      /** @description Whether it has to push its requests (RFC 9126), with `par` */
      require_pushed_authorization_requests?: unknown;
      /** @description Whether its tokens are bound to a key that it proves (RFC 9449), with `dpop` */
      dpop_bound_access_tokens?: unknown;
      /** @description Whether it has to sign its requests (RFC 9101), with `jar` */
      require_signed_request_object?: unknown;
      /** @description The only algorithm of its signed requests, with `jar` */
      request_object_signing_alg?: unknown;
      /** @description What signs introspection (RFC 9701), with `jwt_introspection` */
      introspection_signed_response_alg?: unknown;
      /** @description Where it is told of the end of sessions, with `backchannel_logout` */
      backchannel_logout_uri?: unknown;
      /** @description Whether it needs `sid` there */
      backchannel_logout_session_required?: unknown;
      /** @description Subject of its certificate (RFC 4514), with `mtls` */
      tls_client_auth_subject_dn?: unknown;
      /** @description In place of the subject, a DNS name in its certificate */
      tls_client_auth_san_dns?: unknown;
      /** @description Or a URI */
      tls_client_auth_san_uri?: unknown;
      /** @description Or an IP address */
      tls_client_auth_san_ip?: unknown;
      /** @description Or an e-mail address */
      tls_client_auth_san_email?: unknown;
      /** @description Whether its tokens are bound to its certificate (RFC 8705), with `mtls` */
      tls_client_certificate_bound_access_tokens?: unknown;
    };
    ClientProfile: {
      /** @description The profile that the client is held to; null for none */
      profile: "fapi2" | null;
      /** @description Whether the client was used within the last 7 days */
      isInUse: boolean;
      /** @description Whether it authenticated by its current secret within the last 7 days, which the profile refuses */
      usesSecret: boolean;
      /** @description What the profile demands of the settings, in the order of its sections */
      clauses: {
        /** @description Section and number in the FAPI 2.0 Security Profile; null for a rule of this service */
        clause: string | null;
        /**
         * @description The field of the client
         * @enum {string}
         */
        field: "origin" | "clientType" | "requireDpop" | "tokenEndpointAuthMethod" | "jwks" | "federatedCredentials" | "authorizationCodeTtl" | "requirePushedAuthorizationRequests" | "requirePkce" | "allowPlainPkce" | "redirectUris" | "tokenEndpointAuthSigningAlg" | "requestObjectSigningAlg" | "idTokenSignedResponseAlg" | "introspectionSignedResponseAlg";
        /** @description What the field has to be */
        demand: string;
        /** @description Whether it is that already */
        isMet: boolean;
        /** @description Whether setting the profile sets it; if not, the profile is refused until it has been changed */
        isSetByProfile: boolean;
      }[];
    };
    ClientWithSecret: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description What OAuth calls `client_id`: equal to `id`, or what an application uses that has introduced itself */
      clientId: string;
      /**
       * @description How it came here: an administrator registered it, it registered itself, or it has a client ID metadata document
       * @enum {string}
       */
      origin: "admin" | "registration" | "metadata_document";
      /** @description Address of its client ID metadata document; null without one */
      metadataUrl: string | null;
      /** @description Name of the application, as the consent page shows it */
      name: string;
      /** @description What the client is for */
      description: string | null;
      /**
       * @description Confidential clients can store a secret; public ones (browser and native applications) cannot. Immutable
       * @enum {string}
       */
      clientType: "confidential" | "public";
      /** @description `fapi2` holds the client to the FAPI 2.0 Security Profile: it sets what the profile demands, and refuses what contradicts it; null for none. Needs the extensions `private_key_jwt`, `par` and `dpop`; `mtls` may take the place of the first and of the last */
      profile: "fapi2" | null;
      /**
       * @description How the client is told to authenticate: client_secret_basic by default, none for public clients. A secret is accepted either way; with `private_key_jwt` only a signed assertion is (RFC 7523), which needs the extension of that name; with `tls_client_auth` and `self_signed_tls_client_auth` only a certificate is (RFC 8705), which needs the extension `mtls`
       * @enum {string}
       */
      tokenEndpointAuthMethod: "client_secret_basic" | "client_secret_post" | "none" | "private_key_jwt" | "tls_client_auth" | "self_signed_tls_client_auth";
      /** @description Public keys by which the client signs; null when it has none, or publishes them */
      jwks: {
        /** @description At most 20 */
        keys: {
          /**
           * @description Kind of the key
           * @enum {string}
           */
          kty: "RSA" | "EC" | "OKP";
          /** @description Curve: `P-256` of EC, `Ed25519` of OKP; of platforms also `P-384` and `P-521` of EC */
          crv?: string;
          /** @description Public key on the curve */
          x?: string;
          /** @description Second coordinate of EC */
          y?: string;
          /** @description Modulus of RSA, of 2048 to 8192 bits */
          n?: string;
          /** @description Exponent of RSA */
          e?: string;
          /** @description Name of the key, which assertions carry in their header */
          kid?: string;
          /** @description `sig`, or left out */
          use?: string;
          /** @description The only algorithm of the key */
          alg?: string;
        }[];
      } | null;
      /** @description Address at which the client publishes its keys */
      jwksUri: string | null;
      /** @description The only algorithm in which the client signs its assertions; null allows each */
      tokenEndpointAuthSigningAlg: ("EdDSA" | "ES256" | "PS256" | "RS256") | null;
      /** @description Whether the client has to sign its authorization requests (RFC 9101): others are refused. Needs the extension `jar` */
      requireSignedRequestObject: boolean;
      /** @description The only algorithm in which the client signs its authorization requests; null allows each */
      requestObjectSigningAlg: ("EdDSA" | "ES256" | "PS256" | "RS256") | null;
      /** @description The name that its certificate has to have; null for none */
      tlsClientAuth: {
        /** @description The subject */
        subjectDn?: string;
        /** @description A DNS name */
        sanDns?: string;
        /** @description A URI */
        sanUri?: string;
        /** @description An IP address */
        sanIp?: string;
        /** @description An e-mail address */
        sanEmail?: string;
      } | null;
      /** @description Whether the client gets tokens for a certificate alone, to which they are bound (RFC 8705 §3). With a proof of a key (DPoP) they are bound to that key. Needs the extension `mtls` */
      certificateBoundAccessTokens: boolean;
      /** @description Addresses that an authorization response may be sent to, compared as exact strings */
      redirectUris: string[];
      /** @description Addresses that the browser may be sent to after sign-out */
      postLogoutRedirectUris: string[];
      /** @description Address of the application at which a sign-in begins (OpenID Connect Core §4) */
      initiateLoginUri: string | null;
      /** @description Grants that the client may use */
      grantTypes: ("authorization_code" | "refresh_token" | "client_credentials" | "urn:ietf:params:oauth:grant-type:device_code" | "urn:ietf:params:oauth:grant-type:token-exchange" | "urn:ietf:params:oauth:grant-type:jwt-bearer")[];
      /** @description Custom scopes */
      scopes: string[];
      /** @description Whether a code is only issued for a PKCE challenge; always true for public clients */
      requirePkce: boolean;
      /** @description Whether the challenge method `plain` is accepted besides `S256` */
      allowPlainPkce: boolean;
      /** @description Whether users are asked before the client gets a code */
      requireConsent: boolean;
      /** @description Whether the client has to push its authorization requests (RFC 9126): others are refused. Needs the extension `par` */
      requirePushedAuthorizationRequests: boolean;
      /** @description Whether the client gets tokens for a proof of its key alone (RFC 9449), to which they are bound. Needs the extension `dpop` */
      requireDpop: boolean;
      /** @description false once revoked: nothing is issued and nothing issued before is accepted */
      isActive: boolean;
      /** @description Seconds within which the same refresh by the same client gets the same response again. With 0, two processes of one application that refresh at the same moment end the session: set some, such as 30, for an application of several processes */
      refreshTokenGraceSeconds: number;
      /** @description Seconds: the client's own, else the organisation's, else the default */
      accessTokenLifetime: number;
      /** @description Seconds: the client's own, else the organisation's, else the default */
      refreshTokenLifetime: number;
      /** @description Seconds: the client's own, else the organisation's, else the default */
      refreshTokenAbsoluteLifetime: number;
      /** @description Seconds: the client's own, else the organisation's, else the default */
      idTokenLifetime: number;
      /** @description Seconds that a code can be redeemed */
      authorizationCodeTtl: number;
      /**
       * @description What signs ID tokens of the client
       * @enum {string}
       */
      idTokenSignedResponseAlg: "EdDSA" | "RS256";
      /** @description What signs the responses of introspection in signed form; null means `RS256` */
      introspectionSignedResponseAlg: ("EdDSA" | "RS256") | null;
      /** @description Levels of sign-in to attempt if a request names none; null for none */
      defaultAcrValues: string[] | null;
      /** @description Seconds after which a user signs in again, if a request does not say it; null for none */
      defaultMaxAge: number | null;
      /** @description Where logout tokens are sent when a session ends; null for none */
      backchannelLogoutUri: string | null;
      /** @description Whether the client needs `sid` in logout tokens. They always contain it, so this only records what the client has registered. Needs the extension `backchannel_logout` */
      backchannelLogoutSessionRequired: boolean;
      /** @description Whether what the client holds by a session ends with the session, refresh tokens among it. Needs the extension `backchannel_logout` */
      backchannelLogoutRevokesRefresh: boolean;
      /** @description Resource servers that the client may ask tokens for; null for none */
      resourceServerIds: string[] | null;
      /** @description Identifier of the resource server that tokens are for if a request names none; null for none */
      defaultResource: string | null;
      /** @description Claims that its tokens, UserInfo and introspection have besides */
      claimMappings: {
        /** @description The claim */
        name: string;
        /** @description Which tokens and responses have it */
        in: ("id_token" | "access_token" | "userinfo" | "introspection")[];
        /** @description A JSON pointer, or the value itself as `{"value": …}` */
        from: unknown;
        /**
         * @description The form of the value
         * @enum {string}
         */
        as?: "string" | "number" | "boolean" | "array" | "first" | "join" | "lowercase";
        /** @description The scope that has to be granted */
        scope?: string;
        /** @description Stands in for a value that is missing */
        default?: unknown;
      }[];
      /** @description Identities of platforms that stand in for a secret, at most 20: of CI jobs, Kubernetes service accounts or SPIFFE workloads. Each is of one client or API key in the whole installation. The tokens are for this service: `aud` is its issuer */
      federatedCredentials: components["schemas"]["FederatedCredential"][];
      /** @description Address of the logo on the consent page */
      logoUrl: string | null;
      /** @description The organisation that it belongs to */
      organisationId: string;
      /**
       * Format: date-time
       * @description When the client was registered
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When the client was last changed
       */
      updatedAt: string;
      /** @description How the client registered itself; null for others */
      registration: {
        /** @description The registration token by which it registered; null without one */
        registrationTokenId: string | null;
        /** @description From which address it registered */
        ipAddress: string | null;
      } | null;
      /** @description When it last got a token, or called introspection or revocation with its secret; null before. May be 5 minutes old */
      lastUsedAt: string | null;
      /** @description The secret of the client, without its value; null for a client that does not authenticate by one */
      secret: {
        /**
         * Format: date-time
         * @description When the current secret was made
         */
        createdAt: string;
        /** @description When the current secret was last used; null before. May be 5 minutes old */
        lastUsedAt: string | null;
        /** @description Until when the previous secret works, or worked; null when there is none or it ended at once */
        previousValidUntil: string | null;
      } | null;
      /** @description Shown this once; null for a client that does not authenticate by one */
      clientSecret: string | null;
    };
    ConfigurationChange: {
      /** @description The section of the document */
      section: string;
      /** @description The key of the object; null for the settings */
      object: string | null;
      /**
       * @description What has to be done
       * @enum {string}
       */
      action: "create" | "update" | "delete";
      /** @description The fields that change */
      fields: {
        /** @description The field; of an object that is changed by member, with the member */
        field: string;
        /** @description What it is; absent where there is nothing */
        before?: unknown;
        /** @description The new value; absent if the object would be deleted */
        after?: unknown;
      }[];
      /** @description The effects, as text; none in the response to `apply` */
      effects: string[];
    };
    ConfigurationDocument: {
      [key: string]: unknown;
    };
    ConfigurationDrift: {
      /** @description What would have to change, in the order of the document */
      changes: {
        /** @description The section of the document */
        section: string;
        /** @description The key of the object; null for the settings */
        object: string | null;
        /**
         * @description What has to be done
         * @enum {string}
         */
        action: "create" | "update" | "delete";
        /** @description Who ended an object that would be created; null as for `lastChange` */
        ended: {
          /**
           * Format: date-time
           * @description When
           */
          at: string;
          /** @description What happened */
          action: string;
          /** @description The kind of caller */
          actorType: string;
          /** @description Id of the caller */
          actorId: string | null;
          /** @description Name of the caller at that time */
          actorName: string | null;
          /** @description E-mail address of the caller */
          actorEmail: string | null;
        } | null;
        /** @description The fields that differ */
        fields: {
          /** @description The field; of an object that is changed by member, with the member */
          field: string;
          /** @description What it is; absent where there is nothing */
          before?: unknown;
          /** @description The new value; absent if the object would be deleted */
          after?: unknown;
          /** @description Who changed it last; null if the audit log does not say, and without the permission `audit:read` */
          lastChange: {
            /**
             * Format: date-time
             * @description When
             */
            at: string;
            /** @description What happened */
            action: string;
            /** @description The kind of caller */
            actorType: string;
            /** @description Id of the caller */
            actorId: string | null;
            /** @description Name of the caller at that time */
            actorName: string | null;
            /** @description E-mail address of the caller */
            actorEmail: string | null;
          } | null;
        }[];
      }[];
    };
    ConfigurationPlan: {
      /** @description The state that the plan was made from, for `apply` */
      basis: string;
      /** @description In the order of the document */
      changes: components["schemas"]["ConfigurationChange"][];
    };
    ConfigurationToApply: {
      /** @description The document, of docs/organisation.schema.json, but with secrets in place of the names of their variables */
      document: {
        [key: string]: unknown;
      };
      /** @description Whether to delete objects that the document does not name, in the sections that it has (default: `false`) */
      prune?: boolean;
      /** @description The basis of the plan to apply: refused if anything has changed since */
      basis?: string;
    };
    Connection: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description Shown on the sign-in page */
      name: string;
      /** @description Short name of the connection for programs */
      slug: string;
      /**
       * @description Which protocol it speaks
       * @enum {string}
       */
      type: "oidc" | "oauth2" | "saml";
      /**
       * @description The kind of identity provider; `oidc` is any OpenID Connect provider, `saml` any SAML 2.0 provider. Cannot be changed
       * @enum {string}
       */
      provider: "google" | "microsoft" | "github" | "apple" | "oidc" | "saml";
      /** @description Whether it is active. Required settings may be missing while it is not */
      isActive: boolean;
      /** @description The configuration for the provider */
      configuration: components["schemas"]["ConnectionConfiguration"];
      /** @description Whether a secret is stored */
      hasSecret: boolean;
      /** @description Until when the previous secret or key is tried as well */
      previousSecretExpiresAt: string | null;
      /** @description Where the public keys are that the provider needs with `private_key_jwt`; null without it */
      jwksUri: string | null;
      /** @description When the next key signs at the latest; null once it signs, and while there is none */
      nextKeySignsFrom: string | null;
      /** @description The redirect URI to register at the provider; null for `saml` */
      callbackUrl: string | null;
      /** @description `saml`: where the provider has to send its responses; null for others */
      acsUrl: string | null;
      /** @description `saml`: the entity id of this service, which the provider has to know; null for others */
      entityId: string | null;
      /** @description `saml`: where the provider can read all of this, with our certificates; null for others */
      metadataUrl: string | null;
      /** @description Whether a sign-in is linked to the existing account with the address that the connection has proven: never, once its user confirms, or at once. null: at once for a verified domain that is assigned to the connection, else once confirmed */
      linking: ("none" | "confirm" | "automatic") | null;
      /**
       * @description Whether a user without an account gets one at the first sign-in (`jit`)
       * @enum {string}
       */
      provisioning: "none" | "jit";
      /** @description Which claim gives which field of a user */
      mapping: components["schemas"]["ClaimMapping"];
      /** @description Roles by what a claim holds */
      roleMappings: components["schemas"]["RoleMapping"][];
      /** @description Teams by what a claim holds */
      teamMappings: components["schemas"]["TeamMapping"][];
      /**
       * @description When names, phone number, roles and teams are updated: at the first sign-in or at each
       * @enum {string}
       */
      syncOn: "creation" | "every_sign_in";
      /** @description Whether a second factor at the provider counts here */
      trustsMfa: boolean;
      /** @description Values of `acr` that mean a second factor, besides `mfa` in `amr` */
      mfaContexts: string[];
      /** @description Whether signing out here signs out at the provider, too */
      upstreamLogout: boolean;
      /**
       * @description `saml`: what becomes of a response that was not asked for. It signs no user in; with `restart` a sign-in begins instead
       * @enum {string}
       */
      idpInitiated: "refuse" | "restart";
      /** @description Maximum lifetime in seconds of sessions and refresh tokens that began with it */
      sessionMaxAgeSeconds: number | null;
      /** @description Assertions by which applications act for users (ID-JAG); null accepts none */
      identityAssertions: components["schemas"]["IdentityAssertions"];
      /** @description When it last signed a user in; null before */
      lastUsedAt: string | null;
      /** @description Whether it works */
      status: {
        /**
         * @description `failing` once three attempts in a row failed at the provider
         * @enum {string}
         */
        state: "ok" | "failing";
        /** @description Since when it has been failing; null while it is not */
        since: string | null;
        /** @description Why the last attempt failed, in English; null when none has */
        error: string | null;
        /** @description The check that the last attempt did not pass; null when none has failed, or at no check */
        check: {
          /**
           * @description A stable code of the check, as among `checks` of a sign-in
           * @enum {string}
           */
          code: "discovery" | "discovery_issuer" | "keys" | "state" | "response_issuer" | "response" | "token_endpoint" | "alg" | "iss" | "aud" | "azp" | "exp" | "iat" | "nonce" | "auth_time" | "signature" | "user_info_subject" | "subject" | "hosted_domain" | "tenant" | "address" | "groups" | "user" | "github_user" | "github_emails" | "logout_token" | "typ" | "events" | "jti" | "sub_or_sid" | "encoding" | "size" | "resources" | "markup" | "entities" | "well_formed" | "depth" | "elements" | "attributes" | "ids" | "root" | "version" | "status" | "assertions" | "signature_place" | "signature_form" | "signature_reference" | "signature_algorithm" | "digest_algorithm" | "canonicalization" | "transforms" | "encryption_algorithm" | "decryption" | "destination" | "confirmation" | "recipient" | "in_response_to" | "not_before" | "not_on_or_after" | "conditions" | "authn_instant" | "session_end" | "assertion_id" | "message_id" | "issue_instant" | "session_index" | "metadata" | "entity_id" | "single_sign_on" | "valid_until" | "certificates";
          /** @description What was checked */
          name: string;
        } | null;
        /** @description Since when users arrive with more than 1,000 values of a claim that mappings need, of which only the first 1,000 count; null once one has arrived with fewer */
        groupsCutSince: string | null;
        /** @description `saml`: when the last of the certificates expires, from 30 days before on. Signatures count afterwards, too, but providers change their key by then */
        certificatesExpireAt: string | null;
        /** @description `saml`: until when the metadata are valid, from 30 days before on. No user signs in afterwards */
        metadataExpireAt: string | null;
        /** @description `saml`: how many more certificates the metadata have than are trusted: only the five that expire last are */
        certificatesLeftOut: number;
      };
      /** @description `saml`: the certificates that are trusted */
      certificates: {
        /** @description SHA-256 of the certificate */
        fingerprint: string;
        /**
         * Format: date-time
         * @description From when it is meant to be used
         */
        notBefore: string;
        /**
         * Format: date-time
         * @description When it expires
         */
        notAfter: string;
      }[];
      /**
       * Format: date-time
       * @description When it was created
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When it was last changed
       */
      updatedAt: string;
    };
    ConnectionChanges: {
      /** @description Shown on the sign-in page */
      name?: string;
      /** @description Whether it is active. Required settings may be missing while it is not */
      isActive?: boolean;
      /** @description The configuration for the provider. A member that is not sent stays as it is, null removes it */
      configuration?: {
        /** @description `oidc`: the issuer, exactly as its discovery document names it; https only */
        issuer?: string | null;
        /** @description The client id that the provider has issued for this service; for `apple` the Services ID */
        clientId?: string | null;
        /** @description The requested scopes; by default openid, email and profile for `oidc`, and what the provider needs for others */
        scopes?: string[] | null;
        /** @description `oidc`: how the secret is sent to the token endpoint; with `private_key_jwt` there is none, and a key of this service signs */
        clientAuthentication?: ("client_secret_basic" | "client_secret_post" | "private_key_jwt") | null;
        /** @description `oidc`: whether claims are also read from the UserInfo endpoint */
        userInfo?: boolean | null;
        /** @description `oidc`: an address is proven by the claim `email_verified`, or by its domain, which the organisation has verified */
        emailTrust?: ("verified_claim" | "verified_domain") | null;
        /** @description Further parameters of the authorization request */
        extraParameters?: {
          [key: string]: string;
        } | null;
        /** @description Whose addresses may get an account by `jit`, besides those of verified domains; `*` stands for all */
        allowedDomains?: string[] | null;
        /** @description `google`: the Workspace domains that may sign in; all when empty */
        allowedHostedDomains?: string[] | null;
        /** @description `microsoft`: id of the one tenant, or `organizations`, `consumers` or `common` */
        tenant?: string | null;
        /** @description `microsoft`: ids of the tenants that may sign in; all when empty */
        allowedTenants?: string[] | null;
        /** @description `github`: host of an Enterprise Server; github.com without it */
        host?: string | null;
        /** @description `apple`: id of the team */
        teamId?: string | null;
        /** @description `apple`: id of the key */
        keyId?: string | null;
        /** @description `saml`: https address of the metadata of the provider, from which entity id, address and certificates are taken now and every twelve hours */
        metadataUrl?: string | null;
        /** @description `saml`: the metadata themselves. They are read and not stored: what they say is */
        metadataXml?: string | null;
        /** @description `saml`: until when the metadata are valid, by what they say; no sign-in afterwards */
        metadataValidUntil?: string | null;
        /** @description `saml`: the entity id of the provider, as it names itself in its responses */
        entityId?: string | null;
        /** @description `saml`: where the provider signs users in; https only */
        ssoUrl?: string | null;
        /** @description `saml`: how requests come there: in the address (Redirect binding), or by a form that the browser posts (POST binding) */
        ssoBinding?: ("redirect" | "post") | null;
        /** @description `saml`: where the provider signs users out; https only. Needed for `upstreamLogout` */
        sloUrl?: string | null;
        /** @description `saml`: how messages of single logout come there, as `ssoBinding`; `redirect` without it */
        sloBinding?: ("redirect" | "post") | null;
        /** @description `saml`: where responses to sign-outs of the provider go, if it has another address for them than `sloUrl` */
        sloResponseUrl?: string | null;
        /** @description `saml`: the certificates of the keys with which the provider signs, in PEM or base64. Any of them may have signed, expired or not */
        certificates?: string[] | null;
        /** @description `saml`: whether a signature of the whole response counts in place of one of the assertion */
        acceptsSignedResponse?: boolean | null;
        /** @description `saml`: the attribute that identifies a user for ever; the NameID without it, which must not be a transient one */
        subjectAttribute?: string | null;
      };
      /** @description Whether a sign-in is linked to the existing account with the address that the connection has proven: never, once its user confirms, or at once. null: at once for a verified domain that is assigned to the connection, else once confirmed */
      linking?: ("none" | "confirm" | "automatic") | null;
      /**
       * @description Whether a user without an account gets one at the first sign-in (`jit`)
       * @enum {string}
       */
      provisioning?: "none" | "jit";
      /** @description Which claim gives which field of a user. A member that is not sent stays as it is, null removes it */
      mapping?: {
        /** @description Where the address is; `email` without it. Only `oidc` may name another claim */
        email?: string | null;
        /** @description Where the first name is; `given_name` without it */
        firstName?: string | null;
        /** @description Where the last name is; `family_name` without it */
        lastName?: string | null;
        /** @description Where the phone number is; none is read without it */
        phone?: string | null;
        /** @description Where the groups are; `groups` without it. The mappings of the claim `groups` read it there */
        groups?: string | null;
      };
      /** @description Roles by what a claim holds; never the owner role */
      roleMappings?: {
        /** @description Name of a claim, or a JSON pointer to one */
        claim: string;
        /** @description The value, or one of several, that the claim must have */
        value: string;
        /** @description Id of the role */
        roleId: string;
      }[];
      /** @description Teams by what a claim holds */
      teamMappings?: {
        /** @description Name of a claim, or a JSON pointer to one */
        claim: string;
        /** @description The value, or one of several, that the claim must have */
        value: string;
        /** @description Id of the team */
        teamId: string;
      }[];
      /**
       * @description When names, phone number, roles and teams are updated: at the first sign-in or at each
       * @enum {string}
       */
      syncOn?: "creation" | "every_sign_in";
      /** @description Whether a second factor at the provider counts here */
      trustsMfa?: boolean;
      /** @description Values of `acr` that mean a second factor, besides `mfa` in `amr` */
      mfaContexts?: string[];
      /** @description Whether signing out here signs out at the provider, too */
      upstreamLogout?: boolean;
      /**
       * @description `saml`: what becomes of a response that was not asked for. It signs no user in; with `restart` a sign-in begins instead
       * @enum {string}
       */
      idpInitiated?: "refuse" | "restart";
      /** @description Maximum lifetime in seconds of sessions and refresh tokens that began with it */
      sessionMaxAgeSeconds?: number | null;
      /** @description `oidc` and its presets: assertions by which applications act for users without a sign-in (ID-JAG). null accepts none. Needs `identity_assertions` */
      identityAssertions?: {
        /** @description Whether applications may act for users by assertions of this provider */
        accepted: boolean;
        /** @description Ids of the resource servers that such assertions may be for (default: `[]`) */
        resourceServerIds?: string[];
        /** @description The longest life of an assertion, in seconds (default: `300`) */
        maxLifetimeSeconds?: number;
        /** @description Whether a client that only the address of its document identifies may present one. Needs `client_metadata_documents` (default: `false`) */
        allowsUnauthenticatedDocuments?: boolean;
        /** @description Which tenant of the provider is trusted, as `tenant` in its assertions names it: needed where one issuer is that of many, as of another Gatehouse (default: `null`) */
        tenant?: string | null;
      } | null;
      /** @description The client secret; for `apple` the content of the .p8 file. It is never shown */
      secret?: string;
      /** @description With `isActive` false: whether to end sessions that began with the connection */
      endSessions?: boolean;
    };
    ConnectionConfiguration: {
      /** @description `oidc`: the issuer, exactly as its discovery document names it; https only */
      issuer?: string | null;
      /** @description The client id that the provider has issued for this service; for `apple` the Services ID */
      clientId?: string | null;
      /** @description The requested scopes; by default openid, email and profile for `oidc`, and what the provider needs for others */
      scopes?: string[] | null;
      /** @description `oidc`: how the secret is sent to the token endpoint; with `private_key_jwt` there is none, and a key of this service signs */
      clientAuthentication?: ("client_secret_basic" | "client_secret_post" | "private_key_jwt") | null;
      /** @description `oidc`: whether claims are also read from the UserInfo endpoint */
      userInfo?: boolean | null;
      /** @description `oidc`: an address is proven by the claim `email_verified`, or by its domain, which the organisation has verified */
      emailTrust?: ("verified_claim" | "verified_domain") | null;
      /** @description Further parameters of the authorization request */
      extraParameters?: {
        [key: string]: string;
      } | null;
      /** @description Whose addresses may get an account by `jit`, besides those of verified domains; `*` stands for all */
      allowedDomains?: string[] | null;
      /** @description `google`: the Workspace domains that may sign in; all when empty */
      allowedHostedDomains?: string[] | null;
      /** @description `microsoft`: id of the one tenant, or `organizations`, `consumers` or `common` */
      tenant?: string | null;
      /** @description `microsoft`: ids of the tenants that may sign in; all when empty */
      allowedTenants?: string[] | null;
      /** @description `github`: host of an Enterprise Server; github.com without it */
      host?: string | null;
      /** @description `apple`: id of the team */
      teamId?: string | null;
      /** @description `apple`: id of the key */
      keyId?: string | null;
      /** @description `saml`: https address of the metadata of the provider, from which entity id, address and certificates are taken now and every twelve hours */
      metadataUrl?: string | null;
      /** @description `saml`: the metadata themselves. They are read and not stored: what they say is */
      metadataXml?: string | null;
      /** @description `saml`: until when the metadata are valid, by what they say; no sign-in afterwards */
      metadataValidUntil?: string | null;
      /** @description `saml`: the entity id of the provider, as it names itself in its responses */
      entityId?: string | null;
      /** @description `saml`: where the provider signs users in; https only */
      ssoUrl?: string | null;
      /** @description `saml`: how requests come there: in the address (Redirect binding), or by a form that the browser posts (POST binding) */
      ssoBinding?: ("redirect" | "post") | null;
      /** @description `saml`: where the provider signs users out; https only. Needed for `upstreamLogout` */
      sloUrl?: string | null;
      /** @description `saml`: how messages of single logout come there, as `ssoBinding`; `redirect` without it */
      sloBinding?: ("redirect" | "post") | null;
      /** @description `saml`: where responses to sign-outs of the provider go, if it has another address for them than `sloUrl` */
      sloResponseUrl?: string | null;
      /** @description `saml`: the certificates of the keys with which the provider signs, in PEM or base64. Any of them may have signed, expired or not */
      certificates?: string[] | null;
      /** @description `saml`: whether a signature of the whole response counts in place of one of the assertion */
      acceptsSignedResponse?: boolean | null;
      /** @description `saml`: the attribute that identifies a user for ever; the NameID without it, which must not be a transient one */
      subjectAttribute?: string | null;
    };
    ConnectionList: {
      /** @description The records of this page */
      data: components["schemas"]["Connection"][];
      /** @description Total number of records */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
    };
    ConnectionTest: {
      /** @description Where the browser of the user goes */
      url: string;
      /**
       * Format: date-time
       * @description Until when it can be opened
       */
      expiresAt: string;
    };
    Consent: {
      /** @description Id of the application */
      clientId: string;
      /** @description Name of the application */
      clientName: string;
      /** @description What the application may ask for */
      scopes: string[];
      /** @description Claims that the application may have by their names, besides those of `scopes` (extension `claims_parameter`) */
      claims: string[];
      /** @description Resource servers that the application may use for the user */
      resources: {
        /** @description Identifier: the prefix of its type, and an opaque text */
        id: string;
        /** @description Name of the resource server */
        name: string;
        /** @description What tokens name it by */
        identifier: string;
        /** @description What was allowed there, also among `scopes` */
        scopes: string[];
        /** @description The end that the user has chosen for it; null for none */
        expiresAt: string | null;
      }[];
      /**
       * Format: date-time
       * @description When the user consented
       */
      grantedAt: string;
      /** @description The end that the user has chosen: then the tokens end, and the user is asked anew. Null for none */
      expiresAt: string | null;
      /** @description When the application last got tokens for the user; null when it holds none */
      lastUsedAt: string | null;
      /** @description The connection whose provider lets the application act for the user without asking them; null if none does */
      managedBy: {
        /** @description Identifier: the prefix of its type, and an opaque text */
        id: string;
        /** @description Name of the connection */
        name: string;
      } | null;
    };
    ConsentList: {
      /** @description The records of this page */
      data: components["schemas"]["Consent"][];
      /** @description Total number of records */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
    };
    ConsentOfUser: {
      /** @description Who has let the application in */
      user: components["schemas"]["UserSummary"];
      /** @description What the application may ask for */
      scopes: string[];
      /** @description Claims that the application may have by their names, besides those of `scopes` (extension `claims_parameter`) */
      claims: string[];
      /** @description Resource servers that the application may use for the user */
      resources: {
        /** @description Identifier: the prefix of its type, and an opaque text */
        id: string;
        /** @description Name of the resource server */
        name: string;
        /** @description What tokens name it by */
        identifier: string;
        /** @description What was allowed there, also among `scopes` */
        scopes: string[];
        /** @description The end that the user has chosen for it; null for none */
        expiresAt: string | null;
      }[];
      /**
       * Format: date-time
       * @description When the user consented
       */
      grantedAt: string;
      /** @description The end that the user has chosen: then the tokens end, and the user is asked anew. Null for none */
      expiresAt: string | null;
      /** @description When the application last got tokens for the user; null when it holds none */
      lastUsedAt: string | null;
      /** @description The connection whose provider lets the application act for the user without asking them; null if none does */
      managedBy: {
        /** @description Identifier: the prefix of its type, and an opaque text */
        id: string;
        /** @description Name of the connection */
        name: string;
      } | null;
    };
    ConsentOfUserList: {
      /** @description The records of this page */
      data: components["schemas"]["ConsentOfUser"][];
      /** @description Total number of records */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
    };
    CreatedInvitation: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description E-mail address of the person invited */
      email: string;
      /** @description Null once the role has been deleted: acceptance then gives the default role of the organisation */
      roleId: string | null;
      /** @description Without teams that have been deleted */
      teamIds: string[];
      /** @description The application that the user continues to */
      clientId: string | null;
      /**
       * @description A pending one is `expired` from the moment of `expiresAt` on
       * @enum {string}
       */
      status: "pending" | "accepted" | "expired";
      /** @description Id of the user who invited */
      invitedById: string;
      /**
       * Format: date-time
       * @description When the link in the mail expires
       */
      expiresAt: string;
      /** @description When it was accepted; null while it is pending */
      acceptedAt: string | null;
      /**
       * Format: date-time
       * @description When the invitation was sent
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When the invitation was last changed
       */
      updatedAt: string;
      /** @description Only with `returnLink`, and only here: it cannot be read again */
      link?: string;
    };
    CreatedOrganisation: {
      /** @description The organisation */
      organisation: components["schemas"]["Organisation"];
      /** @description The user who owns the organisation */
      owner: {
        /** @description Identifier: the prefix of its type, and an opaque text */
        id: string;
        /** @description E-mail address */
        email: string;
        /** @description First and last name */
        name: string;
      };
    };
    Credentials: {
      /** @description In any letter case */
      email: string;
      /** @description The password of the account */
      password: string;
    };
    Delivery: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description The webhook that it goes to */
      webhookId: string;
      /** @description Id of the event, the same for every endpoint */
      eventId: string;
      /** @description Name of the event */
      event: string;
      /**
       * @description `pending` while attempts follow, then `delivered` or `failed`
       * @enum {string}
       */
      status: "pending" | "delivered" | "failed";
      /** @description How many attempts were made */
      attemptCount: number;
      /** @description When the next attempt is due; null after the last one, and while the endpoint is inactive */
      nextAttemptAt: string | null;
      /** @description HTTP status of the last response; null when there was none */
      lastStatusCode: number | null;
      /** @description Why the last attempt failed; null if it succeeded */
      lastError: string | null;
      /**
       * Format: date-time
       * @description When it was created
       */
      createdAt: string;
      /** @description When it was delivered; null until then */
      deliveredAt: string | null;
    };
    DeliveryDetails: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description The webhook that it goes to */
      webhookId: string;
      /** @description Id of the event, the same for every endpoint */
      eventId: string;
      /** @description Name of the event */
      event: string;
      /**
       * @description `pending` while attempts follow, then `delivered` or `failed`
       * @enum {string}
       */
      status: "pending" | "delivered" | "failed";
      /** @description How many attempts were made */
      attemptCount: number;
      /** @description When the next attempt is due; null after the last one, and while the endpoint is inactive */
      nextAttemptAt: string | null;
      /** @description HTTP status of the last response; null when there was none */
      lastStatusCode: number | null;
      /** @description Why the last attempt failed; null if it succeeded */
      lastError: string | null;
      /**
       * Format: date-time
       * @description When it was created
       */
      createdAt: string;
      /** @description When it was delivered; null until then */
      deliveredAt: string | null;
      /** @description The request that an attempt sends */
      request: {
        /** @description The headers that an attempt made now would send. Without `webhooks:update`, signatures are masked after their first characters */
        headers: {
          [key: string]: string;
        };
        /** @description The bytes that every attempt sends */
        body: string;
      };
      /** @description Every attempt, oldest first */
      attempts: {
        /**
         * Format: date-time
         * @description When the attempt was made
         */
        at: string;
        /** @description HTTP status of the response; null when there was none */
        status: number | null;
        /** @description Milliseconds until the response */
        durationMs: number;
        /** @description Why the attempt failed; null if it succeeded */
        error: string | null;
        /** @description The first 2 KiB of the response body */
        response: string | null;
      }[];
    };
    DeliveryPage: {
      /** @description The records of this page */
      data: components["schemas"]["Delivery"][];
      /** @description Where the next page begins; null on the last page */
      nextCursor: string | null;
    };
    DeliveryStatistics: {
      /** @description Every hour or day of the range, oldest first, including those without attempts */
      data: {
        /**
         * Format: date-time
         * @description When the bucket begins
         */
        at: string;
        /** @description Deliveries that succeeded */
        delivered: number;
        /** @description Deliveries that failed for good */
        failed: number;
        /** @description Median of the attempts in milliseconds; null without attempts */
        p50: number | null;
        /** @description 95th percentile of the attempts in milliseconds; null without attempts */
        p95: number | null;
      }[];
    };
    DeviceAuthorization: {
      /** @description What the device polls the token endpoint with */
      device_code: string;
      /** @description What the device shows */
      user_code: string;
      /** @description Where the user enters the code */
      verification_uri: string;
      /** @description The same with the code filled in, for a QR code. The user still compares the code */
      verification_uri_complete: string;
      /** @description Seconds */
      expires_in: number;
      /** @description Seconds to wait between two requests of the token endpoint */
      interval: number;
    };
    Diagnostic: {
      /** @description As the refusal named it */
      reference: string;
      /** @description The client that sent the request; null if it named no known one */
      clientId: string | null;
      /** @description The name of the client now */
      clientName: string | null;
      /** @description The endpoint that refused */
      endpoint: string;
      /** @description Error code of the protocol */
      error: string;
      /** @description What was refused */
      description: string;
      /** @description What was checked */
      check: string;
      /** @description What was expected */
      expected: unknown;
      /** @description Secrets are masked */
      received: unknown;
      /** @description The difference in words */
      hint: string | null;
      /** @description Everything that was sent; secrets are masked */
      parameters: {
        [key: string]: string;
      };
      /** @description The connection of the sign-in; null for a request of an application */
      connectionId: string | null;
      /** @description What of these is said in words of the service; null of what was refused before an upgrade brought this */
      phrases: {
        /** @description The phrase of the service; null for a value from elsewhere */
        expected: components["schemas"]["SaidPhrase"];
        /** @description The phrase of the service; null for a value from elsewhere */
        received: components["schemas"]["SaidPhrase"];
        /** @description The phrase of the service; null for a value from elsewhere */
        hint: components["schemas"]["SaidPhrase"];
      } | null;
      /** @description For a sign-in with a connection: every check, in order; secrets are masked */
      checks: {
        /** @description A stable code of the check; null if an earlier release stored it */
        code: ("discovery" | "discovery_issuer" | "keys" | "state" | "response_issuer" | "response" | "token_endpoint" | "alg" | "iss" | "aud" | "azp" | "exp" | "iat" | "nonce" | "auth_time" | "signature" | "user_info_subject" | "subject" | "hosted_domain" | "tenant" | "address" | "groups" | "user" | "github_user" | "github_emails" | "logout_token" | "typ" | "events" | "jti" | "sub_or_sid" | "encoding" | "size" | "resources" | "markup" | "entities" | "well_formed" | "depth" | "elements" | "attributes" | "ids" | "root" | "version" | "status" | "assertions" | "signature_place" | "signature_form" | "signature_reference" | "signature_algorithm" | "digest_algorithm" | "canonicalization" | "transforms" | "encryption_algorithm" | "decryption" | "destination" | "confirmation" | "recipient" | "in_response_to" | "not_before" | "not_on_or_after" | "conditions" | "authn_instant" | "session_end" | "assertion_id" | "message_id" | "issue_instant" | "session_index" | "metadata" | "entity_id" | "single_sign_on" | "valid_until" | "certificates") | null;
        /** @description What was checked */
        name: string;
        /** @description What was expected */
        expected: string;
        /** @description What came */
        received: string;
        /** @description Which of the two are phrases of the service */
        phrases: {
          /** @description The phrase of the service; null for a value from elsewhere */
          expected: components["schemas"]["SaidPhrase"];
          /** @description The phrase of the service; null for a value from elsewhere */
          received: components["schemas"]["SaidPhrase"];
        };
        /** @description Whether it was right */
        passed: boolean;
      }[] | null;
      /** @description The sign-in that the request was part of, for GET /v1/admin/sign-ins/{id}; null without one */
      signInId: string | null;
      /**
       * Format: date-time
       * @description When the request was refused
       */
      createdAt: string;
    };
    DiagnosticPage: {
      /** @description The records of this page */
      data: components["schemas"]["Diagnostic"][];
      /** @description Where the next page begins; null on the last page */
      nextCursor: string | null;
    };
    Directory: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description What administrators call it; unique in the organisation */
      name: string;
      /** @description Whether its requests are accepted */
      isActive: boolean;
      /** @description With `userMatch` `externalId`, the connection that knows its users by their `externalId` */
      connectionId: string | null;
      /** @description What the directory has to know as the address of SCIM */
      baseUrl: string;
      /** @description The tokens, the oldest first; expired ones until another is created */
      tokens: components["schemas"]["DirectoryToken"][];
      /**
       * @description `externalId`: a user whom it manages is linked to the account of `connectionId` with this id, so that the first sign-in finds them
       * @enum {string}
       */
      userMatch: "email" | "externalId";
      /**
       * @description Whether it may change the address of a user to another one of a verified domain
       * @enum {string}
       */
      emailChanges: "verified_domains" | "refuse";
      /**
       * @description What becomes of a user whom it deletes: blocked, and found again when they are sent once more, or deleted
       * @enum {string}
       */
      deletes: "block" | "delete";
      /**
       * @description `teams`: each of its groups is a team. `mappings_only`: only what `groupMappings` name follows
       * @enum {string}
       */
      groups: "teams" | "mappings_only";
      /** @description Roles and teams of the members of groups */
      groupMappings: components["schemas"]["GroupMapping"][];
      /** @description What it manages */
      counts: {
        /** @description Users whom it manages */
        users: number;
        /** @description Groups that it has sent */
        groups: number;
      };
      /** @description When its last request arrived; null before the first */
      lastRequestAt: string | null;
      /** @description Whether it works */
      status: {
        /**
         * @description `failing` once 20 requests in a row were refused, or none has come for seven days
         * @enum {string}
         */
        state: "ok" | "failing";
        /** @description Since when it has been failing; null while it is not */
        since: string | null;
        /** @description Why the last request was refused; null when none was */
        error: string | null;
        /** @description The same by a code, for other languages; null where there is none */
        reason: {
          /** @description A stable word for it */
          code: string;
          /** @description What is taken, such as a limit or the name of what is missing */
          expected: string | null;
          /** @description The name of what was sent, never its value */
          received: string | null;
        } | null;
      };
      /**
       * Format: date-time
       * @description When it was created
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When it was last changed
       */
      updatedAt: string;
    };
    DirectoryChanges: {
      /** @description What administrators call it; unique in the organisation */
      name?: string;
      /** @description Whether its requests are accepted */
      isActive?: boolean;
      /** @description With `userMatch` `externalId`, the connection that knows its users by their `externalId` */
      connectionId?: string | null;
      /**
       * @description `externalId`: a user whom it manages is linked to the account of `connectionId` with this id, so that the first sign-in finds them
       * @enum {string}
       */
      userMatch?: "email" | "externalId";
      /**
       * @description Whether it may change the address of a user to another one of a verified domain
       * @enum {string}
       */
      emailChanges?: "verified_domains" | "refuse";
      /**
       * @description What becomes of a user whom it deletes: blocked, and found again when they are sent once more, or deleted
       * @enum {string}
       */
      deletes?: "block" | "delete";
      /**
       * @description `teams`: each of its groups is a team. `mappings_only`: only what `groupMappings` name follows
       * @enum {string}
       */
      groups?: "teams" | "mappings_only";
      /** @description Roles and teams of the members of groups */
      groupMappings?: {
        /** @description The group, by exactly one of its names */
        group: {
          /** @description What the group is called there, in any case */
          displayName?: string;
          /** @description The id by which the directory knows it */
          externalId?: string;
        };
        /** @description Ids of the roles that its members get; never the owner role (default: `[]`) */
        roleIds?: string[];
        /** @description Ids of the teams that its members join (default: `[]`) */
        teamIds?: string[];
      }[];
    };
    DirectoryList: {
      /** @description The records of this page */
      data: components["schemas"]["Directory"][];
      /** @description Total number of records */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
    };
    DirectoryRequest: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description The method */
      method: string;
      /** @description What follows the base URL, without the query */
      path: string;
      /** @description The filter, its values masked: only the structure and names of attributes stay */
      filter: string | null;
      /** @description Status of the response */
      status: number;
      /** @description Why it was refused, in a word of SCIM */
      scimType: string | null;
      /** @description Why it was refused, in a sentence */
      detail: string | null;
      /** @description The body of the request, its values masked: only the structure and names of attributes stay */
      requestBody: string | null;
      /** @description The body of the response, its values masked: only the structure and names of attributes stay */
      responseBody: string | null;
      /** @description Where it came from */
      ipAddress: string | null;
      /** @description What sent it */
      userAgent: string | null;
      /** @description The id of the request in the log of the service */
      requestId: string | null;
      /** @description How long it took */
      durationMilliseconds: number;
      /**
       * Format: date-time
       * @description When it arrived
       */
      createdAt: string;
    };
    DirectoryRequestPage: {
      /** @description The records of this page */
      data: components["schemas"]["DirectoryRequest"][];
      /** @description Where the next page begins; null on the last page */
      nextCursor: string | null;
    };
    DirectoryToken: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description How the token begins, to tell tokens apart */
      prefix: string;
      /** @description When it stops working; null never */
      expiresAt: string | null;
      /** @description To the minute; null before the first use */
      lastUsedAt: string | null;
      /**
       * Format: date-time
       * @description When it was created
       */
      createdAt: string;
    };
    DirectoryTokenWithSecret: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description How the token begins, to tell tokens apart */
      prefix: string;
      /** @description When it stops working; null never */
      expiresAt: string | null;
      /** @description To the minute; null before the first use */
      lastUsedAt: string | null;
      /**
       * Format: date-time
       * @description When it was created
       */
      createdAt: string;
      /** @description For `Authorization: Bearer`; shown this once */
      token: string;
    };
    Domain: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description The domain as the DNS has it */
      domain: string;
      /** @description The same in its own letters */
      unicodeDomain: string;
      /**
       * @description Whether the domain is verified; `lapsed` if the record has been missing for seven days
       * @enum {string}
       */
      status: "pending" | "verified" | "lapsed";
      /** @description The record that verifies the domain */
      challenge: components["schemas"]["DomainChallenge"];
      /** @description The connection of its users */
      connectionId: string | null;
      /**
       * @description Whether users with an address of the domain are led to the connection, or can sign in only with it; while the domain is verified
       * @enum {string}
       */
      sso: "off" | "offered" | "required";
      /** @description Users who may always sign in in other ways; each has a second factor. The owner always may */
      bypassUserIds: string[];
      /** @description When the domain was last verified again */
      verifiedAt: string | null;
      /** @description When the record was last looked for */
      checkedAt: string | null;
      /** @description Since when it has been missing */
      failingSince: string | null;
      /** @description While the domain is verified: how many accounts with an address of it other organisations have, counted up to 10,000. They stay as they are */
      foreignAccounts: number | null;
      /**
       * Format: date-time
       * @description When the domain was added
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When the domain was last changed
       */
      updatedAt: string;
    };
    DomainChallenge: {
      /**
       * @description Kind of the record
       * @enum {string}
       */
      type: "TXT";
      /** @description Name of the record */
      name: string;
      /** @description Text of the record */
      value: string;
    };
    DomainChanges: {
      /** @description A connection of the organisation */
      connectionId?: string | null;
      /**
       * @description Whether users with an address of the domain are led to the connection, or can sign in only with it; while the domain is verified
       * @enum {string}
       */
      sso?: "off" | "offered" | "required";
      /** @description Users who may always sign in in other ways; each has a second factor. The owner always may */
      bypassUserIds?: string[];
      /** @description With `sso` `required`: also ends sessions and tokens that did not begin with the connection */
      endSessions?: boolean;
    };
    DomainList: {
      /** @description The records of this page */
      data: components["schemas"]["Domain"][];
      /** @description Total number of records */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
    };
    EmailCodeProof: {
      /** @description From the response to the request for a code */
      flowToken: string;
      /** @description The eight digits from the mail */
      code: string;
    };
    Event: {
      /** @description Name of the event, as endpoints subscribe to it */
      name: string;
      /** @description Which of the two documented payload formats list the event */
      variants: ("A" | "B")[];
      /** @description When the event is sent */
      description: string;
      /** @description An example */
      data: {
        [key: string]: unknown;
      };
    };
    EventList: {
      /** @description The records of this page */
      data: components["schemas"]["Event"][];
      /** @description Total number of records */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
    };
    Examination: {
      /**
       * @description The worst of all checks
       * @enum {string}
       */
      state: "ok" | "warning" | "failure";
      /** @description The release that looked */
      version: string;
      /**
       * Format: date-time
       * @description When it looked
       */
      examinedAt: string;
      /** @description Every check that was made, by group */
      checks: {
        /** @description Stable, for programs */
        name: string;
        /**
         * @description What it is about
         * @enum {string}
         */
        group: "configuration" | "address" | "database" | "storage" | "mail" | "webhooks" | "keys" | "organisations";
        /** @description What is right if the state is `ok` */
        title: string;
        /**
         * @description What became of it
         * @enum {string}
         */
        state: "ok" | "warning" | "failure";
        /** @description What was found: stable, for programs */
        code: string;
        /** @description What the sentences name: a time in ISO 8601, a length in the unit of its name. Of very many records `first` has the first five, and `more` how many there are besides */
        values: {
          [key: string]: unknown;
        };
        /** @description What was seen */
        seen: string;
        /** @description Why it matters; null if nothing is wrong */
        why: string | null;
        /** @description How to fix it; null if nothing is wrong */
        remedy: string | null;
      }[];
      /** @description Checks that could not be made because of the failure of another */
      leftOut: string[];
    };
    ExchangedKey: {
      /** @description For `Authorization: Bearer`, with the permissions of the API key */
      apiKey: string;
      /**
       * Format: date-time
       * @description When it stops working: in 15 minutes, or earlier with the API key
       */
      expiresAt: string;
    };
    FailingClientDocuments: {
      /** @description Those clients, in the order of their ids */
      data: {
        /** @description Id of the client */
        clientId: string;
        /**
         * Format: date-time
         * @description Since when its document cannot be read
         */
        failingSince: string;
      }[];
    };
    FederatedCredential: {
      /** @description Which workload it is */
      name: string;
      /** @description The `iss` of its tokens */
      issuer: string;
      /** @description The `sub` of its tokens, or how it begins */
      subject: string;
      /** @description Further claims that its tokens have to have */
      claims: {
        [key: string]: string | number | boolean;
      };
      /** @description The public keys of an issuer that publishes none */
      jwks?: {
        /** @description At most 20 */
        keys: {
          /**
           * @description Kind of the key
           * @enum {string}
           */
          kty: "RSA" | "EC" | "OKP";
          /** @description Curve: `P-256` of EC, `Ed25519` of OKP; of platforms also `P-384` and `P-521` of EC */
          crv?: string;
          /** @description Public key on the curve */
          x?: string;
          /** @description Second coordinate of EC */
          y?: string;
          /** @description Modulus of RSA, of 2048 to 8192 bits */
          n?: string;
          /** @description Exponent of RSA */
          e?: string;
          /** @description Name of the key, which assertions carry in their header */
          kid?: string;
          /** @description `sig`, or left out */
          use?: string;
          /** @description The only algorithm of the key */
          alg?: string;
        }[];
      };
    };
    ForeignAccount: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description E-mail address */
      email: string;
      /** @description The organisation of the account */
      organisationId: string;
      /** @description Its name */
      organisationName: string;
      /**
       * Format: date-time
       * @description When the account was created
       */
      createdAt: string;
      /** @description When it was deleted; until it is erased it keeps its address */
      deletedAt: string | null;
    };
    ForeignAccountList: {
      /** @description The records of this page */
      data: components["schemas"]["ForeignAccount"][];
      /** @description Total number of records */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
    };
    GrantablePermission: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description Name that routes and tokens use: resource and action */
      slug: string;
      /** @description Name of the permission */
      name: string;
      /** @description What it allows */
      description: string;
      /** @description The kind of resource that the permission is about */
      category: string;
      /**
       * Format: date-time
       * @description When the permission was created
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When the permission was last changed
       */
      updatedAt: string;
      /** @description Whether the caller may grant it, to a role or, by a role or an API key, to others. Callers can grant only what they have */
      grantable: boolean;
    };
    GrantablePermissionList: {
      /** @description The records of this page */
      data: components["schemas"]["GrantablePermission"][];
      /** @description Total number of records */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
    };
    GroupMapping: {
      /** @description The group, by exactly one of its names */
      group: {
        /** @description What the group is called there */
        displayName: string;
      } | {
        /** @description The id by which the directory knows it */
        externalId: string;
      };
      /** @description The roles that its members get */
      roleIds: string[];
      /** @description The teams that its members join */
      teamIds: string[];
    };
    Identity: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description The connection that it began with */
      connection: {
        /** @description Identifier: the prefix of its type, and an opaque text */
        id: string;
        /** @description Short name of the connection for programs */
        slug: string;
        /** @description Name of the connection */
        name: string;
        /** @description The kind of identity provider */
        provider: string;
        /** @description Whether it signs in */
        isActive: boolean;
      };
      /** @description The id of the user at the provider */
      subject: string;
      /** @description The address there, if known */
      email: string | null;
      /**
       * Format: date-time
       * @description When it was linked
       */
      createdAt: string;
      /** @description When the user last signed in with it; null before */
      lastUsedAt: string | null;
    };
    IdentityAssertions: {
      /** @description Whether applications may act for users by assertions of this provider */
      accepted: boolean;
      /** @description Ids of the resource servers that such assertions may be for */
      resourceServerIds: string[];
      /** @description The longest life of an assertion, in seconds */
      maxLifetimeSeconds: number;
      /** @description Whether a client that only the address of its document identifies may present one. Needs `client_metadata_documents` */
      allowsUnauthenticatedDocuments: boolean;
      /** @description Which tenant of the provider is trusted, as `tenant` in its assertions names it: needed where one issuer is that of many, as of another Gatehouse */
      tenant: string | null;
    } | null;
    IdentityList: {
      /** @description The records of this page */
      data: components["schemas"]["Identity"][];
      /** @description Total number of records */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
    };
    InspectedCheck: {
      /**
       * @description What is checked, named as in diagnostics
       * @enum {string}
       */
      check: "access_token" | "acr_values" | "assertion" | "assertion_algorithm" | "assertion_audience" | "assertion_client" | "assertion_id" | "assertion_issuer" | "assertion_lifetime" | "assertion_signature" | "assertion_subject" | "assertion_tenant" | "assertion_type" | "audience" | "auth_time" | "authorization" | "body" | "client_assertion" | "client_assertion_type" | "claims" | "claims_parameter" | "client_authentication" | "client_certificate" | "client_id" | "client_secret" | "client_state" | "client_type" | "code" | "code_challenge" | "code_challenge_method" | "code_verifier" | "consent" | "content_type" | "csrf_token" | "device_code" | "dpop" | "dpop_jkt" | "federated_token" | "grant_type" | "id_token_hint" | "max_age" | "organisation" | "parameters" | "post_logout_redirect_uri" | "prompt" | "rate_limit" | "redirect_uri" | "refresh_token" | "registration" | "request" | "request_uri" | "requested_token_type" | "resource" | "response_mode" | "response_type" | "scope" | "session" | "session_cookie" | "subject_token" | "subject_token_type" | "token" | "token_endpoint_auth_method" | "token_owner";
      /**
       * @description `not_reached`: it cannot be judged, because of another check that is not met
       * @enum {string}
       */
      state: "met" | "not_met" | "not_reached";
      /** @description The error code of the protocol, if it is not met */
      error: string | null;
      /** @description What was expected; null if anything is */
      expected: string | null;
      /** @description What came; the assertion itself is masked. null if it was not reached */
      received: string | null;
      /** @description Which of the two are phrases of the service */
      phrases: {
        /** @description The phrase of the service; null for a value from elsewhere */
        expected: components["schemas"]["SaidPhrase"];
        /** @description The phrase of the service; null for a value from elsewhere */
        received: components["schemas"]["SaidPhrase"];
      };
    };
    Introspection: {
      /** @description Whether the token may be used now */
      active: boolean;
      /** @description How the token is used */
      token_type?: string;
      /** @description Scopes, separated by spaces */
      scope?: string;
      /** @description The client that the token was issued to */
      client_id?: string;
      /** @description E-mail address of the user */
      username?: string;
      /** @description When the token expires, in seconds since 1970 */
      exp?: number;
      /** @description When the token was issued, in seconds since 1970 */
      iat?: number;
      /** @description The user, or the client that acts for itself */
      sub?: string;
      /** @description Who the token is for: the client, or resource servers */
      aud?: string | string[];
      /** @description Who issued the token */
      iss?: string;
      /** @description Identifier of the token */
      jti?: string;
      /** @description Level of the sign-in, if requested (RFC 9470) */
      acr?: string;
      /** @description Methods of the sign-in (RFC 8176), beside `acr` */
      amr?: string[];
      /** @description When the user signed in, in seconds since 1970, beside `acr` */
      auth_time?: number;
    } & {
      [key: string]: unknown;
    };
    InvitationDetails: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description E-mail address of the person invited */
      email: string;
      /** @description Null once the role has been deleted: acceptance then gives the default role of the organisation */
      roleId: string | null;
      /** @description Without teams that have been deleted */
      teamIds: string[];
      /** @description The application that the user continues to */
      clientId: string | null;
      /**
       * @description A pending one is `expired` from the moment of `expiresAt` on
       * @enum {string}
       */
      status: "pending" | "accepted" | "expired";
      /** @description Id of the user who invited */
      invitedById: string;
      /**
       * Format: date-time
       * @description When the link in the mail expires
       */
      expiresAt: string;
      /** @description When it was accepted; null while it is pending */
      acceptedAt: string | null;
      /**
       * Format: date-time
       * @description When the invitation was sent
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When the invitation was last changed
       */
      updatedAt: string;
      /** @description The user who invited */
      invitedBy: {
        /** @description Identifier: the prefix of its type, and an opaque text */
        id: string;
        /** @description E-mail address */
        email: string;
        /** @description First and last name */
        name: string;
      };
      /** @description The role of `roleId`; null once it has been deleted */
      role: components["schemas"]["RoleSummary"] | null;
      /** @description The teams of `teamIds`, in their order */
      teams: components["schemas"]["TeamSummary"][];
    };
    InvitationDetailsList: {
      /** @description The records of this page */
      data: components["schemas"]["InvitationDetails"][];
      /** @description Total number of records */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
    };
    KeyExchange: {
      /** @description The API key */
      apiKeyId: string;
      /** @description The token of the platform, for this service: a JWT */
      token: string;
    };
    KeyRotation: {
      /** @description false makes the next key, which is published at once and signs seven days later; true makes it sign now (default: `false`) */
      activate?: boolean;
    };
    ListedTeam: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description Name of the team */
      name: string;
      /** @description Short name of the team for programs */
      slug: string;
      /** @description Who is in the team */
      description: string;
      /** @description Number of members, without deleted users */
      memberCount: number;
      /** @description Without deleted users; absent with `members=false` */
      members?: components["schemas"]["TeamMember"][];
      /**
       * Format: date-time
       * @description When the team was created
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When the team was last changed
       */
      updatedAt: string;
    };
    ListedTeamList: {
      /** @description The records of this page */
      data: components["schemas"]["ListedTeam"][];
      /** @description Total number of records */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
    };
    LogoutDelivery: {
      /** @description Identifier, which is the `jti` of its logout tokens */
      id: string;
      /** @description The client that it goes to */
      clientId: string;
      /** @description Whose session has ended; null for a test */
      userId: string | null;
      /** @description The session that has ended: `sid` */
      sessionId: string;
      /** @description Whether it is a test, which names a session that never was */
      isTest: boolean;
      /**
       * @description `pending` while attempts follow, then `delivered` or `failed`
       * @enum {string}
       */
      status: "pending" | "delivered" | "failed";
      /** @description How many attempts were made */
      attemptCount: number;
      /** @description When the next attempt is due; null after the last one */
      nextAttemptAt: string | null;
      /** @description HTTP status of the last response; null when there was none */
      lastStatusCode: number | null;
      /** @description Why the last attempt failed; null if it succeeded */
      lastError: string | null;
      /**
       * Format: date-time
       * @description When it was created
       */
      createdAt: string;
      /** @description When it was delivered; null until then */
      deliveredAt: string | null;
    };
    LogoutDeliveryDetails: {
      /** @description Identifier, which is the `jti` of its logout tokens */
      id: string;
      /** @description The client that it goes to */
      clientId: string;
      /** @description Whose session has ended; null for a test */
      userId: string | null;
      /** @description The session that has ended: `sid` */
      sessionId: string;
      /** @description Whether it is a test, which names a session that never was */
      isTest: boolean;
      /**
       * @description `pending` while attempts follow, then `delivered` or `failed`
       * @enum {string}
       */
      status: "pending" | "delivered" | "failed";
      /** @description How many attempts were made */
      attemptCount: number;
      /** @description When the next attempt is due; null after the last one */
      nextAttemptAt: string | null;
      /** @description HTTP status of the last response; null when there was none */
      lastStatusCode: number | null;
      /** @description Why the last attempt failed; null if it succeeded */
      lastError: string | null;
      /**
       * Format: date-time
       * @description When it was created
       */
      createdAt: string;
      /** @description When it was delivered; null until then */
      deliveredAt: string | null;
      /** @description The claims of every token of it. Each attempt adds `iat` and `exp`, and signs anew */
      claims: {
        [key: string]: unknown;
      };
      /** @description Every attempt, oldest first */
      attempts: {
        /**
         * Format: date-time
         * @description When the attempt was made
         */
        at: string;
        /** @description HTTP status of the response; null when there was none */
        status: number | null;
        /** @description Milliseconds until the response */
        durationMs: number;
        /** @description Why the attempt failed; null if it succeeded */
        error: string | null;
        /** @description The first 2 KiB of the response body */
        response: string | null;
      }[];
    };
    LogoutDeliveryPage: {
      /** @description The records of this page */
      data: components["schemas"]["LogoutDelivery"][];
      /** @description Where the next page begins; null on the last page */
      nextCursor: string | null;
    };
    MappingsImpact: {
      /** @description The roles that users would gain or lose */
      roles: {
        /** @description Identifier: the prefix of its type, and an opaque text */
        id: string;
        /** @description How many users would gain it */
        gains: number;
        /** @description How many users would lose it */
        losses: number;
      }[];
      /** @description The teams that users would join or leave; teams that would be created are not among them */
      teams: {
        /** @description Identifier: the prefix of its type, and an opaque text */
        id: string;
        /** @description How many users would gain it */
        gains: number;
        /** @description How many users would lose it */
        losses: number;
      }[];
    };
    McpServerAddress: {
      /** @description The absolute https URI by which clients ask for it and tokens name it (RFC 8707); unique in the installation, compared as a string. Immutable */
      identifier: string;
    };
    McpServerCheck: {
      /** @description The address, as it would be registered */
      identifier: string;
      /** @description Where its document was asked for: at the address that it names, else where the document has to be */
      metadataUrl: string;
      /** @description Each check, in the order in which clients come to it */
      checks: {
        /**
         * @description What was checked
         * @enum {string}
         */
        code: "refuses-without-token" | "names-its-metadata" | "publishes-its-metadata" | "names-itself" | "names-this-issuer";
        /**
         * @description `not-checked` where an earlier answer is missing
         * @enum {string}
         */
        outcome: "met" | "unmet" | "not-checked";
        /** @description What the server has to answer */
        expected: string;
        /** @description What it answered, or why it did not */
        received: string | null;
      }[];
      /** @description What it calls itself */
      name: string | null;
      /** @description The scopes that it names */
      scopes: string[];
      /** @description Whether it says that it takes tokens alone that are bound to a key */
      requireDpop: boolean;
    };
    Message: {
      /** @description What was done */
      message: string;
    };
    MfaState: {
      /** @description Whether signing in takes a second factor */
      enabled: boolean;
      /** @description Second factors of the user */
      methods: {
        /**
         * @description Kind of second factor
         * @enum {string}
         */
        method: "totp" | "sms" | "passkey";
        /** @description Where codes are sent; null for an authenticator app */
        phone: string | null;
        /**
         * Format: date-time
         * @description When it was confirmed with a code
         */
        verifiedAt: string;
      }[];
      /** @description How many backup codes have not been used */
      backupCodesLeft: number;
    };
    NewApiKey: {
      /** @description What the key is for */
      name: string;
      /** @description Slugs of permissions; only ones that the caller has */
      permissions: string[];
      /** @description When the key stops working; null never (default: `null`) */
      expiresAt?: string | null;
      /**
       * @description `none` for a key that only workloads use, by `federatedCredentials`: none is made, and none is in the response. Needs the extension `federated_credentials` (default: `"key"`)
       * @enum {string}
       */
      secret?: "key" | "none";
      /** @description Identities of platforms that stand in for a secret, at most 20: of CI jobs, Kubernetes service accounts or SPIFFE workloads. Each is of one client or API key in the whole installation. The tokens are for this service: `aud` is its issuer. Needs the extension `federated_credentials` */
      federatedCredentials?: {
        /** @description Which workload it is, for people */
        name: string;
        /** @description The `iss` of its tokens, compared as exact text */
        issuer: string;
        /** @description The `sub` of its tokens: exact, or ending in `*` after a `:` or `/` that two segments or more stand before */
        subject: string;
        /** @description Further claims that its tokens have to have, with these values (default: `{}`) */
        claims?: {
          [key: string]: string | number | boolean;
        };
        /** @description The public keys of an issuer that publishes none; without it they are found by its discovery document */
        jwks?: {
          /** @description At most 20 */
          keys: ({
            /**
             * @description Kind of the key
             * @enum {string}
             */
            kty: "RSA" | "EC" | "OKP";
            /** @description Curve: `P-256` of EC, `Ed25519` of OKP; of platforms also `P-384` and `P-521` of EC */
            crv?: string;
            /** @description Public key on the curve */
            x?: string;
            /** @description Second coordinate of EC */
            y?: string;
            /** @description Modulus of RSA, of 2048 to 8192 bits */
            n?: string;
            /** @description Exponent of RSA */
            e?: string;
            /** @description Name of the key, which assertions carry in their header */
            kid?: string;
            /** @description `sig`, or left out */
            use?: string;
            /** @description The only algorithm of the key */
            alg?: string;
          } & {
            [key: string]: unknown;
          })[];
        };
      }[];
    };
    NewBlockedClientHost: {
      /** @description Host of client ID metadata documents, with its port unless that is 443 */
      host: string;
      /** @description Why, for those who read it later (default: `null`) */
      reason?: string | null;
    };
    NewClient: {
      /** @description Shown on the consent page */
      name: string;
      /**
       * @description Confidential clients can store a secret; public ones (browser and native applications) cannot. Immutable
       * @enum {string}
       */
      clientType: "confidential" | "public";
      /** @description What the client is for (default: `null`) */
      description?: string | null;
      /** @description `fapi2` holds the client to the FAPI 2.0 Security Profile: it sets what the profile demands, and refuses what contradicts it; null for none. Needs the extensions `private_key_jwt`, `par` and `dpop`; `mtls` may take the place of the first and of the last (default: `null`) */
      profile?: "fapi2" | null;
      /**
       * @description How the client is told to authenticate: client_secret_basic by default, none for public clients. A secret is accepted either way; with `private_key_jwt` only a signed assertion is (RFC 7523), which needs the extension of that name; with `tls_client_auth` and `self_signed_tls_client_auth` only a certificate is (RFC 8705), which needs the extension `mtls`
       * @enum {string}
       */
      tokenEndpointAuthMethod?: "client_secret_basic" | "client_secret_post" | "none" | "private_key_jwt" | "tls_client_auth" | "self_signed_tls_client_auth";
      /** @description The only algorithm in which the client signs its assertions; null allows each. `Ed25519` is another name of `EdDSA`. Needs the extension `private_key_jwt` */
      tokenEndpointAuthSigningAlg?: ("EdDSA" | "Ed25519" | "ES256" | "PS256" | "RS256") | null;
      /** @description Public keys by which the client signs (RFC 7517): RSA, EC with P-256, or OKP with Ed25519; null for none. With `self_signed_tls_client_auth`, the keys of its certificates. Needs the extension `private_key_jwt`, `mtls` or `jar` */
      jwks?: {
        /** @description At most 20 */
        keys: ({
          /**
           * @description Kind of the key
           * @enum {string}
           */
          kty: "RSA" | "EC" | "OKP";
          /** @description Curve: `P-256` of EC, `Ed25519` of OKP; of platforms also `P-384` and `P-521` of EC */
          crv?: string;
          /** @description Public key on the curve */
          x?: string;
          /** @description Second coordinate of EC */
          y?: string;
          /** @description Modulus of RSA, of 2048 to 8192 bits */
          n?: string;
          /** @description Exponent of RSA */
          e?: string;
          /** @description Name of the key, which assertions carry in their header */
          kid?: string;
          /** @description `sig`, or left out */
          use?: string;
          /** @description The only algorithm of the key */
          alg?: string;
        } & {
          [key: string]: unknown;
        })[];
      } | null;
      /** @description Address at which the client publishes them, in place of `jwks`: https, read anew every ten minutes; null for none. Needs the extension `private_key_jwt`, `mtls` or `jar` (default: `null`) */
      jwksUri?: string | null;
      /** @description Whether the client has to sign its authorization requests (RFC 9101): others are refused. Needs the extension `jar` (default: `false`) */
      requireSignedRequestObject?: boolean;
      /** @description The only algorithm in which the client signs its authorization requests; null allows each. `Ed25519` is another name of `EdDSA`. Needs the extension `jar` */
      requestObjectSigningAlg?: ("EdDSA" | "Ed25519" | "ES256" | "PS256" | "RS256") | null;
      /** @description The name that the certificate has to have with `tls_client_auth` (RFC 8705 §2.1.2): exactly one; null for none. Needs the extension `mtls` */
      tlsClientAuth?: {
        /** @description The subject (RFC 4514), the most specific name first. It is stored and shown in one form */
        subjectDn?: string;
        /** @description A DNS name among the alternative names */
        sanDns?: string;
        /** @description A URI among them */
        sanUri?: string;
        /** @description An IP address among them */
        sanIp?: string;
        /** @description An e-mail address among them */
        sanEmail?: string;
      } | null;
      /** @description Where browsers may be sent with a code, compared as exact strings: https, loopback http or a private-use scheme. Within allowedCallbackUrls of the organisation, when it has any */
      redirectUris?: string[];
      /** @description Where browsers may be sent after signing out. Within allowedLogoutUrls of the organisation, when it has any */
      postLogoutRedirectUris?: string[];
      /** @description Where a sign-in begins that the application has not requested, such as after an invitation (OpenID Connect Core §4): https, or http on loopback. Of the origin of one of allowedCallbackUrls of the organisation, when it has any (default: `null`) */
      initiateLoginUri?: string | null;
      /** @description Grants that the client may use. `urn:ietf:params:oauth:grant-type:device_code`, for devices without a browser (RFC 8628), needs the extension `device` */
      grantTypes?: ("authorization_code" | "refresh_token" | "client_credentials" | "urn:ietf:params:oauth:grant-type:device_code" | "urn:ietf:params:oauth:grant-type:token-exchange" | "urn:ietf:params:oauth:grant-type:jwt-bearer")[];
      /** @description Custom scopes that the client may request. Those of OpenID Connect are left out: every client may request them */
      scopes?: string[];
      /** @description Whether a code is only issued for a PKCE challenge; always true for public clients (default: `true`) */
      requirePkce?: boolean;
      /** @description Whether the challenge method `plain` is accepted besides `S256` */
      allowPlainPkce?: boolean;
      /** @description Whether users are asked before the client gets a code (default: `false`) */
      requireConsent?: boolean;
      /** @description Whether the client has to push its authorization requests (RFC 9126): others are refused. Needs the extension `par` (default: `false`) */
      requirePushedAuthorizationRequests?: boolean;
      /** @description Whether the client gets tokens for a proof of its key alone (RFC 9449), to which they are bound. Needs the extension `dpop` (default: `false`) */
      requireDpop?: boolean;
      /** @description Whether the client gets tokens for a certificate alone, to which they are bound (RFC 8705 §3). With a proof of a key (DPoP) they are bound to that key. Needs the extension `mtls` (default: `false`) */
      certificateBoundAccessTokens?: boolean;
      /** @description Seconds within which the same refresh by the same client gets the same response again. With 0, two processes of one application that refresh at the same moment end the session: set some, such as 30, for an application of several processes (default: `0`) */
      refreshTokenGraceSeconds?: number;
      /** @description Seconds; null follows the token lifetime policy of the organisation (default: `null`) */
      accessTokenLifetime?: number | null;
      /** @description Seconds; null follows the token lifetime policy of the organisation (default: `null`) */
      refreshTokenLifetime?: number | null;
      /** @description Seconds after the sign-in of the user at which refreshing ends for good, however often it was used; null follows the token lifetime policy of the organisation (default: `null`) */
      refreshTokenAbsoluteLifetime?: number | null;
      /** @description Seconds; null follows the token lifetime policy of the organisation (default: `null`) */
      idTokenLifetime?: number | null;
      /** @description Seconds that a code can be redeemed (default: `600`) */
      authorizationCodeTtl?: number;
      /**
       * @description What signs ID tokens of the client. `Ed25519` is another name of `EdDSA`
       * @enum {string}
       */
      idTokenSignedResponseAlg?: "EdDSA" | "RS256" | "Ed25519";
      /** @description What signs the responses of introspection that the client asks for in signed form (RFC 9701); null means `RS256`. Needs the extension `jwt_introspection` */
      introspectionSignedResponseAlg?: ("EdDSA" | "RS256" | "Ed25519") | null;
      /** @description Levels of sign-in, best first, to attempt if a request names none in `acr_values` (OpenID Connect Dynamic Client Registration §2). Needs the extension `step_up` */
      defaultAcrValues?: ("aal1" | "aal2" | "phr" | "phrh")[] | null;
      /** @description Seconds after which a user signs in again, if a request does not say it by `max_age` (OpenID Connect Dynamic Client Registration §2) (default: `null`) */
      defaultMaxAge?: number | null;
      /** @description Where logout tokens are sent when a session ends in which the client has got tokens: https, without a fragment, to a destination that webhooks may have; null for none. Needs the extension `backchannel_logout` (default: `null`) */
      backchannelLogoutUri?: string | null;
      /** @description Whether the client needs `sid` in logout tokens. They always contain it, so this only records what the client has registered. Needs the extension `backchannel_logout` (default: `false`) */
      backchannelLogoutSessionRequired?: boolean;
      /** @description Whether what the client holds by a session ends with the session, refresh tokens among it. Needs the extension `backchannel_logout` (default: `false`) */
      backchannelLogoutRevokesRefresh?: boolean;
      /** @description Resource servers that the client may ask tokens for, and of whose scopes those that `scopes` names; null for none. Needs the extension `resource_indicators` */
      resourceServerIds?: string[] | null;
      /** @description Identifier of the one of them that tokens are for if a request names no `resource`; null for none. Needs the extension `resource_indicators` */
      defaultResource?: string | null;
      /** @description Claims that its tokens, UserInfo and introspection have besides, at most 4 KiB in each */
      claimMappings?: {
        /** @description The claim. Names that tokens and OpenID Connect define are reserved */
        name: string;
        /** @description Which tokens and responses have it */
        in: ("id_token" | "access_token" | "userinfo" | "introspection")[];
        /** @description A JSON pointer (RFC 6901): `/user/metadata/…`, `/user/teams` and `/user/roles` (slugs), `/organisation/metadata/…`, `/organisation/slug`, `/identity/<claim>` of the identity provider that the session came by, or `/session/acr`; or the value itself as `{"value": …}`. What is about the user needs the permission `users:read` */
        from: string | {
          /** @description The value itself */
          value: unknown;
        };
        /**
         * @description The form of the value. `first` takes the first of a list, `join` puts commas between its entries. A value that cannot be read so is missing
         * @enum {string}
         */
        as?: "string" | "number" | "boolean" | "array" | "first" | "join" | "lowercase";
        /** @description Only where this scope is granted; without it always */
        scope?: string;
        /** @description Stands in for a value that is missing or null */
        default?: unknown;
      }[];
      /** @description Identities of platforms that stand in for a secret, at most 20: of CI jobs, Kubernetes service accounts or SPIFFE workloads. Each is of one client or API key in the whole installation. The tokens are for this service: `aud` is its issuer. Needs the extension `federated_credentials` */
      federatedCredentials?: {
        /** @description Which workload it is, for people */
        name: string;
        /** @description The `iss` of its tokens, compared as exact text */
        issuer: string;
        /** @description The `sub` of its tokens: exact, or ending in `*` after a `:` or `/` that two segments or more stand before */
        subject: string;
        /** @description Further claims that its tokens have to have, with these values (default: `{}`) */
        claims?: {
          [key: string]: string | number | boolean;
        };
        /** @description The public keys of an issuer that publishes none; without it they are found by its discovery document */
        jwks?: {
          /** @description At most 20 */
          keys: ({
            /**
             * @description Kind of the key
             * @enum {string}
             */
            kty: "RSA" | "EC" | "OKP";
            /** @description Curve: `P-256` of EC, `Ed25519` of OKP; of platforms also `P-384` and `P-521` of EC */
            crv?: string;
            /** @description Public key on the curve */
            x?: string;
            /** @description Second coordinate of EC */
            y?: string;
            /** @description Modulus of RSA, of 2048 to 8192 bits */
            n?: string;
            /** @description Exponent of RSA */
            e?: string;
            /** @description Name of the key, which assertions carry in their header */
            kid?: string;
            /** @description `sig`, or left out */
            use?: string;
            /** @description The only algorithm of the key */
            alg?: string;
          } & {
            [key: string]: unknown;
          })[];
        };
      }[];
      /** @description Shown on the consent page; https only, during development also http of the machine itself (default: `null`) */
      logoUrl?: string | null;
    };
    NewConnection: {
      /** @description Shown on the sign-in page */
      name: string;
      /** @description Unique in the organisation; cannot be changed */
      slug: string;
      /**
       * @description The kind of identity provider; `oidc` is any OpenID Connect provider, `saml` any SAML 2.0 provider. Cannot be changed
       * @enum {string}
       */
      provider: "google" | "microsoft" | "github" | "apple" | "oidc" | "saml";
      /** @description Whether it is active. Required settings may be missing while it is not (default: `true`) */
      isActive?: boolean;
      /** @description The configuration for the provider */
      configuration?: {
        /** @description `oidc`: the issuer, exactly as its discovery document names it; https only */
        issuer?: string | null;
        /** @description The client id that the provider has issued for this service; for `apple` the Services ID */
        clientId?: string | null;
        /** @description The requested scopes; by default openid, email and profile for `oidc`, and what the provider needs for others */
        scopes?: string[] | null;
        /** @description `oidc`: how the secret is sent to the token endpoint; with `private_key_jwt` there is none, and a key of this service signs */
        clientAuthentication?: ("client_secret_basic" | "client_secret_post" | "private_key_jwt") | null;
        /** @description `oidc`: whether claims are also read from the UserInfo endpoint */
        userInfo?: boolean | null;
        /** @description `oidc`: an address is proven by the claim `email_verified`, or by its domain, which the organisation has verified */
        emailTrust?: ("verified_claim" | "verified_domain") | null;
        /** @description Further parameters of the authorization request */
        extraParameters?: {
          [key: string]: string;
        } | null;
        /** @description Whose addresses may get an account by `jit`, besides those of verified domains; `*` stands for all */
        allowedDomains?: string[] | null;
        /** @description `google`: the Workspace domains that may sign in; all when empty */
        allowedHostedDomains?: string[] | null;
        /** @description `microsoft`: id of the one tenant, or `organizations`, `consumers` or `common` */
        tenant?: string | null;
        /** @description `microsoft`: ids of the tenants that may sign in; all when empty */
        allowedTenants?: string[] | null;
        /** @description `github`: host of an Enterprise Server; github.com without it */
        host?: string | null;
        /** @description `apple`: id of the team */
        teamId?: string | null;
        /** @description `apple`: id of the key */
        keyId?: string | null;
        /** @description `saml`: https address of the metadata of the provider, from which entity id, address and certificates are taken now and every twelve hours */
        metadataUrl?: string | null;
        /** @description `saml`: the metadata themselves. They are read and not stored: what they say is */
        metadataXml?: string | null;
        /** @description `saml`: until when the metadata are valid, by what they say; no sign-in afterwards */
        metadataValidUntil?: string | null;
        /** @description `saml`: the entity id of the provider, as it names itself in its responses */
        entityId?: string | null;
        /** @description `saml`: where the provider signs users in; https only */
        ssoUrl?: string | null;
        /** @description `saml`: how requests come there: in the address (Redirect binding), or by a form that the browser posts (POST binding) */
        ssoBinding?: ("redirect" | "post") | null;
        /** @description `saml`: where the provider signs users out; https only. Needed for `upstreamLogout` */
        sloUrl?: string | null;
        /** @description `saml`: how messages of single logout come there, as `ssoBinding`; `redirect` without it */
        sloBinding?: ("redirect" | "post") | null;
        /** @description `saml`: where responses to sign-outs of the provider go, if it has another address for them than `sloUrl` */
        sloResponseUrl?: string | null;
        /** @description `saml`: the certificates of the keys with which the provider signs, in PEM or base64. Any of them may have signed, expired or not */
        certificates?: string[] | null;
        /** @description `saml`: whether a signature of the whole response counts in place of one of the assertion */
        acceptsSignedResponse?: boolean | null;
        /** @description `saml`: the attribute that identifies a user for ever; the NameID without it, which must not be a transient one */
        subjectAttribute?: string | null;
      };
      /** @description The client secret; for `apple` the content of the .p8 file. It is never shown */
      secret?: string;
      /** @description Whether a sign-in is linked to the existing account with the address that the connection has proven: never, once its user confirms, or at once. null: at once for a verified domain that is assigned to the connection, else once confirmed (default: `null`) */
      linking?: ("none" | "confirm" | "automatic") | null;
      /**
       * @description Whether a user without an account gets one at the first sign-in (`jit`) (default: `"none"`)
       * @enum {string}
       */
      provisioning?: "none" | "jit";
      /** @description Which claim gives which field of a user */
      mapping?: {
        /** @description Where the address is; `email` without it. Only `oidc` may name another claim */
        email?: string | null;
        /** @description Where the first name is; `given_name` without it */
        firstName?: string | null;
        /** @description Where the last name is; `family_name` without it */
        lastName?: string | null;
        /** @description Where the phone number is; none is read without it */
        phone?: string | null;
        /** @description Where the groups are; `groups` without it. The mappings of the claim `groups` read it there */
        groups?: string | null;
      };
      /** @description Roles by what a claim holds; never the owner role (default: `[]`) */
      roleMappings?: {
        /** @description Name of a claim, or a JSON pointer to one */
        claim: string;
        /** @description The value, or one of several, that the claim must have */
        value: string;
        /** @description Id of the role */
        roleId: string;
      }[];
      /** @description Teams by what a claim holds (default: `[]`) */
      teamMappings?: {
        /** @description Name of a claim, or a JSON pointer to one */
        claim: string;
        /** @description The value, or one of several, that the claim must have */
        value: string;
        /** @description Id of the team */
        teamId: string;
      }[];
      /**
       * @description When names, phone number, roles and teams are updated: at the first sign-in or at each (default: `"creation"`)
       * @enum {string}
       */
      syncOn?: "creation" | "every_sign_in";
      /** @description Whether a second factor at the provider counts here (default: `false`) */
      trustsMfa?: boolean;
      /** @description Values of `acr` that mean a second factor, besides `mfa` in `amr` (default: `[]`) */
      mfaContexts?: string[];
      /** @description Whether signing out here signs out at the provider, too (default: `false`) */
      upstreamLogout?: boolean;
      /**
       * @description `saml`: what becomes of a response that was not asked for. It signs no user in; with `restart` a sign-in begins instead (default: `"refuse"`)
       * @enum {string}
       */
      idpInitiated?: "refuse" | "restart";
      /** @description Maximum lifetime in seconds of sessions and refresh tokens that began with it (default: `null`) */
      sessionMaxAgeSeconds?: number | null;
      /** @description `oidc` and its presets: assertions by which applications act for users without a sign-in (ID-JAG). null accepts none. Needs `identity_assertions` (default: `null`) */
      identityAssertions?: {
        /** @description Whether applications may act for users by assertions of this provider */
        accepted: boolean;
        /** @description Ids of the resource servers that such assertions may be for (default: `[]`) */
        resourceServerIds?: string[];
        /** @description The longest life of an assertion, in seconds (default: `300`) */
        maxLifetimeSeconds?: number;
        /** @description Whether a client that only the address of its document identifies may present one. Needs `client_metadata_documents` (default: `false`) */
        allowsUnauthenticatedDocuments?: boolean;
        /** @description Which tenant of the provider is trusted, as `tenant` in its assertions names it: needed where one issuer is that of many, as of another Gatehouse (default: `null`) */
        tenant?: string | null;
      } | null;
    };
    NewConnectionSecret: {
      /** @description The client secret; for `apple` the content of the .p8 file. It is never shown */
      secret: string;
      /** @description How long the previous secret is tried as well (default: `0`) */
      gracePeriodSeconds?: number;
    };
    NewDirectory: {
      /** @description What administrators call it; unique in the organisation */
      name: string;
      /** @description Whether its requests are accepted (default: `true`) */
      isActive?: boolean;
      /** @description With `userMatch` `externalId`, the connection that knows its users by their `externalId` (default: `null`) */
      connectionId?: string | null;
      /**
       * @description `externalId`: a user whom it manages is linked to the account of `connectionId` with this id, so that the first sign-in finds them (default: `"email"`)
       * @enum {string}
       */
      userMatch?: "email" | "externalId";
      /**
       * @description Whether it may change the address of a user to another one of a verified domain (default: `"verified_domains"`)
       * @enum {string}
       */
      emailChanges?: "verified_domains" | "refuse";
      /**
       * @description What becomes of a user whom it deletes: blocked, and found again when they are sent once more, or deleted (default: `"block"`)
       * @enum {string}
       */
      deletes?: "block" | "delete";
      /**
       * @description `teams`: each of its groups is a team. `mappings_only`: only what `groupMappings` name follows (default: `"teams"`)
       * @enum {string}
       */
      groups?: "teams" | "mappings_only";
      /** @description Roles and teams of the members of groups (default: `[]`) */
      groupMappings?: {
        /** @description The group, by exactly one of its names */
        group: {
          /** @description What the group is called there, in any case */
          displayName?: string;
          /** @description The id by which the directory knows it */
          externalId?: string;
        };
        /** @description Ids of the roles that its members get; never the owner role (default: `[]`) */
        roleIds?: string[];
        /** @description Ids of the teams that its members join (default: `[]`) */
        teamIds?: string[];
      }[];
    };
    NewDirectoryToken: {
      /** @description When the token stops working; null never (default: `null`) */
      expiresAt?: string | null;
      /** @description After how many seconds the former tokens stop working; without it they stay as they are */
      gracePeriodSeconds?: number;
    };
    NewDomain: {
      /** @description In ASCII, with `xn--`, or in its own letters: it is stored as the DNS has it. Nothing is cut off or corrected */
      domain: string;
      /** @description A connection of the organisation */
      connectionId?: string;
      /**
       * @description Whether users with an address of the domain are led to the connection, or can sign in only with it; while the domain is verified (default: `"off"`)
       * @enum {string}
       */
      sso?: "off" | "offered" | "required";
    };
    NewInvitation: {
      /** @description Receives the mail; must not be registered in the system yet */
      email: string;
      /** @description Id or slug of the role that is given on acceptance; only one within your own permissions */
      roleId: string;
      /** @description Ids or slugs of the teams that are joined on acceptance (default: `[]`) */
      teamIds?: string[];
      /** @description The application that the user continues to after accepting, at its `initiateLoginUri` (default: `null`) */
      clientId?: string | null;
      /** @description Whether the response also has the link, to pass it on in another way than by mail. The address then does not count as verified on acceptance (default: `false`) */
      returnLink?: boolean;
      /** @description Whole days until the link stops working (default: `7`) */
      expiresInDays?: number;
    };
    NewOrganisation: {
      /** @description Name of the organisation; unique in the whole system */
      name: string;
      /** @description Short name for programs, unique in the whole system; cannot be changed */
      slug: string;
      /** @description Contact of the organisation */
      email: string;
      /** @description Gets the welcome mail with a link to set a password */
      ownerEmail: string;
      /** @description First name of the owner */
      ownerFirstName?: string;
      /** @description Last name of the owner */
      ownerLastName?: string;
    };
    NewPasskey: {
      /** @description From the response with the options; it works for five minutes */
      flowToken: string;
      /** @description The result of `toJSON()` of the credential */
      credential: components["schemas"]["PasskeyRegistration"];
      /** @description What its user calls it */
      name?: string;
    };
    NewPermission: {
      /** @description Name that routes and tokens use: resource and action */
      slug: string;
      /** @description Name of the permission */
      name: string;
      /** @description What it allows */
      description: string;
      /**
       * @description What it is about; `custom` for permissions of your own
       * @enum {string}
       */
      category: "users" | "roles" | "teams" | "clients" | "webhooks" | "api_keys" | "invitations" | "audit" | "organisation" | "custom";
    };
    NewRegistrationToken: {
      /** @description What the token is for (default: `null`) */
      name?: string | null;
      /** @description When the token stops working; null never (default: `null`) */
      expiresAt?: string | null;
      /** @description How many clients it registers; null any number (default: `null`) */
      maxUses?: number | null;
      /** @description Grants that its clients may register for */
      allowedGrantTypes?: ("authorization_code" | "refresh_token" | "client_credentials" | "urn:ietf:params:oauth:grant-type:device_code" | "urn:ietf:params:oauth:grant-type:token-exchange" | "urn:ietf:params:oauth:grant-type:jwt-bearer")[];
      /** @description Custom scopes that its clients may register for. Those of OpenID Connect are left out: every client may request them */
      allowedScopes?: string[];
    };
    NewResourceAuthorizationServer: {
      /** @description What administrators call it */
      name: string;
      /** @description The issuer of the other authorization server, exactly as its metadata name it; https only. Immutable */
      issuer: string;
      /** @description Our client by which that company signs our users in: it knows users by the `sub` of that client */
      audienceClientId: string;
      /** @description The APIs there that our clients may reach (default: `[]`) */
      resources?: {
        /** @description The absolute URI of an API there */
        identifier: string;
        /** @description What can be allowed there */
        scopes: string[];
      }[];
      /** @description Which client may do what there, and for whom (default: `[]`) */
      grants?: {
        /** @description The confidential client that may act */
        clientId: string;
        /** @description What the other authorization server calls that client; null for a client that the address of its document names (default: `null`) */
        downstreamClientId?: string | null;
        /** @description Identifiers among the resources */
        resources: string[];
        /** @description Scopes of these resources */
        scopes: string[];
        /** @description For users who have one of these roles (default: `[]`) */
        roleIds?: string[];
        /** @description For users of one of these teams. Without roles and teams: for every user (default: `[]`) */
        teamIds?: string[];
      }[];
      /** @description The level that the sign-in of the user must have reached; null for any. `phr` and `phrh` need the extension `step_up` (default: `null`) */
      requiredAcr?: ("aal1" | "aal2" | "phr" | "phrh") | null;
      /** @description How long an assertion is valid (default: `300`) */
      lifetimeSeconds?: number;
      /** @description Whether assertions tell the user's address (default: `false`) */
      includesEmail?: boolean;
      /** @description Whether assertions are issued for it (default: `true`) */
      isActive?: boolean;
    };
    NewResourceServer: {
      /** @description What administrators and the consent page call it */
      name: string;
      /** @description The absolute https URI by which clients ask for it and tokens name it (RFC 8707); unique in the installation, compared as a string. Immutable */
      identifier: string;
      /** @description What clients can be allowed there (default: `[]`) */
      scopes?: {
        /** @description What clients ask for; the same name at another resource server is another scope */
        name: string;
        /** @description What it allows, as the consent page says it (default: `null`) */
        description?: string | null;
      }[];
      /** @description Seconds; null follows the client. A token for several lives as long as the shortest (default: `null`) */
      accessTokenLifetime?: number | null;
      /**
       * @description What signs access tokens; a token for several is signed by RS256 if one needs it. `Ed25519` is another name of `EdDSA` (default: `"EdDSA"`)
       * @enum {string}
       */
      accessTokenSigningAlg?: "EdDSA" | "RS256" | "Ed25519";
      /** @description Whether clients that no administrator has registered may ask for it. Needs an extension that registers them (default: `false`) */
      allowsAutomaticClients?: boolean;
      /** @description Whether its tokens must be bound to a key. Needs the extension `dpop` (default: `false`) */
      requireDpop?: boolean;
      /** @description Whether its tokens always say how and when the user signed in: `acr`, `amr`, `auth_time` (default: `false`) */
      includeAuthenticationContext?: boolean;
      /** @description Confidential clients that may introspect its tokens, besides the client that a token was issued to (default: `[]`) */
      introspectionClientIds?: string[];
      /** @description Clients that may exchange tokens for it. Needs the extension `token_exchange` (default: `[]`) */
      exchangeClientIds?: string[];
      /** @description Claims that its access tokens and their introspection have besides. They win over those of the client */
      claimMappings?: {
        /** @description The claim. Names that tokens and OpenID Connect define are reserved */
        name: string;
        /** @description Which tokens and responses have it */
        in: ("access_token" | "introspection")[];
        /** @description A JSON pointer (RFC 6901): `/user/metadata/…`, `/user/teams` and `/user/roles` (slugs), `/organisation/metadata/…`, `/organisation/slug`, `/identity/<claim>` of the identity provider that the session came by, or `/session/acr`; or the value itself as `{"value": …}`. What is about the user needs the permission `users:read` */
        from: string | {
          /** @description The value itself */
          value: unknown;
        };
        /**
         * @description The form of the value. `first` takes the first of a list, `join` puts commas between its entries. A value that cannot be read so is missing
         * @enum {string}
         */
        as?: "string" | "number" | "boolean" | "array" | "first" | "join" | "lowercase";
        /** @description Only where this scope is granted; without it always */
        scope?: string;
        /** @description Stands in for a value that is missing or null */
        default?: unknown;
      }[];
      /** @description Whether tokens are issued for it and accepted. Tokens from before it was switched off stay unaccepted (default: `true`) */
      isActive?: boolean;
    };
    NewRole: {
      /** @description Name of the role */
      name: string;
      /** @description Short name of the role for programs, unique in the organisation; cannot be changed */
      slug: string;
      /** @description What the role is for (default: `""`) */
      description?: string;
      /** @description Given to new users who are created without roles (default: `false`) */
      isDefault?: boolean;
      /** @description Ids or slugs of the permissions that the role holds; only ones that the caller has (default: `[]`) */
      permissionIds?: string[];
    };
    NewSetupLink: {
      /** @description What administrators call it, such as the customer; the visitor reads it */
      name: string;
      /** @description `domain`: one e-mail domain is verified. `oidc`, `saml`: an identity provider is connected; with both, the visitor chooses the protocol. `scim`: a directory is set up */
      purposes: ("domain" | "oidc" | "saml" | "scim")[];
      /** @description After how many hours the link stops working (default: `72`) */
      expiresInHours?: number;
      /** @description Whether what is made is active as soon as the link is finished. Otherwise an administrator activates it (default: `false`) */
      activate?: boolean;
      /** @description What is decided for the connection (`provisioning` to `emailTrust`), the domain (`sso`) and the directory (`emailChanges` to `groupMappings`) (default: `{}`) */
      settings?: {
        /**
         * @description Whether a user without an account gets one at the first sign-in (`jit`) (default: `"none"`)
         * @enum {string}
         */
        provisioning?: "none" | "jit";
        /** @description Whether a sign-in is linked to the existing account with the address that the connection has proven: never, once its user confirms, or at once. null: at once for a verified domain that is assigned to the connection, else once confirmed (default: `null`) */
        linking?: ("none" | "confirm" | "automatic") | null;
        /**
         * @description When names, phone number, roles and teams are updated: at the first sign-in or at each (default: `"creation"`)
         * @enum {string}
         */
        syncOn?: "creation" | "every_sign_in";
        /** @description Whether a second factor at the provider counts here (default: `false`) */
        trustsMfa?: boolean;
        /** @description Which claim gives which field of a user */
        mapping?: {
          /** @description Where the address is; `email` without it. Only `oidc` may name another claim */
          email?: string | null;
          /** @description Where the first name is; `given_name` without it */
          firstName?: string | null;
          /** @description Where the last name is; `family_name` without it */
          lastName?: string | null;
          /** @description Where the phone number is; none is read without it */
          phone?: string | null;
          /** @description Where the groups are; `groups` without it. The mappings of the claim `groups` read it there */
          groups?: string | null;
        };
        /** @description Roles by what a claim holds; never the owner role (default: `[]`) */
        roleMappings?: {
          /** @description Name of a claim, or a JSON pointer to one */
          claim: string;
          /** @description The value, or one of several, that the claim must have */
          value: string;
          /** @description Id of the role */
          roleId: string;
        }[];
        /** @description Teams by what a claim holds (default: `[]`) */
        teamMappings?: {
          /** @description Name of a claim, or a JSON pointer to one */
          claim: string;
          /** @description The value, or one of several, that the claim must have */
          value: string;
          /** @description Id of the team */
          teamId: string;
        }[];
        /** @description Whose addresses may get an account by `jit`, besides those of verified domains; `*` stands for all */
        allowedDomains?: string[] | null;
        /** @description `oidc`: an address is proven by the claim `email_verified`, or by its domain, which the organisation has verified */
        emailTrust?: ("verified_claim" | "verified_domain") | null;
        /**
         * @description Whether users with an address of the domain are led to the connection, or can sign in only with it; while the domain is verified (default: `"off"`)
         * @enum {string}
         */
        sso?: "off" | "offered" | "required";
        /**
         * @description Whether it may change the address of a user to another one of a verified domain (default: `"verified_domains"`)
         * @enum {string}
         */
        emailChanges?: "verified_domains" | "refuse";
        /**
         * @description What becomes of a user whom it deletes: blocked, and found again when they are sent once more, or deleted (default: `"block"`)
         * @enum {string}
         */
        deletes?: "block" | "delete";
        /**
         * @description `teams`: each of its groups is a team. `mappings_only`: only what `groupMappings` name follows (default: `"teams"`)
         * @enum {string}
         */
        groups?: "teams" | "mappings_only";
        /** @description Roles and teams of the members of groups (default: `[]`) */
        groupMappings?: {
          /** @description The group, by exactly one of its names */
          group: {
            /** @description What the group is called there, in any case */
            displayName?: string;
            /** @description The id by which the directory knows it */
            externalId?: string;
          };
          /** @description Ids of the roles that its members get; never the owner role (default: `[]`) */
          roleIds?: string[];
          /** @description Ids of the teams that its members join (default: `[]`) */
          teamIds?: string[];
        }[];
      };
    };
    NewTeam: {
      /** @description Name of the team */
      name: string;
      /** @description Unique in the organisation; cannot be changed */
      slug: string;
      /** @description Who is in the team (default: `""`) */
      description?: string;
    };
    NewUser: {
      /** @description E-mail address, lower-cased; unique in the whole system */
      email: string;
      /** @description First name */
      firstName: string;
      /** @description Last name */
      lastName: string;
      /** @description Without one the user gets a mail with a link to set it */
      password?: string;
      /** @description false sends no mail to a user without a password, who can still request a link on the sign-in page */
      sendWelcomeMail?: boolean;
      /** @description Ids or slugs of roles; without any, the default role of the organisation */
      roleIds?: string[];
      /** @description Ids or slugs of teams */
      teamIds?: string[];
      /** @description Your own, up to 8 KiB. Tokens show parts of it where an application or an API maps them to claims. Events do not have it */
      metadata?: {
        [key: string]: unknown;
      };
    };
    NewWebhook: {
      /** @description HTTPS only; redirects are not followed */
      url: string;
      /** @description Names from GET /v1/admin/events, or * for all */
      events: ("*" | "user.created" | "user.updated" | "user.deleted" | "user.blocked" | "user.login" | "user.logout" | "auth.login" | "auth.login.failed" | "auth.logout" | "auth.password_reset" | "auth.email_verified" | "login.success" | "login.failed" | "session.created" | "session.revoked" | "mfa.enabled" | "mfa.disabled" | "passkey.registered" | "passkey.deleted" | "identity.linked" | "connection.created" | "connection.updated" | "connection.failing" | "connection.certificate_expiring" | "connection.deleted" | "directory.failing" | "identity.unlinked" | "role.created" | "role.updated" | "role.deleted" | "role.assigned" | "role.unassigned" | "permission.granted" | "team.created" | "team.updated" | "team.deleted" | "domain.verified" | "domain.lapsed" | "client.created" | "client.updated" | "client.deleted" | "client.revoked" | "oauth2.token.issued" | "oauth2.token.revoked" | "oauth2.consent.granted" | "oauth2.consent.revoked")[];
      /** @description Deliver only events of this OAuth client */
      clientId?: string | null;
      /**
       * @description Determines envelope, headers, user agent, timeout and retries
       * @enum {string}
       */
      variant?: "A" | "B";
      /** @description Whether requests also have the headers of Standard Webhooks, which its libraries verify: `webhook-id`, `webhook-timestamp`, `webhook-signature` (default: `false`) */
      standardSignature?: boolean;
    };
    Organisation: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description Short name for programs, unique in the whole system; cannot be changed */
      slug: string;
      /** @description Name of the organisation; unique in the whole system */
      name: string;
      /** @description Contact of the organisation */
      email: string;
      /** @description Telephone number; null when none is known */
      phone: string | null;
      /** @description Address of the website */
      website: string | null;
      /** @description Id of the user who owns the organisation */
      ownerId: string | null;
      /** @description Redirect URIs that clients may register; any when empty */
      allowedCallbackUrls: string[];
      /** @description Addresses after sign-out that clients may register; any when empty */
      allowedLogoutUrls: string[];
      /** @description Origins whose pages may call the API from a browser */
      allowedOrigins: string[];
      /**
       * @description Users sign in while it is trial or active
       * @enum {string}
       */
      status: "trial" | "active" | "suspended" | "cancelled";
      /** @description Maximum lifetime of a new session in seconds */
      sessionLifetime: number;
      /** @description Seconds without use after which a new session ends */
      sessionIdleTimeout: number;
      /** @description Whether every user must have a second factor */
      requireMfa: boolean;
      /** @description Second factors that may be enrolled */
      allowedMfaMethods: string[];
      /** @description The rules for new passwords; null: the default */
      passwordPolicy: {
        [key: string]: unknown;
      } | null;
      /** @description Seconds that tokens live, unless the client says otherwise; null: the default */
      tokenLifetimePolicy: {
        [key: string]: unknown;
      } | null;
      /** @description How the hosted pages and the mails look; null: the default */
      branding: {
        [key: string]: unknown;
      } | null;
      /** @description How users sign in */
      signInPolicy: {
        /**
         * @description Whether a password signs in; the owner's always does. `disabled` needs passkeys, e-mail codes or a connection that works
         * @enum {string}
         */
        password: "allowed" | "disabled";
        /**
         * @description Whether passkeys sign in. With `required`, users without one register one at the next sign-in. A password still signs in beside it, unless `password` is `disabled`
         * @enum {string}
         */
        passkeys: "off" | "allowed" | "required";
        /** @description Whether a passkey that has verified its user counts as both factors */
        passkeySatisfiesMfa: boolean;
        /**
         * @description Whether a code that is mailed to the user signs in. Not as the only way while `requireMfa`
         * @enum {string}
         */
        emailCode: "off" | "allowed";
      };
      /** @description Which applications with client ID metadata documents are accepted */
      clientDocumentPolicy: {
        /**
         * @description Whether documents of any host are accepted, or only of those in `hosts`
         * @enum {string}
         */
        mode: "any" | "hosts";
        /** @description Hosts that are accepted */
        hosts: string[];
        /** @description Whether redirect URIs may be of another host than the document */
        foreignRedirects: boolean;
      };
      /** @description Your own, up to 64 KiB */
      metadata: {
        [key: string]: unknown;
      };
      /**
       * Format: date-time
       * @description When the organisation was created
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When the organisation was last changed
       */
      updatedAt: string;
      /** @description When it was cancelled; null for all others */
      deletedAt: string | null;
    };
    OrganisationChanges: {
      /** @description Name of the organisation; unique in the whole system */
      name?: string;
      /** @description Contact of the organisation */
      email?: string;
      /** @description Telephone number; null when none is known */
      phone?: string | null;
      /** @description Address of the website */
      website?: string | null;
      /** @description If not empty, the only redirect URIs that clients may register */
      allowedCallbackUrls?: string[];
      /** @description If not empty, the only addresses after sign-out that clients may register */
      allowedLogoutUrls?: string[];
      /** @description Origins whose pages may call the API from a browser */
      allowedOrigins?: string[];
      /** @description Seconds; for new sessions */
      sessionLifetime?: number;
      /** @description Seconds; for new sessions */
      sessionIdleTimeout?: number;
      /** @description From the next sign-in of each user */
      requireMfa?: boolean;
      /** @description Methods that may be enrolled as a second factor */
      allowedMfaMethods?: ("totp" | "sms" | "passkey")[];
      /** @description For new passwords */
      passwordPolicy?: ({
        /** @description Minimum number of characters */
        minLength?: number | null;
        /** @description Whether a capital letter is required */
        requireUppercase?: boolean | null;
        /** @description Whether a small letter is required */
        requireLowercase?: boolean | null;
        /** @description Whether a digit is required */
        requireNumbers?: boolean | null;
        /** @description The same as requireNumbers */
        requireNumber?: boolean | null;
        /** @description Whether a symbol is required */
        requireSymbols?: boolean | null;
        /** @description The same as requireSymbols */
        requireSpecial?: boolean | null;
        /** @description How many former passwords are refused */
        preventReuse?: number | null;
        /** @description Days until a new password must be chosen; 0 never */
        maxAge?: number | null;
        /** @description Whether passwords that are known from data breaches are refused, where the operator has a list of them; true unless set */
        refuseBreached?: boolean | null;
      } & {
        [key: string]: unknown;
      }) | null;
      /** @description For clients without a value of their own */
      tokenLifetimePolicy?: ({
        /** @description Seconds that an access token lives */
        accessToken?: number | null;
        /** @description Seconds that a refresh token lives without being used */
        refreshToken?: number | null;
        /** @description Seconds after the sign-in at which refreshing ends for good */
        refreshTokenAbsolute?: number | null;
        /** @description Seconds that an ID token lives */
        idToken?: number | null;
        /** @description The same as accessToken */
        accessTokenLifetime?: number | null;
        /** @description The same as refreshToken */
        refreshTokenLifetime?: number | null;
        /** @description The same as refreshTokenAbsolute */
        refreshTokenAbsoluteLifetime?: number | null;
        /** @description The same as idToken */
        idTokenLifetime?: number | null;
      } & {
        [key: string]: unknown;
      }) | null;
      /** @description How the hosted pages and the mails look */
      branding?: ({
        /** @description Address of the logo */
        logoUrl?: string | null;
        /** @description Address of the icon */
        faviconUrl?: string | null;
        /** @description Colour of buttons and links */
        primaryColor?: string | null;
      } & {
        [key: string]: unknown;
      }) | null;
      /** @description How users sign in; a member that is not sent stays as it is */
      signInPolicy?: {
        /**
         * @description Whether a password signs in; the owner's always does. `disabled` needs passkeys, e-mail codes or a connection that works
         * @enum {string}
         */
        password?: "allowed" | "disabled";
        /**
         * @description Whether passkeys sign in. With `required`, users without one register one at the next sign-in. A password still signs in beside it, unless `password` is `disabled`
         * @enum {string}
         */
        passkeys?: "off" | "allowed" | "required";
        /** @description Whether a passkey that has verified its user counts as both factors */
        passkeySatisfiesMfa?: boolean;
        /**
         * @description Whether a code that is mailed to the user signs in. Not as the only way while `requireMfa`
         * @enum {string}
         */
        emailCode?: "off" | "allowed";
      };
      /** @description Which applications with client ID metadata documents are accepted; a member that is not sent stays as it is */
      clientDocumentPolicy?: {
        /**
         * @description Whether documents of any host are accepted, or only of those in `hosts`
         * @enum {string}
         */
        mode?: "any" | "hosts";
        /** @description Hosts, each in lower case and with its port unless that is 443 */
        hosts?: string[];
        /** @description Whether redirect URIs may be of another host than the document */
        foreignRedirects?: boolean;
      };
      /** @description Your own, up to 64 KiB */
      metadata?: {
        [key: string]: unknown;
      };
    };
    OrganisationEffect: {
      /** @description The setting; of a policy, with its field */
      field: string;
      /**
       * @description A stable code of the effect
       * @enum {string}
       */
      effect: "must-enrol" | "need-not-enrol" | "no-phone-for-sms" | "factors-stay" | "cannot-sign-in" | "can-sign-in-again" | "must-set-password" | "must-register-passkey" | "need-no-passkey" | "passkeys-stop" | "passkeys-work-again" | "second-factor-too" | "passkey-suffices" | "for-new-passwords" | "password-expires" | "password-no-longer-expires" | "for-new-sessions" | "for-new-tokens" | "clients-outside" | "origins-removed";
      /** @description Further values of the effect, such as before (`from`) and after (`to`) */
      figures: {
        [key: string]: number;
      };
      /** @description The same for people */
      detail: string;
      /** @description Number of users affected, without deleted and blocked ones */
      users: number;
      /** @description The first ten of them, by id; none without the permission `users:read` */
      sample: components["schemas"]["UserSummary"][];
      /** @description Number of applications affected */
      clients: number;
      /** @description The first ten of them, by id; none without the permission `clients:read` */
      sampleOfClients: {
        /** @description Identifier: the prefix of its type, and an opaque text */
        id: string;
        /** @description Name of the application */
        name: string;
      }[];
    };
    OrganisationImpact: {
      /** @description The effects, none for settings that stay as they are */
      data: components["schemas"]["OrganisationEffect"][];
    };
    OrganisationList: {
      /** @description The records of this page */
      data: components["schemas"]["Organisation"][];
      /** @description Total number of records */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
    };
    Passkey: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description What its user calls it */
      name: string;
      /** @description Whether it signs in without a password: it is discoverable and verified its user. The others are second factors only */
      canSignIn: boolean;
      /** @description Whether it has been copied to other devices of its user */
      isSynced: boolean;
      /** @description How its authenticator can be reached */
      transports: string[];
      /** @description The model of the authenticator, as it claims */
      aaguid: string;
      /** @description The name of that model, if known */
      provider: string | null;
      /**
       * Format: date-time
       * @description When it was registered
       */
      createdAt: string;
      /** @description When it was last used; null when it never was */
      lastUsedAt: string | null;
    };
    PasskeyAssertion: {
      /** @description Id of the credential, base64url */
      id: string;
      /** @description Id of the credential, base64url */
      rawId: string;
      /** @description Always `public-key` */
      type: string;
      /** @description The response of the authenticator */
      response: {
        /** @description What the browser has signed about the request, base64url */
        clientDataJSON: string;
        /** @description What the authenticator has signed, base64url */
        authenticatorData: string;
        /** @description Its signature, base64url */
        signature: string;
        /** @description The user handle that the authenticator has stored, base64url; null or omitted without one */
        userHandle?: string | null;
      } & {
        [key: string]: unknown;
      };
    } & {
      [key: string]: unknown;
    };
    PasskeyChanges: {
      /** @description What its user calls it */
      name?: string;
    };
    PasskeyCreationOptions: {
      /** @description 32 bytes, base64url */
      challenge: string;
      /** @description The relying party */
      rp: {
        /** @description The relying party */
        id: string;
        /** @description What devices show */
        name: string;
      };
      /** @description What the device stores of the user */
      user: {
        /** @description The user handle, base64url: random, the same for all passkeys of a user */
        id: string;
        /** @description E-mail address */
        name: string;
        /** @description First and last name */
        displayName: string;
      };
      /** @description Algorithms, the preferred one first */
      pubKeyCredParams: {
        /**
         * @description Always `public-key`
         * @enum {string}
         */
        type: "public-key";
        /** @description COSE algorithm */
        alg: number;
      }[];
      /** @description Passkeys that the user already has */
      excludeCredentials: components["schemas"]["PasskeyDescriptor"][];
      /** @description What the authenticator must do */
      authenticatorSelection: {
        /**
         * @description Whether it should be discoverable
         * @enum {string}
         */
        residentKey: "preferred";
        /**
         * @description The same for older browsers
         * @enum {boolean}
         */
        requireResidentKey: false;
        /**
         * @description Whether the device should verify its user
         * @enum {string}
         */
        userVerification: "preferred";
      };
      /**
       * @description The model of the device is not requested
       * @enum {string}
       */
      attestation: "none";
      /** @description Extensions */
      extensions: {
        /**
         * @description Asks whether the passkey is discoverable
         * @enum {boolean}
         */
        credProps: true;
      };
      /** @description Milliseconds */
      timeout: number;
    };
    PasskeyDescriptor: {
      /** @description Id of the credential, base64url */
      id: string;
      /**
       * @description Always `public-key`
       * @enum {string}
       */
      type: "public-key";
      /** @description How its authenticator can be reached */
      transports: string[];
    };
    PasskeyList: {
      /** @description The records of this page */
      data: components["schemas"]["Passkey"][];
      /** @description Total number of records */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
    };
    PasskeyProof: {
      /** @description From the response with the options; it works for five minutes */
      flowToken: string;
      /** @description The result of `toJSON()` of the credential */
      credential: components["schemas"]["PasskeyAssertion"];
    };
    PasskeyRegistration: {
      /** @description Id of the credential, base64url */
      id: string;
      /** @description Id of the credential, base64url */
      rawId: string;
      /** @description Always `public-key` */
      type: string;
      /** @description The response of the authenticator */
      response: {
        /** @description What the browser has signed about the request, base64url */
        clientDataJSON: string;
        /** @description The new credential, base64url */
        attestationObject: string;
        /** @description How the authenticator can be reached */
        transports?: string[];
      } & {
        [key: string]: unknown;
      };
      /** @description Results of extensions */
      clientExtensionResults?: {
        /** @description Properties of the credential */
        credProps?: {
          /** @description Whether the credential is discoverable */
          rk?: boolean;
        } & {
          [key: string]: unknown;
        };
      } & {
        [key: string]: unknown;
      };
    } & {
      [key: string]: unknown;
    };
    PasskeyRequestOptions: {
      /** @description 32 bytes, base64url */
      challenge: string;
      /** @description The relying party */
      rpId: string;
      /** @description Which credentials may answer; when empty, the user picks one */
      allowCredentials: components["schemas"]["PasskeyDescriptor"][];
      /**
       * @description Whether the device must verify its user
       * @enum {string}
       */
      userVerification: "required" | "preferred" | "discouraged";
      /** @description Milliseconds */
      timeout: number;
    };
    PasswordChange: {
      /** @description The present password */
      currentPassword: string;
      /** @description The new one, within the password policy of the organisation */
      newPassword: string;
    };
    PasswordReset: {
      /** @description From the link in the mail */
      token: string;
      /** @description Within the password policy of the organisation */
      password: string;
    };
    Permission: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description Name that routes and tokens use: resource and action */
      slug: string;
      /** @description Name of the permission */
      name: string;
      /** @description What it allows */
      description: string;
      /** @description The kind of resource that the permission is about */
      category: string;
      /**
       * Format: date-time
       * @description When the permission was created
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When the permission was last changed
       */
      updatedAt: string;
    };
    PermissionCheck: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      userId: string;
      /** @description Slug of the permission */
      permission: string;
      /** @description Whether the user may use the permission now */
      allowed: boolean;
      /** @description The roles that give the permission */
      because: components["schemas"]["PermissionReason"][];
      /** @description What keeps the user from using any permission: the user is blocked, the organisation is suspended, or the user has no session and the next sign-in asks to enrol a second factor, register a passkey or set a new password first */
      blockedBy: ("blocked" | "suspended" | "mfa_enrolment" | "passkey_enrolment" | "password_expired")[];
      /** @description Roles that would give the permission to a user who lacks it, at most 20 */
      wouldAllow: components["schemas"]["RoleSummary"][];
    };
    PermissionChecks: {
      /** @description One for each of `checks`, in their order */
      data: components["schemas"]["PermissionCheck"][];
    };
    PermissionList: {
      /** @description The records of this page */
      data: components["schemas"]["Permission"][];
      /** @description Total number of records */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
    };
    PermissionReason: {
      /** @description The role */
      role: components["schemas"]["RoleSummary"];
      /**
       * @description How the user has the role: `direct` if it is assigned to the user
       * @enum {string}
       */
      source: "direct";
      /** @description What gives it: the user has it as long as there is one. Administrators can take away only `manual` */
      sources: components["schemas"]["AssignmentSource"][];
      /**
       * Format: date-time
       * @description When the role was assigned
       */
      assignedAt: string;
      /** @description Who assigned it, by the audit log; null when it does not say */
      assignedBy: {
        /** @description Id of the user or the API key */
        id: string | null;
        /** @description The type of the actor: user, api_key, client or system */
        type: string;
        /** @description Its name at that time */
        name: string | null;
      } | null;
    };
    PermissionSummary: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description Resource and action */
      slug: string;
      /** @description Name of the permission */
      name: string;
    };
    Problem: {
      /** @description Address of a page about this kind of problem */
      type: string;
      /** @description The kind of problem */
      title: string;
      /** @description The HTTP status of the response */
      status: number;
      /** @description What is wrong this time */
      detail: string;
      /** @description The path of the request */
      instance: string;
      /** @description The stable code of the refusal: programs decide by it */
      code: string;
      /** @description What to do about it */
      hint?: string;
      /** @description The permission that is lacking, of a refusal for that reason */
      permission?: string;
      /** @description The field of the record that a refusal without `errors` is about, such as a value that another record has */
      field?: string;
      /** @description Fields and parameters that were ignored, with the name that was probably meant */
      ignoredFields?: string[];
      /** @description The errors in the input, field by field */
      errors?: {
        /** @description Kind of mistake */
        code: string;
        /** @description The field, from the outside in */
        path: (string | number)[];
        /** @description What is wrong with it */
        message: string;
        /** @description A stable code of the error, if `code` is not specific enough */
        reason?: string;
      }[];
      /** @description The limits that the errors exceed, as far as a program can know them */
      limits?: {
        /** @description The field, as in `errors` */
        path: (string | number)[];
        /** @description For `too_small`: the minimum */
        minimum?: number;
        /** @description For `too_big`: the maximum */
        maximum?: number;
        /**
         * @description For a required field that is missing
         * @enum {boolean}
         */
        isRequired?: true;
      }[];
    };
    Profile: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description E-mail address */
      email: string;
      /** @description First and last name */
      name: string;
      /** @description First name */
      firstName: string;
      /** @description Last name */
      lastName: string;
      /** @description Whether the address was verified */
      emailVerified: boolean;
      /** @description Telephone number; null when none is known */
      phone: string | null;
      /** @description When the password was set; null without one */
      passwordChangedAt: string | null;
      /** @description Whether signing in takes a second factor */
      mfaEnabled: boolean;
      /** @description The organisation that the user belongs to */
      organisation: {
        /** @description Identifier: the prefix of its type, and an opaque text */
        id: string;
        /** @description Short name for programs */
        slug: string;
        /** @description Name of the organisation */
        name: string;
        /**
         * @description Users sign in while it is trial or active
         * @enum {string}
         */
        status: "trial" | "active" | "suspended" | "cancelled";
      };
      /** @description Roles of the user */
      roles: components["schemas"]["RoleSummary"][];
      /** @description Slugs, from all roles together */
      permissions: string[];
      /** @description Whether the user owns the organisation */
      isOwner: boolean;
      /** @description The session of this request */
      session: {
        /** @description Identifier: the prefix of its type, and an opaque text */
        id: string;
        /**
         * Format: date-time
         * @description When it ends
         */
        expiresAt: string;
        /**
         * Format: date-time
         * @description When it expires unless it is used again; a use counts at most once a minute, or once in a quarter of an idle timeout below four minutes
         */
        idleExpiresAt: string;
      };
    };
    ProfileChanges: {
      /** @description First name */
      firstName?: string;
      /** @description Last name */
      lastName?: string;
      /** @description Telephone number; null when none is known */
      phone?: string | null;
    };
    PushedAuthorizationRequest: {
      /** @description What the browser brings as `request_uri`, beside `client_id` */
      request_uri: string;
      /** @description Seconds */
      expires_in: number;
    };
    Reason: {
      /** @description Why, for the audit log */
      reason?: string;
    };
    Reauthentication: {
      /** @description The password, of users without a second factor */
      password: string;
    } | {
      /** @description Of the authenticator app, of the SMS, or a backup code */
      code: string;
    } | components["schemas"]["PasskeyProof"];
    RegisteredPasskey: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description What its user calls it */
      name: string;
      /** @description Whether it signs in without a password: it is discoverable and verified its user. The others are second factors only */
      canSignIn: boolean;
      /** @description Whether it has been copied to other devices of its user */
      isSynced: boolean;
      /** @description How its authenticator can be reached */
      transports: string[];
      /** @description The model of the authenticator, as it claims */
      aaguid: string;
      /** @description The name of that model, if known */
      provider: string | null;
      /**
       * Format: date-time
       * @description When it was registered
       */
      createdAt: string;
      /** @description When it was last used; null when it never was */
      lastUsedAt: string | null;
      /** @description Only if the session had to enrol first: it is now a full session, with a new cookie and a new CSRF token */
      csrfToken?: string;
    };
    RegistrationToken: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description What the token is for */
      name: string | null;
      /** @description When the token stops working; null never */
      expiresAt: string | null;
      /** @description How many clients it registers; null any number */
      maxUses: number | null;
      /** @description How many clients it has registered */
      uses: number;
      /** @description Grants that its clients may register for */
      allowedGrantTypes: string[];
      /** @description Custom scopes that its clients may register for */
      allowedScopes: string[];
      /** @description When it last registered a client; null before */
      lastUsedAt: string | null;
      /** @description The user who is responsible for it; null for the operator */
      createdById: string | null;
      /**
       * Format: date-time
       * @description When it was created
       */
      createdAt: string;
    };
    RegistrationTokenList: {
      /** @description The records of this page */
      data: components["schemas"]["RegistrationToken"][];
      /** @description Total number of records */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
    };
    RegistrationTokenWithSecret: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description What the token is for */
      name: string | null;
      /** @description When the token stops working; null never */
      expiresAt: string | null;
      /** @description How many clients it registers; null any number */
      maxUses: number | null;
      /** @description How many clients it has registered */
      uses: number;
      /** @description Grants that its clients may register for */
      allowedGrantTypes: string[];
      /** @description Custom scopes that its clients may register for */
      allowedScopes: string[];
      /** @description When it last registered a client; null before */
      lastUsedAt: string | null;
      /** @description The user who is responsible for it; null for the operator */
      createdById: string | null;
      /**
       * Format: date-time
       * @description When it was created
       */
      createdAt: string;
      /** @description For `Authorization: Bearer` at /oauth2/register; shown this once */
      token: string;
    };
    Removal: {
      /** @description What was done */
      message: string;
      /** @description The connections and directories because of which the user retains it, if it is not removed. Only they can remove it. */
      remainingSources?: components["schemas"]["AssignmentSource"][];
    };
    ReplacedClientMetadata: {
      /** @description Where browsers may be sent with a code, compared as exact strings; only the port of a loopback address may vary */
      redirect_uris?: string[] | null;
      /** @description `client_secret_basic` unless sent, `client_secret_post`, `none` for a public client, `private_key_jwt` with that extension, or `tls_client_auth` and `self_signed_tls_client_auth` with the extension `mtls` */
      token_endpoint_auth_method?: string | null;
      /** @description `authorization_code` unless sent */
      grant_types?: string[] | null;
      /** @description Only `code` is supported */
      response_types?: string[] | null;
      /** @description `web` redirects to https alone. Unless sent, the redirect URIs decide */
      application_type?: ("web" | "native") | null;
      /** @description Shown on the consent page */
      client_name?: string | null;
      /** @description Page about the client */
      client_uri?: string | null;
      /** @description Address of its logo */
      logo_uri?: string | null;
      /** @description Its terms of service */
      tos_uri?: string | null;
      /** @description Its privacy policy */
      policy_uri?: string | null;
      /** @description Who is responsible for it */
      contacts?: string[] | null;
      /** @description Scopes separated by spaces; unless sent, all that it may register for */
      scope?: string | null;
      /** @description What identifies the software */
      software_id?: string | null;
      /** @description Version of the software */
      software_version?: string | null;
      /** @description Where browsers may be sent after signing out */
      post_logout_redirect_uris?: string[] | null;
      /** @description Where a sign-in begins that a third party initiates */
      initiate_login_uri?: string | null;
      /** @description `RS256` unless sent, or `EdDSA` */
      id_token_signed_response_alg?: string | null;
      /** @description Only `public` is supported */
      subject_type?: string | null;
      /** @description Levels of sign-in to attempt if a request names none, with the extension `step_up` */
      default_acr_values?: string[] | null;
      /** @description Seconds after which a user signs in again, if a request does not say it by `max_age` */
      default_max_age?: (number | null) | null;
      /** @description Public keys by which it signs, with `private_key_jwt` or `jar`, or those of its certificates, with `mtls`. Not together with `jwks_uri` */
      jwks?: unknown;
      /** @description Where it publishes them instead */
      jwks_uri?: unknown;
      /** @description The only algorithm of its assertions, with `private_key_jwt` */
      token_endpoint_auth_signing_alg?: unknown;
      /** @description Whether it has to push its requests (RFC 9126), with `par` */
      require_pushed_authorization_requests?: unknown;
      /** @description Whether its tokens are bound to a key that it proves (RFC 9449), with `dpop` */
      dpop_bound_access_tokens?: unknown;
      /** @description Whether it has to sign its requests (RFC 9101), with `jar` */
      require_signed_request_object?: unknown;
      /** @description The only algorithm of its signed requests, with `jar` */
      request_object_signing_alg?: unknown;
      /** @description What signs introspection (RFC 9701), with `jwt_introspection` */
      introspection_signed_response_alg?: unknown;
      /** @description Where it is told of the end of sessions, with `backchannel_logout` */
      backchannel_logout_uri?: unknown;
      /** @description Whether it needs `sid` there */
      backchannel_logout_session_required?: unknown;
      /** @description Subject of its certificate (RFC 4514), with `mtls` */
      tls_client_auth_subject_dn?: unknown;
      /** @description In place of the subject, a DNS name in its certificate */
      tls_client_auth_san_dns?: unknown;
      /** @description Or a URI */
      tls_client_auth_san_uri?: unknown;
      /** @description Or an IP address */
      tls_client_auth_san_ip?: unknown;
      /** @description Or an e-mail address */
      tls_client_auth_san_email?: unknown;
      /** @description Whether its tokens are bound to its certificate (RFC 8705), with `mtls` */
      tls_client_certificate_bound_access_tokens?: unknown;
      /** @description Must be that of the registration */
      client_id?: string | null;
      /** @description If sent, must be the current secret */
      client_secret?: string | null;
    };
    ResourceAuthorizationServer: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description What administrators call it */
      name: string;
      /** @description The issuer of the other authorization server */
      issuer: string;
      /** @description Our client by which that company signs our users in */
      audienceClientId: string;
      /** @description The APIs there that our clients may reach */
      resources: {
        /** @description The URI of an API there */
        identifier: string;
        /** @description What can be allowed there */
        scopes: string[];
      }[];
      /** @description Which client may do what there, and for whom */
      grants: {
        /** @description The client that may act */
        clientId: string;
        /** @description What the client is called there */
        downstreamClientId: string | null;
        /** @description Where it may act */
        resources: string[];
        /** @description What it may do */
        scopes: string[];
        /** @description Roles of the users */
        roleIds: string[];
        /** @description Teams of the users */
        teamIds: string[];
      }[];
      /** @description The level that the sign-in of the user must have reached; null for any. `phr` and `phrh` need the extension `step_up` */
      requiredAcr: ("aal1" | "aal2" | "phr" | "phrh") | null;
      /** @description How long an assertion is valid */
      lifetimeSeconds: number;
      /** @description Whether assertions tell the user's address */
      includesEmail: boolean;
      /** @description Whether assertions are issued for it */
      isActive: boolean;
      /**
       * Format: date-time
       * @description When it was registered
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When it was last changed
       */
      updatedAt: string;
    };
    ResourceAuthorizationServerChanges: {
      /** @description What administrators call it */
      name?: string;
      /** @description Our client by which that company signs our users in: it knows users by the `sub` of that client */
      audienceClientId?: string;
      /** @description The APIs there that our clients may reach */
      resources?: {
        /** @description The absolute URI of an API there */
        identifier: string;
        /** @description What can be allowed there */
        scopes: string[];
      }[];
      /** @description Which client may do what there, and for whom */
      grants?: {
        /** @description The confidential client that may act */
        clientId: string;
        /** @description What the other authorization server calls that client; null for a client that the address of its document names (default: `null`) */
        downstreamClientId?: string | null;
        /** @description Identifiers among the resources */
        resources: string[];
        /** @description Scopes of these resources */
        scopes: string[];
        /** @description For users who have one of these roles (default: `[]`) */
        roleIds?: string[];
        /** @description For users of one of these teams. Without roles and teams: for every user (default: `[]`) */
        teamIds?: string[];
      }[];
      /** @description The level that the sign-in of the user must have reached; null for any. `phr` and `phrh` need the extension `step_up` */
      requiredAcr?: ("aal1" | "aal2" | "phr" | "phrh") | null;
      /** @description How long an assertion is valid */
      lifetimeSeconds?: number;
      /** @description Whether assertions tell the user's address */
      includesEmail?: boolean;
      /** @description Whether assertions are issued for it */
      isActive?: boolean;
    };
    ResourceAuthorizationServerList: {
      /** @description The records of this page */
      data: components["schemas"]["ResourceAuthorizationServer"][];
      /** @description Total number of records */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
    };
    ResourceMetadata: {
      /** @description Where the resource server has to serve the document */
      url: string;
      /** @description The document, as application/json */
      document: {
        /** @description Its identifier */
        resource: string;
        /** @description Its name */
        resource_name: string;
        /** @description The issuer of its tokens */
        authorization_servers: string[];
        /** @description Its scopes */
        scopes_supported: string[];
        /** @description How it takes tokens */
        bearer_methods_supported: string[];
        /** @description Whether tokens must be bound to a key */
        dpop_bound_access_tokens_required?: boolean;
        /** @description What may sign the proofs of the key */
        dpop_signing_alg_values_supported?: string[];
      };
      /** @description The header WWW-Authenticate of its responses with status 401, which leads clients to the document; of the scheme `DPoP` if its tokens must be bound to a key */
      wwwAuthenticate: string;
    };
    ResourceServer: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description What administrators and the consent page call it */
      name: string;
      /** @description The URI by which clients ask for it and tokens name it, with scheme and host in lower case */
      identifier: string;
      /** @description What clients can be allowed there */
      scopes: {
        /** @description What clients ask for */
        name: string;
        /** @description What it allows */
        description: string | null;
      }[];
      /** @description Seconds; null follows the client */
      accessTokenLifetime: number | null;
      /**
       * @description What signs access tokens for it
       * @enum {string}
       */
      accessTokenSigningAlg: "EdDSA" | "RS256";
      /** @description Whether clients that no administrator has registered may ask for it. Needs an extension that registers them */
      allowsAutomaticClients: boolean;
      /** @description Whether its tokens must be bound to a key. Needs the extension `dpop` */
      requireDpop: boolean;
      /** @description Whether its tokens always say how and when the user signed in: `acr`, `amr`, `auth_time` */
      includeAuthenticationContext: boolean;
      /** @description Clients that may introspect its tokens */
      introspectionClientIds: string[];
      /** @description Clients that may exchange tokens for it */
      exchangeClientIds: string[];
      /** @description Claims that its access tokens and their introspection have besides */
      claimMappings: {
        /** @description The claim */
        name: string;
        /** @description Which tokens and responses have it */
        in: ("id_token" | "access_token" | "userinfo" | "introspection")[];
        /** @description A JSON pointer, or the value itself as `{"value": …}` */
        from: unknown;
        /**
         * @description The form of the value
         * @enum {string}
         */
        as?: "string" | "number" | "boolean" | "array" | "first" | "join" | "lowercase";
        /** @description The scope that has to be granted */
        scope?: string;
        /** @description Stands in for a value that is missing */
        default?: unknown;
      }[];
      /** @description Whether tokens are issued for it and accepted. Tokens from before it was switched off stay unaccepted */
      isActive: boolean;
      /**
       * Format: date-time
       * @description When it was registered
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When it was last changed
       */
      updatedAt: string;
    };
    ResourceServerChanges: {
      /** @description What administrators and the consent page call it */
      name?: string;
      /** @description What clients can be allowed there */
      scopes?: {
        /** @description What clients ask for; the same name at another resource server is another scope */
        name: string;
        /** @description What it allows, as the consent page says it (default: `null`) */
        description?: string | null;
      }[];
      /** @description Seconds; null follows the client. A token for several lives as long as the shortest */
      accessTokenLifetime?: number | null;
      /**
       * @description What signs access tokens; a token for several is signed by RS256 if one needs it. `Ed25519` is another name of `EdDSA`
       * @enum {string}
       */
      accessTokenSigningAlg?: "EdDSA" | "RS256" | "Ed25519";
      /** @description Whether clients that no administrator has registered may ask for it. Needs an extension that registers them */
      allowsAutomaticClients?: boolean;
      /** @description Whether its tokens must be bound to a key. Needs the extension `dpop` */
      requireDpop?: boolean;
      /** @description Whether its tokens always say how and when the user signed in: `acr`, `amr`, `auth_time` */
      includeAuthenticationContext?: boolean;
      /** @description Confidential clients that may introspect its tokens, besides the client that a token was issued to */
      introspectionClientIds?: string[];
      /** @description Clients that may exchange tokens for it. Needs the extension `token_exchange` */
      exchangeClientIds?: string[];
      /** @description Claims that its access tokens and their introspection have besides. They win over those of the client */
      claimMappings?: {
        /** @description The claim. Names that tokens and OpenID Connect define are reserved */
        name: string;
        /** @description Which tokens and responses have it */
        in: ("access_token" | "introspection")[];
        /** @description A JSON pointer (RFC 6901): `/user/metadata/…`, `/user/teams` and `/user/roles` (slugs), `/organisation/metadata/…`, `/organisation/slug`, `/identity/<claim>` of the identity provider that the session came by, or `/session/acr`; or the value itself as `{"value": …}`. What is about the user needs the permission `users:read` */
        from: string | {
          /** @description The value itself */
          value: unknown;
        };
        /**
         * @description The form of the value. `first` takes the first of a list, `join` puts commas between its entries. A value that cannot be read so is missing
         * @enum {string}
         */
        as?: "string" | "number" | "boolean" | "array" | "first" | "join" | "lowercase";
        /** @description Only where this scope is granted; without it always */
        scope?: string;
        /** @description Stands in for a value that is missing or null */
        default?: unknown;
      }[];
      /** @description Whether tokens are issued for it and accepted. Tokens from before it was switched off stay unaccepted */
      isActive?: boolean;
    };
    ResourceServerList: {
      /** @description The records of this page */
      data: components["schemas"]["ResourceServer"][];
      /** @description Total number of records */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
    };
    Role: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description Name of the role */
      name: string;
      /** @description Short name of the role for programs, unique in the organisation; cannot be changed */
      slug: string;
      /** @description What the role is for */
      description: string;
      /** @description Whether new users that are created without roles get it; one role of an organisation at most */
      isDefault: boolean;
      /** @description What the role allows */
      permissions: components["schemas"]["PermissionSummary"][];
      /** @description How many users have the role, without deleted ones */
      userCount: number;
      /**
       * Format: date-time
       * @description When the role was created
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When the role was last changed
       */
      updatedAt: string;
    };
    RoleChanges: {
      /** @description Name of the role */
      name?: string;
      /** @description What the role is for */
      description?: string;
      /** @description Whether new users that are created without roles get it; one role of an organisation at most */
      isDefault?: boolean;
      /** @description Ids or slugs of permissions; replaces those that the role holds */
      permissionIds?: string[];
    };
    RoleImpact: {
      /** @description Number of users whose permissions would change. Blocked users have none, and users who have a permission by another role keep it */
      users: number;
      /** @description Permissions that users would gain */
      gains: {
        /** @description Slug of the permission */
        permission: string;
        /** @description How many users */
        users: number;
      }[];
      /** @description Permissions that users would lose */
      losses: {
        /** @description Slug of the permission */
        permission: string;
        /** @description How many users */
        users: number;
      }[];
      /** @description Number of valid API keys whose permissions would change with their creator's */
      apiKeys: number;
      /** @description The first ten of them, by id; none without the permission `users:read` */
      sample: components["schemas"]["UserSummary"][];
    };
    RoleList: {
      /** @description The records of this page */
      data: components["schemas"]["Role"][];
      /** @description Total number of records */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
    };
    RoleMapping: {
      /** @description Name of a claim, or a JSON pointer to one */
      claim: string;
      /** @description The value, or one of several, that the claim must have */
      value: string;
      /** @description Id of the role */
      roleId: string;
    };
    RoleSummary: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description Name of the role */
      name: string;
      /** @description Short name of the role for programs, unique in the organisation; cannot be changed */
      slug: string;
    };
    SaidPhrase: {
      /**
       * @description A stable word for it
       * @enum {string}
       */
      phrase: "nothing" | "none" | "valid" | "active" | "revoked" | "suspended" | "one" | "several" | "seconds" | "a-value" | "another-value" | "something-else" | "an-identifier" | "a-valid-one" | "client-deleted" | "client-revoked" | "client-revoked-since" | "organisation-suspended" | "organisation-cancelled" | "organisation-not-running" | "expired" | "client-gone" | "family-removed" | "itself-revoked" | "resource-server-inactive" | "family-revoked" | "consent-ended" | "user-blocked" | "user-deleted" | "one-or-both" | "one-way" | "one-method" | "header-and-body" | "basic-and-post" | "another-content-type" | "a-pushed-request" | "a-public-key" | "a-proof-for-this-token" | "a-current-nonce" | "signed-by-the-key" | "bound-to-no-key" | "bound-to-a-key" | "a-certificate" | "no-certificate" | "a-verified-certificate" | "a-certificate-not-verified" | "a-certificate-that-is-valid" | "a-certificate-of-the-time" | "bound-to-a-certificate" | "a-registered-client" | "an-absolute-uri" | "an-active-resource-server-of-the-client" | "an-active-authorization-server-of-the-organisation" | "a-grant-for-client-resource-and-user" | "an-accepted-identity-provider" | "a-user-who-may-sign-in-by" | "times-of-issue-and-expiry" | "an-active-client" | "a-revoked-client" | "no-client-id" | "a-claim" | "claims-of-openid-connect" | "a-key-of-the-client" | "no-key-that-fits" | "a-key-with-credentials" | "its-user-has-no-access" | "signed-by-the-client" | "extension-is-off" | "current-secret" | "unreadable-credentials" | "an-unknown-scheme" | "a-client-id-or-hint" | "a-code" | "the-host-of-the-document" | "a-host-that-the-organisation-accepts" | "room-for-an-automatic-client" | "a-resource-that-automatic-clients-may-use" | "a-code-of-this-client" | "a-code-used-once" | "changed-meanwhile" | "a-second-use" | "use-before" | "no-method-means-plain" | "pkce-value" | "none-registered" | "nearest-uri" | "nearest-uri-is-shorter" | "nearest-uri-is-longer" | "uri-too-long" | "a-refresh-token-of-this-client" | "a-token-used-once" | "used-before" | "grace-for-several-processes" | "a-live-family" | "revoked-at" | "a-live-access-token" | "no-access-token-of-this-issuer" | "no-bearer-token" | "a-token-of-another-client" | "the-token-of-the-session" | "a-pending-request" | "a-pending-request-of-this-user" | "a-recent-sign-in" | "none-that-fits" | "a-sign-in-as-new-as-asked" | "an-older-sign-in" | "consent-to-the-scope" | "a-user-of-the-clients-organisation" | "a-user-of-another-organisation" | "session-of-level" | "level-of-session-counts" | "the-user-of-the-hint" | "another-user" | "an-id-token" | "an-id-token-of-this-issuer" | "an-access-token" | "an-authorization-endpoint" | "a-subject" | "the-id-of-a-user" | "any-tenant" | "an-address" | "an-address-of" | "proven-by-this-connection" | "proven" | "not-proven" | "a-user-of-the-organisation" | "in-the-token" | "a-link-instead" | "after" | "at-most-10-minutes-before" | "valid-by-a-key-of" | "the-document-of" | "a-document-with-keys-at" | "no-keys-at" | "status" | "status-of" | "a-signed-jwt" | "a-token-that-is-new" | "more" | "before" | "at-most" | "at-most-bytes" | "seconds-and-mebibytes" | "fewer-messages-at-once" | "elements-and-text-alone" | "a-comment" | "a-cdata-section" | "a-processing-instruction" | "a-document-type" | "predefined-entities-alone" | "well-formed-xml" | "a-mistake-at" | "each-id-once" | "directly-in-the-response" | "directly-in-what-it-covers" | "one-in" | "the-form-of-saml" | "another-form-at" | "sha-256-or-better" | "one-of-the-assertion" | "one-of-the-response" | "one-of-assertion-or-response" | "valid-by-a-certificate-of" | "not-valid" | "readable-by-a-key-of-ours" | "conditions-that-are-known" | "an-assertion-that-is-new" | "one-value-of" | "a-lasting-name-id" | "a-name-id" | "a-request-that-is-new" | "one-identity-provider" | "an-https-address" | "a-certificate-for-signatures";
      /** @description The values in it, in order */
      values: string[];
    } | null;
    SearchResult: {
      /**
       * @description What kind of record it is
       * @enum {string}
       */
      type: "user" | "team" | "role" | "client" | "webhook" | "connection" | "domain" | "directory" | "setup_link" | "resource_server" | "resource_authorization_server" | "api_key";
      /** @description Id of the record */
      id: string;
      /** @description The name, or the URL of a webhook */
      title: string;
      /** @description What distinguishes records of the same name: the e-mail address of a user, the slug of a team or role, the type of a client, the events of a webhook, the slug of a connection, the state of a domain, the protocol of a directory, what a set-up link is for, the identifier of a resource server, the beginning of an API key */
      subtitle: string;
    };
    SearchResults: {
      /** @description The records, the nearest first */
      data: components["schemas"]["SearchResult"][];
    };
    SecondFactor: {
      /** @description From the response to the password */
      mfaToken: string;
      /** @description Of the authenticator app, of the SMS, or a backup code */
      code: string;
    } | {
      /** @description From the response to the password */
      mfaToken: string;
      /** @description The result of `toJSON()` of the credential */
      credential: components["schemas"]["PasskeyAssertion"];
    };
    SecondFactorOptions: {
      /** @description For `PublicKeyCredential.parseRequestOptionsFromJSON()` */
      options: components["schemas"]["PasskeyRequestOptions"];
    };
    ServiceSettings: {
      /** @description The release that runs */
      version: string;
      /**
       * @description Which `NODE_ENV` it runs with; a test is a development
       * @enum {string}
       */
      environment: "production" | "development";
      /** @description Origin of every link, without a trailing slash */
      publicUrl: string;
      /** @description Issuer in tokens and in the discovery document */
      issuer: string;
      /** @description Languages of the hosted pages and the mails, as BCP 47 tags */
      languages: ("en" | "de")[];
      /** @description What becomes of mails */
      mail: {
        /** @description Whether a mail server sends the mails; without one they are written to files */
        delivers: boolean;
        /** @description Path where a development service shows these files, only on its own machine; null when there is none */
        inbox: string | null;
      };
      /** @description Whether text messages are sent: otherwise SMS cannot be a second factor */
      sms: boolean;
      /** @description Whether clients may be allowed the PKCE method `plain` */
      pkcePlain: boolean;
      /** @description How many users a trial organisation may have */
      trialMaxUsers: number;
      /**
       * @description What signs the ID tokens of clients that name no algorithm
       * @enum {string}
       */
      defaultIdTokenAlg: "EdDSA" | "RS256";
    };
    Session: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description IP address at sign-in */
      ipAddress: string;
      /** @description User agent at sign-in, as it names itself */
      userAgent: string;
      /**
       * Format: date-time
       * @description When it was last used, to the minute
       */
      lastActivityAt: string;
      /**
       * Format: date-time
       * @description When it ends
       */
      expiresAt: string;
      /**
       * Format: date-time
       * @description When the user signed in
       */
      createdAt: string;
      /** @description Whether it is the session of this request */
      current: boolean;
      /** @description What the user agent says of itself */
      device: {
        /** @description Name of the browser, if known */
        browser: string | null;
        /** @description Name of the operating system, if known */
        os: string | null;
        /** @description desktop, mobile, tablet …, if known */
        type: string | null;
      };
    };
    SessionList: {
      /** @description The records of this page */
      data: components["schemas"]["Session"][];
      /** @description Total number of records */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
    };
    SetupLink: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description What administrators call it, such as the customer; the visitor reads it */
      name: string;
      /** @description What it is for */
      purposes: ("domain" | "oidc" | "saml" | "scim")[];
      /**
       * @description `open` before it is opened for the first time. `finished`: everything that it is for is set up. `ended`: by an administrator, or with a right that its creator has lost
       * @enum {string}
       */
      state: "open" | "in_use" | "finished" | "ended" | "expired";
      /** @description Whether what is made is active as soon as the link is finished. Otherwise an administrator activates it */
      activate: boolean;
      /** @description What was decided for what is made by it */
      settings: components["schemas"]["SetupSettings"];
      /** @description The connection that was made by it; null before */
      connectionId: string | null;
      /** @description The domain that was made by it; null before */
      domainId: string | null;
      /** @description The directory that was made by it; null before */
      directoryId: string | null;
      /** @description The user who is responsible for it; null for the operator */
      createdById: string | null;
      /** @description When it was opened for the first time; null before */
      firstUsedAt: string | null;
      /** @description When it was last used; null before the first time */
      lastUsedAt: string | null;
      /** @description From which address it was last used */
      lastIpAddress: string | null;
      /** @description When a test sign-in passed every check; null before */
      testedAt: string | null;
      /** @description When everything was set up; null before */
      finishedAt: string | null;
      /** @description When what was made by it was activated; null before */
      activatedAt: string | null;
      /** @description When it ended before it was finished; null otherwise */
      endedAt: string | null;
      /** @description Why it ended: by an administrator, by its time, because its creator lost a right that it needs, or with the organisation */
      endedBecause: ("deleted" | "expired" | "right_lost" | "organisation_inactive") | null;
      /**
       * Format: date-time
       * @description When it stops working
       */
      expiresAt: string;
      /**
       * Format: date-time
       * @description When it was created
       */
      createdAt: string;
    };
    SetupLinkList: {
      /** @description The records of this page */
      data: components["schemas"]["SetupLink"][];
      /** @description Total number of records */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
    };
    SetupLinkWithUrl: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description What administrators call it, such as the customer; the visitor reads it */
      name: string;
      /** @description What it is for */
      purposes: ("domain" | "oidc" | "saml" | "scim")[];
      /**
       * @description `open` before it is opened for the first time. `finished`: everything that it is for is set up. `ended`: by an administrator, or with a right that its creator has lost
       * @enum {string}
       */
      state: "open" | "in_use" | "finished" | "ended" | "expired";
      /** @description Whether what is made is active as soon as the link is finished. Otherwise an administrator activates it */
      activate: boolean;
      /** @description What was decided for what is made by it */
      settings: components["schemas"]["SetupSettings"];
      /** @description The connection that was made by it; null before */
      connectionId: string | null;
      /** @description The domain that was made by it; null before */
      domainId: string | null;
      /** @description The directory that was made by it; null before */
      directoryId: string | null;
      /** @description The user who is responsible for it; null for the operator */
      createdById: string | null;
      /** @description When it was opened for the first time; null before */
      firstUsedAt: string | null;
      /** @description When it was last used; null before the first time */
      lastUsedAt: string | null;
      /** @description From which address it was last used */
      lastIpAddress: string | null;
      /** @description When a test sign-in passed every check; null before */
      testedAt: string | null;
      /** @description When everything was set up; null before */
      finishedAt: string | null;
      /** @description When what was made by it was activated; null before */
      activatedAt: string | null;
      /** @description When it ended before it was finished; null otherwise */
      endedAt: string | null;
      /** @description Why it ended: by an administrator, by its time, because its creator lost a right that it needs, or with the organisation */
      endedBecause: ("deleted" | "expired" | "right_lost" | "organisation_inactive") | null;
      /**
       * Format: date-time
       * @description When it stops working
       */
      expiresAt: string;
      /**
       * Format: date-time
       * @description When it was created
       */
      createdAt: string;
      /** @description The link, which is shown this once. Its secret follows the `#`, so that no server logs it */
      url: string;
    };
    SetupSettings: {
      /**
       * @description Whether a user without an account gets one at the first sign-in (`jit`)
       * @default none
       * @enum {string}
       */
      provisioning: "none" | "jit";
      /**
       * @description Whether a sign-in is linked to the existing account with the address that the connection has proven: never, once its user confirms, or at once. null: at once for a verified domain that is assigned to the connection, else once confirmed
       * @default null
       */
      linking: ("none" | "confirm" | "automatic") | null;
      /**
       * @description When names, phone number, roles and teams are updated: at the first sign-in or at each
       * @default creation
       * @enum {string}
       */
      syncOn: "creation" | "every_sign_in";
      /**
       * @description Whether a second factor at the provider counts here
       * @default false
       */
      trustsMfa: boolean;
      /** @description Which claim gives which field of a user */
      mapping?: {
        /** @description Where the address is; `email` without it. Only `oidc` may name another claim */
        email?: string | null;
        /** @description Where the first name is; `given_name` without it */
        firstName?: string | null;
        /** @description Where the last name is; `family_name` without it */
        lastName?: string | null;
        /** @description Where the phone number is; none is read without it */
        phone?: string | null;
        /** @description Where the groups are; `groups` without it. The mappings of the claim `groups` read it there */
        groups?: string | null;
      };
      /**
       * @description Roles by what a claim holds; never the owner role
       * @default []
       */
      roleMappings: {
        /** @description Name of a claim, or a JSON pointer to one */
        claim: string;
        /** @description The value, or one of several, that the claim must have */
        value: string;
        /** @description Id of the role */
        roleId: string;
      }[];
      /**
       * @description Teams by what a claim holds
       * @default []
       */
      teamMappings: {
        /** @description Name of a claim, or a JSON pointer to one */
        claim: string;
        /** @description The value, or one of several, that the claim must have */
        value: string;
        /** @description Id of the team */
        teamId: string;
      }[];
      /** @description Whose addresses may get an account by `jit`, besides those of verified domains; `*` stands for all */
      allowedDomains?: string[] | null;
      /** @description `oidc`: an address is proven by the claim `email_verified`, or by its domain, which the organisation has verified */
      emailTrust?: ("verified_claim" | "verified_domain") | null;
      /**
       * @description Whether users with an address of the domain are led to the connection, or can sign in only with it; while the domain is verified
       * @default off
       * @enum {string}
       */
      sso: "off" | "offered" | "required";
      /**
       * @description Whether it may change the address of a user to another one of a verified domain
       * @default verified_domains
       * @enum {string}
       */
      emailChanges: "verified_domains" | "refuse";
      /**
       * @description What becomes of a user whom it deletes: blocked, and found again when they are sent once more, or deleted
       * @default block
       * @enum {string}
       */
      deletes: "block" | "delete";
      /**
       * @description `teams`: each of its groups is a team. `mappings_only`: only what `groupMappings` name follows
       * @default teams
       * @enum {string}
       */
      groups: "teams" | "mappings_only";
      /**
       * @description Roles and teams of the members of groups
       * @default []
       */
      groupMappings: {
        /** @description The group, by exactly one of its names */
        group: {
          /** @description What the group is called there, in any case */
          displayName?: string;
          /** @description The id by which the directory knows it */
          externalId?: string;
        };
        /**
         * @description Ids of the roles that its members get; never the owner role
         * @default []
         */
        roleIds: string[];
        /**
         * @description Ids of the teams that its members join
         * @default []
         */
        teamIds: string[];
      }[];
    };
    SignIn: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description Who signed in, or tried to; null while unknown */
      user: {
        /** @description Id of the user */
        id: string;
        /** @description The name of the user at that time */
        name: string | null;
        /** @description The address of the user at that time */
        email: string | null;
      } | null;
      /** @description The application that first requested it, or got tokens with it; null if there is none */
      client: {
        /** @description Its id */
        id: string;
        /** @description Its current name; null if it was deleted */
        name: string | null;
      } | null;
      /** @description The connection that it began with; null without one */
      connection: {
        /** @description Its id */
        id: string;
        /** @description Its current name; null if it was deleted */
        name: string | null;
      } | null;
      /**
       * Format: date-time
       * @description When it began
       */
      begunAt: string;
      /** @description When its session ended; null while it is active, and if that is no longer known */
      endedAt: string | null;
      /**
       * @description Its state. `unknown` for a caller without `users:read`, unless the audit log says that the session has ended
       * @enum {string}
       */
      state: "not_signed_in" | "active" | "ended" | "unknown";
      /** @description The whole sign-in, in chronological order */
      steps: components["schemas"]["SignInStep"][];
      /** @description Whether these are all steps: of each kind of record, the first 200 are read */
      isComplete: boolean;
      /** @description Permissions that the caller lacks, so that steps are missing: factors, codes and tokens without `users:read`, refusals without `clients:read` */
      leftOut: ("users:read" | "clients:read")[];
    };
    SignInCheck: {
      /** @description The user of the address; null when the organisation has none */
      userId: string | null;
      /** @description Whether the sign-in would succeed now: at least one way leads to a session, and the user may use the application and has the permission */
      allowed: boolean;
      /** @description Each way to sign in */
      ways: {
        /**
         * @description The way to sign in
         * @enum {string}
         */
        way: "password" | "passkey" | "email_code" | "connection";
        /** @description The connection, if the way is one */
        connectionId: string | null;
        /**
         * @description Where it leads a user who passes every factor: to a session, to confirming a linked account, to setting up a second factor or passkey, to a new password, or to a refusal
         * @enum {string}
         */
        leadsTo: "session" | "confirmation" | "enrolment" | "new_password" | "refusal";
      }[];
      /** @description Each step that a sign-in would take now, in order */
      steps: components["schemas"]["SignInCheckStep"][];
    };
    SignInCheckStep: {
      /**
       * @description What is looked at
       * @enum {string}
       */
      step: "account" | "organisation" | "block" | "domain" | "lock" | "password" | "passkey" | "email_code" | "connection" | "identity" | "second_factor" | "password_age" | "enrolment" | "client" | "grant" | "redirect_uri" | "authorization" | "permission";
      /** @description The way to sign in that the step belongs to; null if it applies to every way */
      way: ("password" | "passkey" | "email_code" | "connection") | null;
      /** @description The connection, if the way is one */
      connectionId: string | null;
      /**
       * @description What was found
       * @enum {string}
       */
      code: "account-found" | "no-account" | "account-deleted" | "organisation-running" | "organisation-suspended" | "organisation-cancelled" | "not-blocked" | "user-blocked" | "deactivated-by-directory" | "domain-open" | "sso-required" | "not-locked" | "account-locked" | "password-set" | "no-password-set" | "password-disabled" | "passkey-registered" | "no-passkey" | "passkeys-off" | "email-codes-allowed" | "email-codes-off" | "connection-usable" | "connection-inactive" | "connection-failing" | "identity-linked" | "identity-links-at-once" | "account-is-created" | "invitation-is-accepted" | "invitation-by-mail" | "confirmation-asked" | "address-unproven" | "link-while-signed-in" | "another-connection-required" | "not-provisioned" | "trial-limit-reached" | "address-unusable" | "no-second-factor-asked" | "second-factor-asked" | "second-factor-by-provider" | "second-factor-refused-until" | "no-usable-second-factor" | "password-current" | "password-expired" | "password-breached" | "nothing-to-enrol" | "second-factor-enrolment" | "passkey-enrolment" | "client-active" | "client-deactivated" | "document-usable" | "document-unusable" | "document-refused" | "automatic-clients-full" | "code-grant-allowed" | "device-grant-allowed" | "no-code-grant" | "redirect-uri-registered" | "redirect-uri-unregistered" | "authorization-granted" | "consent-asked" | "authorization-refused" | "permission-held" | "permission-missing";
      /** @description Whether a sign-in gets past the step */
      met: boolean;
      /** @description What was found, in English */
      why: string;
      /** @description How to fix it; null for a step that is met */
      remedy: string | null;
      /** @description The values in the sentence: times, names. Of a connection that fails and an application that is refused, `check` is the code of the check that failed */
      values: {
        [key: string]: string;
      };
      /** @description Of the values, those that are words of the service: programs translate them */
      phrases: {
        [key: string]: components["schemas"]["SaidPhrase"];
      };
    };
    SignInStep: {
      /**
       * Format: date-time
       * @description When it happened
       */
      at: string;
      /**
       * @description What happened
       * @enum {string}
       */
      kind: "begun" | "code_mailed" | "failed" | "locked" | "account_created" | "account_linked" | "factor_given" | "new_password_asked" | "second_factor_asked" | "signed_in" | "second_factor_enrolled" | "passkey_registered" | "proven_again" | "stepped_up" | "consent_given" | "code_issued" | "tokens_issued" | "tokens_refreshed" | "tokens_ended" | "refused" | "signed_out" | "session_ended" | "session_expired";
      /** @description The factor that was given, or the error code of a refusal; null if the kind says enough */
      code: string | null;
      /** @description Why it failed, was refused or ended */
      reason: string | null;
      /** @description The application; null without one */
      client: {
        /** @description Its id */
        id: string;
        /** @description Its current name; null if it was deleted */
        name: string | null;
      } | null;
      /** @description The connection that it began with; null without one */
      connection: {
        /** @description Its id */
        id: string;
        /** @description Its current name; null if it was deleted */
        name: string | null;
      } | null;
      /** @description What was granted, of codes, tokens and consent */
      scopes: string[] | null;
      /** @description How the user has signed in, by RFC 8176 */
      methods: string[] | null;
      /** @description For a sign-in that a connection has refused: every check, in order */
      checks: {
        /** @description A stable code of the check; null if an earlier release stored it */
        code: ("discovery" | "discovery_issuer" | "keys" | "state" | "response_issuer" | "response" | "token_endpoint" | "alg" | "iss" | "aud" | "azp" | "exp" | "iat" | "nonce" | "auth_time" | "signature" | "user_info_subject" | "subject" | "hosted_domain" | "tenant" | "address" | "groups" | "user" | "github_user" | "github_emails" | "logout_token" | "typ" | "events" | "jti" | "sub_or_sid" | "encoding" | "size" | "resources" | "markup" | "entities" | "well_formed" | "depth" | "elements" | "attributes" | "ids" | "root" | "version" | "status" | "assertions" | "signature_place" | "signature_form" | "signature_reference" | "signature_algorithm" | "digest_algorithm" | "canonicalization" | "transforms" | "encryption_algorithm" | "decryption" | "destination" | "confirmation" | "recipient" | "in_response_to" | "not_before" | "not_on_or_after" | "conditions" | "authn_instant" | "session_end" | "assertion_id" | "message_id" | "issue_instant" | "session_index" | "metadata" | "entity_id" | "single_sign_on" | "valid_until" | "certificates") | null;
        /** @description What was checked */
        name: string;
        /** @description What was expected */
        expected: string;
        /** @description What came */
        received: string;
        /** @description Which of the two are phrases of the service */
        phrases: {
          /** @description The phrase of the service; null for a value from elsewhere */
          expected: components["schemas"]["SaidPhrase"];
          /** @description The phrase of the service; null for a value from elsewhere */
          received: components["schemas"]["SaidPhrase"];
        };
        /** @description Whether it was right */
        passed: boolean;
      }[] | null;
      /** @description The audit entry of it */
      entryId: string | null;
      /** @description The session */
      sessionId: string | null;
      /** @description The diagnostic of a refusal */
      reference: string | null;
    };
    SignIns: {
      /** @description Every hour or day of the range, oldest first, including those without sign-ins */
      data: {
        /**
         * Format: date-time
         * @description When the bucket begins
         */
        at: string;
        /** @description Sign-ins that started a session */
        succeeded: number;
        /** @description Sign-ins to an existing account that were refused: wrong password or code, blocked, suspended */
        failed: number;
        /** @description Distinct users who signed in */
        users: number;
      }[];
    };
    SignedIn: {
      /**
       * @description The session has begun
       * @enum {string}
       */
      status: "authenticated";
      /** @description The user who has signed in */
      user: {
        /** @description Identifier: the prefix of its type, and an opaque text */
        id: string;
        /** @description E-mail address */
        email: string;
        /** @description First and last name */
        name: string;
      };
      /** @description The session that was started */
      session: {
        /** @description Identifier: the prefix of its type, and an opaque text */
        id: string;
        /**
         * Format: date-time
         * @description When the session ends, however much it is used
         */
        expiresAt: string;
      };
      /** @description Send it as `X-CSRF-Token` with every request of this session */
      csrfToken: string;
    } | {
      /**
       * @description A second factor has to follow
       * @enum {string}
       */
      status: "mfa_required";
      /** @description Completes the sign-in at /v1/auth/login/mfa, once, within five minutes */
      mfaToken: string;
      /** @description Second factors of the user, one of which has to follow */
      methods: ("totp" | "sms" | "passkey")[];
    } | {
      /**
       * @description A second factor, or a passkey, has to be enrolled first
       * @enum {string}
       */
      status: "mfa_enrollment_required";
      /** @description The user who has signed in */
      user: {
        /** @description Identifier: the prefix of its type, and an opaque text */
        id: string;
        /** @description E-mail address */
        email: string;
        /** @description First and last name */
        name: string;
      };
      /** @description The session that was started */
      session: {
        /** @description Identifier: the prefix of its type, and an opaque text */
        id: string;
        /**
         * Format: date-time
         * @description When the session ends, however much it is used
         */
        expiresAt: string;
      };
      /** @description Send it as `X-CSRF-Token` with every request of this session */
      csrfToken: string;
    };
    StartedEmailCode: {
      /** @description Completes the sign-in together with the code, within ten minutes */
      flowToken: string;
    };
    StartedPasskeyRegistration: {
      /** @description Comes back with the credential */
      flowToken: string;
      /** @description For `PublicKeyCredential.parseCreationOptionsFromJSON()` */
      options: components["schemas"]["PasskeyCreationOptions"];
    };
    StartedPasskeyRequest: {
      /** @description Comes back with the credential */
      flowToken: string;
      /** @description For `PublicKeyCredential.parseRequestOptionsFromJSON()` */
      options: components["schemas"]["PasskeyRequestOptions"];
    };
    Statistics: {
      /** @description Users who are not deleted. Requires `users:read` */
      users?: {
        /** @description All users */
        total: number;
        /** @description Users who are not blocked */
        active: number;
        /** @description Blocked users */
        blocked: number;
        /** @description Users who have not verified their address */
        unverified: number;
        /** @description Users with a second factor */
        withMfa: number;
        /** @description Users who have not signed in yet */
        neverSignedIn: number;
        /** @description Users who were created in the last 30 days */
        createdLast30Days: number;
        /** @description Users whose last sign-in was in the last 30 days */
        signedInLast30Days: number;
      };
      /** @description Sessions of users. Requires `users:read` */
      sessions?: {
        /** @description Sessions that have neither ended nor been revoked */
        active: number;
      };
      /** @description Requires `roles:read` */
      roles?: {
        /** @description All roles */
        total: number;
        /** @description Roles other than the three built-in ones */
        added: number;
      };
      /** @description Requires `invitations:read` */
      invitations?: {
        /** @description Invitations that can be accepted */
        pending: number;
        /** @description Sessions that expire within 24 hours */
        expiringIn24Hours: number;
        /** @description Invitations whose time is over */
        expired: number;
      };
      /** @description Requires `clients:read` */
      clients?: {
        /** @description OAuth clients that are not revoked */
        active: number;
        /** @description Revoked OAuth clients */
        revoked: number;
      };
      /** @description Requires `api_keys:read` */
      apiKeys?: {
        /** @description API keys, expired ones included */
        total: number;
        /** @description Keys that still work and expire within 30 days */
        expiringIn30Days: number;
        /** @description Keys that still work and have neither been used nor created in the last 90 days */
        unusedFor90Days: number;
      };
      /** @description Requires `webhooks:read` */
      webhooks?: {
        /** @description Active endpoints, failing ones included */
        active: number;
        /** @description Active endpoints whose last attempt failed */
        failing: number;
        /** @description Endpoints that receive nothing */
        inactive: number;
      };
      /** @description Requires `directories:read` */
      directories?: {
        /** @description Directories whose requests are accepted, failing ones included */
        active: number;
        /** @description Active directories whose requests are refused, or that have fallen silent */
        failing: number;
        /** @description Users whom directories manage */
        users: number;
        /** @description Groups that directories have sent */
        groups: number;
      };
      /**
       * Format: date-time
       * @description When users and sessions were counted
       */
      asOf: string;
    };
    StoredClientDocument: {
      /** @description Its address, which is the `client_id`; null for a client that has no document */
      address: string | null;
      /** @description When it was read last; null for a client that has none */
      fetchedAt: string | null;
      /** @description Until when it serves without being read anew; null for a client that has none */
      expiresAt: string | null;
      /** @description Since when it cannot be read, or is no document that can be used; null while it can */
      failingSince: string | null;
    };
    SystemSignInCheck: {
      /** @description The user of the address; null when the organisation has none */
      userId: string | null;
      /** @description Whether the sign-in would succeed now: at least one way leads to a session, and the user may use the application and has the permission */
      allowed: boolean;
      /** @description Each way to sign in */
      ways: {
        /**
         * @description The way to sign in
         * @enum {string}
         */
        way: "password" | "passkey" | "email_code" | "connection";
        /** @description The connection, if the way is one */
        connectionId: string | null;
        /**
         * @description Where it leads a user who passes every factor: to a session, to confirming a linked account, to setting up a second factor or passkey, to a new password, or to a refusal
         * @enum {string}
         */
        leadsTo: "session" | "confirmation" | "enrolment" | "new_password" | "refusal";
      }[];
      /** @description Each step that a sign-in would take now, in order */
      steps: components["schemas"]["SignInCheckStep"][];
      /** @description The organisation of the address, or of its domain; null when there is none */
      organisationId: string | null;
    };
    Team: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description Name of the team */
      name: string;
      /** @description Short name of the team for programs */
      slug: string;
      /** @description Who is in the team */
      description: string;
      /** @description Number of members, without deleted users */
      memberCount: number;
      /** @description Without deleted users; empty in responses to changes */
      members: components["schemas"]["TeamMember"][];
      /**
       * Format: date-time
       * @description When the team was created
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When the team was last changed
       */
      updatedAt: string;
    };
    TeamChanges: {
      /** @description Name of the team */
      name?: string;
      /** @description Who is in the team */
      description?: string;
    };
    TeamMapping: {
      /** @description Name of a claim, or a JSON pointer to one */
      claim: string;
      /** @description The value, or one of several, that the claim must have */
      value: string;
      /** @description Id of the team */
      teamId: string;
    };
    TeamMember: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description E-mail address of the member */
      email: string;
      /** @description First and last name */
      name: string;
      /** @description What puts the user into the team; only in the list of members, with `sources=true` */
      sources?: components["schemas"]["AssignmentSource"][];
    };
    TeamMemberList: {
      /** @description The records of this page */
      data: components["schemas"]["TeamMember"][];
      /** @description Total number of records */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
    };
    TeamSummary: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description Name of the team */
      name: string;
      /** @description Short name of the team for programs */
      slug: string;
    };
    TokenResponse: {
      /** @description Bearer token, a JWT (RFC 9068) */
      access_token: string;
      /**
       * @description How the token is used; `DPoP` with a proof of the key that it is bound to (RFC 9449); `N_A` for an identity assertion, which no API takes
       * @enum {string}
       */
      token_type: "Bearer" | "DPoP" | "N_A";
      /** @description With token exchange: the kind of the token (RFC 8693) */
      issued_token_type?: string;
      /** @description Seconds */
      expires_in: number;
      /** @description Gets the next pair of tokens, once */
      refresh_token?: string;
      /** @description Who signed in, a JWT (OpenID Connect) */
      id_token?: string;
      /** @description Scopes, separated by spaces */
      scope?: string;
    };
    TriedRequest: {
      /** @description What the directory would get as its response */
      response: {
        /** @description Its status */
        status: number;
        /** @description Its headers */
        headers: {
          [key: string]: string;
        };
        /** @description Its body; null without one */
        body: {
          [key: string]: unknown;
        } | null;
      };
      /** @description What the audit log would record, at most 200 entries. Ids of new records are made up */
      changes: {
        /** @description What happened */
        action: string;
        /** @description The kind of object */
        targetType: string;
        /** @description Id of the object that it concerns */
        targetId: string;
        /** @description The name of the target at that time */
        targetName: string | null;
        /** @description Each changed field with its value before and after; all fields of an object that was created or deleted. Null when no fields were compared */
        changes: {
          [key: string]: {
            /** @description The value before */
            from: unknown;
            /** @description The value after */
            to: unknown;
          };
        } | null;
        /** @description Further details, such as the reason; null without any */
        metadata: {
          [key: string]: unknown;
        } | null;
      }[];
      /** @description How many entries the audit log would record */
      changesTotal: number;
    };
    UndoneEntry: {
      /** @description Whether nothing was changed */
      dryRun: boolean;
      /** @description Everything that was recorded, as in the audit log. The entries name the undone one as `undoOf` in `metadata` */
      changes: {
        /** @description Id of the audit entry that was written for it; null in a dry run */
        entryId: string | null;
        /** @description What happened */
        action: string;
        /** @description The kind of object */
        targetType: string;
        /** @description Id of the object that it concerns */
        targetId: string;
        /** @description The name of the target at that time */
        targetName: string | null;
        /** @description Each changed field with its value before and after; all fields of an object that was created or deleted. Null when no fields were compared */
        changes: {
          [key: string]: {
            /** @description The value before */
            from: unknown;
            /** @description The value after */
            to: unknown;
          };
        } | null;
        /** @description Further details, such as the reason; null without any */
        metadata: {
          [key: string]: unknown;
        } | null;
      }[];
    };
    User: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description E-mail address, lower-cased; unique in the whole system */
      email: string;
      /** @description First name */
      firstName: string;
      /** @description Last name */
      lastName: string;
      /** @description First and last name */
      name: string;
      /** @description Telephone number; null when none is known */
      phone: string | null;
      /** @description When the address was verified; null while it is not */
      emailVerifiedAt: string | null;
      /** @description Whether signing in takes a second factor */
      mfaEnabled: boolean;
      /** @description Since when the user is blocked; null while they are not */
      blockedAt: string | null;
      /** @description Why the user is blocked */
      blockedReason: string | null;
      /** @description Last sign-in; null before the first */
      lastLoginAt: string | null;
      /** @description Until when no sign-in is accepted, after too many failures; null while the account is not locked */
      lockedUntil: string | null;
      /** @description Your own, up to 8 KiB */
      metadata: {
        [key: string]: unknown;
      };
      /**
       * Format: date-time
       * @description When the user was created
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When the record was last changed
       */
      updatedAt: string;
      /** @description When the user was deleted; null for all others */
      deletedAt: string | null;
      /** @description Roles of the user */
      roles: components["schemas"]["RoleSummary"][];
      /** @description Teams of the user */
      teams: components["schemas"]["TeamSummary"][];
    };
    UserChanges: {
      /** @description First name */
      firstName?: string;
      /** @description Last name */
      lastName?: string;
      /** @description Telephone number; null when none is known */
      phone?: string | null;
      /** @description A time blocks the user and ends all their sessions and mailed links; null unblocks them. Who was deactivated by a directory, before the block or during it, is blocked by that one then */
      blockedAt?: string | null;
      /** @description Why the user is blocked */
      blockedReason?: string | null;
      /** @description false switches MFA off; only the user can switch it on */
      mfaEnabled?: boolean;
      /** @description Your own, up to 8 KiB. Tokens show parts of it where an application or an API maps them to claims. Events do not have it */
      metadata?: {
        [key: string]: unknown;
      };
    };
    UserDetails: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description E-mail address, lower-cased; unique in the whole system */
      email: string;
      /** @description First name */
      firstName: string;
      /** @description Last name */
      lastName: string;
      /** @description First and last name */
      name: string;
      /** @description Telephone number; null when none is known */
      phone: string | null;
      /** @description When the address was verified; null while it is not */
      emailVerifiedAt: string | null;
      /** @description Whether signing in takes a second factor */
      mfaEnabled: boolean;
      /** @description Since when the user is blocked; null while they are not */
      blockedAt: string | null;
      /** @description Why the user is blocked */
      blockedReason: string | null;
      /** @description Last sign-in; null before the first */
      lastLoginAt: string | null;
      /** @description Until when no sign-in is accepted, after too many failures; null while the account is not locked */
      lockedUntil: string | null;
      /** @description Your own, up to 8 KiB */
      metadata: {
        [key: string]: unknown;
      };
      /**
       * Format: date-time
       * @description When the user was created
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When the record was last changed
       */
      updatedAt: string;
      /** @description When the user was deleted; null for all others */
      deletedAt: string | null;
      /** @description Roles of the user */
      roles: {
        /** @description Identifier: the prefix of its type, and an opaque text */
        id: string;
        /** @description Name of the role */
        name: string;
        /** @description Short name of the role for programs, unique in the organisation; cannot be changed */
        slug: string;
        /** @description What the role is for */
        description: string;
        /** @description What the role allows */
        permissions: {
          /** @description Identifier: the prefix of its type, and an opaque text */
          id: string;
          /** @description Resource and action */
          slug: string;
          /** @description Name of the permission */
          name: string;
          /** @description What it allows */
          description: string;
        }[];
        /** @description What gives it: the user has it as long as there is one. Administrators can take away only `manual` */
        sources: components["schemas"]["AssignmentSource"][];
      }[];
      /** @description Teams of the user */
      teams: {
        /** @description Identifier: the prefix of its type, and an opaque text */
        id: string;
        /** @description Name of the team */
        name: string;
        /** @description Short name of the team for programs */
        slug: string;
        /** @description Who is in the team */
        description: string;
        /** @description What gives it: the user has it as long as there is one. Administrators can take away only `manual` */
        sources: components["schemas"]["AssignmentSource"][];
      }[];
      /** @description The directory that manages the user: what it sends overwrites changes of administrators. null for all others */
      managedBy: {
        /**
         * @description What kind of record it is
         * @enum {string}
         */
        type: "directory";
        /** @description Id of the directory */
        id: string;
        /** @description What the directory is called */
        name: string;
      } | null;
    };
    UserImpact: {
      /** @description How many sessions would end */
      sessions: number;
      /** @description How many applications hold tokens for the user, which would end */
      applications: number;
    };
    UserInfo: {
      /** @description The user, or the client that acts for itself */
      sub: string;
      /** @description First and last name */
      name?: string;
      /** @description First name */
      given_name?: string;
      /** @description Last name */
      family_name?: string;
      /** @description When the user was last changed, in seconds since 1970 */
      updated_at?: number;
      /** @description E-mail address */
      email?: string;
      /** @description Whether the address was verified */
      email_verified?: boolean;
      /** @description Telephone number */
      phone_number?: string;
      /** @description Whether the number was verified */
      phone_number_verified?: boolean;
    } & {
      [key: string]: unknown;
    };
    UserList: {
      /** @description The records of this page */
      data: components["schemas"]["User"][];
      /** @description Total number of records */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
    };
    UserPermissions: {
      /** @description Each permission that the roles of the user give */
      data: {
        /** @description Slug of the permission */
        permission: string;
        /** @description The roles that give the permission */
        because: components["schemas"]["PermissionReason"][];
      }[];
      /** @description Number of permissions */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
      /** @description What keeps the user from using any permission: the user is blocked, the organisation is suspended, or the user has no session and the next sign-in asks to enrol a second factor, register a passkey or set a new password first */
      blockedBy: ("blocked" | "suspended" | "mfa_enrolment" | "passkey_enrolment" | "password_expired")[];
    };
    UserSession: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description IP address at sign-in */
      ipAddress: string;
      /** @description User agent at sign-in, as it names itself */
      userAgent: string;
      /**
       * Format: date-time
       * @description When it was last used, to the minute
       */
      lastActivityAt: string;
      /**
       * Format: date-time
       * @description When it ends
       */
      expiresAt: string;
      /**
       * Format: date-time
       * @description When the user signed in
       */
      createdAt: string;
      /** @description Whether it is the session of this request */
      current: boolean;
      /** @description What the user agent says of itself */
      device: {
        /** @description Name of the browser, if known */
        browser: string | null;
        /** @description Name of the operating system, if known */
        os: string | null;
        /** @description desktop, mobile, tablet …, if known */
        type: string | null;
      };
      /** @description The sign-in that it began with, for GET /v1/admin/sign-ins/{id}; null if it is from an earlier release */
      signInId: string | null;
    };
    UserSessionList: {
      /** @description The records of this page */
      data: components["schemas"]["UserSession"][];
      /** @description Total number of records */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
    };
    UserSummary: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description First and last name */
      name: string;
      /** @description E-mail address */
      email: string;
    };
    WaysToSignIn: {
      /** @description Whether a password may sign in */
      password: boolean;
      /** @description Whether a passkey may */
      passkey: boolean;
      /** @description Whether a code by e-mail may */
      emailCode: boolean;
      /** @description Connections that may; that of the domain comes first */
      connections: {
        /** @description Identifier of the connection */
        id: string;
        /** @description Name of the connection */
        name: string;
        /** @description Which identity provider it is */
        provider: string;
        /** @description Where the browser goes to sign in by it; `returnTo` may be added */
        startUrl: string;
      }[];
      /** @description Whether only the connection of the domain may */
      required: boolean;
    };
    Webhook: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description The organisation that it belongs to */
      organisationId: string;
      /** @description Where events are sent, by https */
      url: string;
      /** @description Names of the events; `*` means all */
      events: string[];
      /** @description Id of an OAuth client of the organisation */
      clientId: string | null;
      /**
       * @description Which of the two documented payload formats the endpoint receives
       * @enum {string}
       */
      variant: "A" | "B";
      /** @description Whether requests also have the headers of Standard Webhooks, which its libraries verify: `webhook-id`, `webhook-timestamp`, `webhook-signature` */
      standardSignature: boolean;
      /** @description Whether events are delivered to it */
      isActive: boolean;
      /** @description Deliveries in a row that failed for good; at 10 the endpoint is deactivated */
      failureCount: number;
      /** @description When the last attempt was made */
      lastTriggeredAt: string | null;
      /** @description When the last failed attempt was made */
      lastFailureAt: string | null;
      /**
       * Format: date-time
       * @description When it was created
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When it was last changed
       */
      updatedAt: string;
      /** @description Whether it is active and its last attempt failed */
      failing: boolean;
      /** @description Why the last failed attempt failed; null if none has */
      lastError: string | null;
      /** @description Its deliveries in this hour and the previous 23 */
      last24Hours: {
        /** @description Deliveries that succeeded */
        delivered: number;
        /** @description Deliveries that failed for good */
        failed: number;
      };
    };
    WebhookChanges: {
      /** @description HTTPS only; redirects are not followed */
      url?: string;
      /** @description Names from GET /v1/admin/events, or * for all */
      events?: ("*" | "user.created" | "user.updated" | "user.deleted" | "user.blocked" | "user.login" | "user.logout" | "auth.login" | "auth.login.failed" | "auth.logout" | "auth.password_reset" | "auth.email_verified" | "login.success" | "login.failed" | "session.created" | "session.revoked" | "mfa.enabled" | "mfa.disabled" | "passkey.registered" | "passkey.deleted" | "identity.linked" | "connection.created" | "connection.updated" | "connection.failing" | "connection.certificate_expiring" | "connection.deleted" | "directory.failing" | "identity.unlinked" | "role.created" | "role.updated" | "role.deleted" | "role.assigned" | "role.unassigned" | "permission.granted" | "team.created" | "team.updated" | "team.deleted" | "domain.verified" | "domain.lapsed" | "client.created" | "client.updated" | "client.deleted" | "client.revoked" | "oauth2.token.issued" | "oauth2.token.revoked" | "oauth2.consent.granted" | "oauth2.consent.revoked")[];
      /** @description true also sets failureCount to 0 */
      isActive?: boolean;
      /**
       * @description Determines envelope, headers, user agent, timeout and retries
       * @enum {string}
       */
      variant?: "A" | "B";
      /** @description Whether requests also have the headers of Standard Webhooks, which its libraries verify: `webhook-id`, `webhook-timestamp`, `webhook-signature` */
      standardSignature?: boolean;
    };
    WebhookList: {
      /** @description The records of this page */
      data: components["schemas"]["Webhook"][];
      /** @description Total number of records */
      total: number;
      /** @description Only when `limit` or `cursor` was sent; null on the last page */
      nextCursor?: string | null;
    };
    WebhookWithSecret: {
      /** @description Identifier: the prefix of its type, and an opaque text */
      id: string;
      /** @description The organisation that it belongs to */
      organisationId: string;
      /** @description Where events are sent, by https */
      url: string;
      /** @description Names of the events; `*` means all */
      events: string[];
      /** @description Id of an OAuth client of the organisation */
      clientId: string | null;
      /**
       * @description Which of the two documented payload formats the endpoint receives
       * @enum {string}
       */
      variant: "A" | "B";
      /** @description Whether requests also have the headers of Standard Webhooks, which its libraries verify: `webhook-id`, `webhook-timestamp`, `webhook-signature` */
      standardSignature: boolean;
      /** @description Whether events are delivered to it */
      isActive: boolean;
      /** @description Deliveries in a row that failed for good; at 10 the endpoint is deactivated */
      failureCount: number;
      /** @description When the last attempt was made */
      lastTriggeredAt: string | null;
      /** @description When the last failed attempt was made */
      lastFailureAt: string | null;
      /**
       * Format: date-time
       * @description When it was created
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When it was last changed
       */
      updatedAt: string;
      /** @description Signs every request; shown only in this response */
      secret: string;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  getServiceSettings: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ServiceSettings"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  signIn: {
    parameters: {
      query?: never;
      header?: {
        /** @description Languages for the mail that this may send, as browsers name them: the first supported one, else English */
        "Accept-Language"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["Credentials"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SignedIn"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  completeSignIn: {
    parameters: {
      query?: never;
      header?: {
        /** @description Languages for the mail that this may send, as browsers name them: the first supported one, else English */
        "Accept-Language"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SecondFactor"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SignedIn"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  startSecondFactorByPasskey: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description From the response to the password */
          mfaToken: string;
        };
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SecondFactorOptions"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  startPasskeySignIn: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["StartedPasskeyRequest"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  signInByPasskey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Languages for the mail that this may send, as browsers name them: the first supported one, else English */
        "Accept-Language"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PasskeyProof"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SignedIn"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  requestEmailCode: {
    parameters: {
      query?: never;
      header?: {
        /** @description Languages for the mail that this may send, as browsers name them: the first supported one, else English */
        "Accept-Language"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description E-mail address of the account */
          email: string;
        };
      };
    };
    responses: {
      /** @description The response */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["StartedEmailCode"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  signInByEmailCode: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["EmailCodeProof"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SignedIn"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  sendSignInCode: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description From the response to the password */
          mfaToken: string;
        };
      };
    };
    responses: {
      /** @description The response */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Message"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getCsrfToken: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description For the header X-CSRF-Token of every request of this session */
            csrfToken: string;
          };
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  signOut: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  identify: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description E-mail address, with an account or without */
          email: string;
          /** @description The application whose request is pending */
          clientId?: string;
        };
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WaysToSignIn"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  reauthenticate: {
    parameters: {
      query?: never;
      header?: {
        /** @description Languages for the mail that this may send, as browsers name them: the first supported one, else English */
        "Accept-Language"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["Reauthentication"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /**
             * Format: date-time
             * @description When it was proven
             */
            reauthenticatedAt: string;
          };
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  startReauthentication: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["StartedPasskeyRequest"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getOwnMfa: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MfaState"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  startMfaEnrolment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Languages for the mail that this may send, as browsers name them: the first supported one, else English */
        "Accept-Language"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /**
           * @description totp by default
           * @enum {string}
           */
          method?: "totp" | "sms" | "passkey";
          /** @description For sms: where the codes go */
          phone?: string;
          /** @description A code of a factor that you have, to add one of the other kind or to replace one */
          token?: string;
          /** @description From the response with the options; it works for five minutes */
          flowToken?: string;
          /** @description The result of `toJSON()` of the credential */
          credential?: components["schemas"]["PasskeyAssertion"];
          /** @description Whether the new factor replaces the one of its kind, once it is confirmed */
          replace?: boolean;
        };
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Base32 */
            secret: string;
            /** @description For an authenticator app to scan */
            qrCodeUri: string;
            /** @description What was done */
            message: string;
          } | {
            /** @description Where the code was sent */
            phone: string;
            /** @description What was done */
            message: string;
          } | components["schemas"]["StartedPasskeyRequest"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  sendMfaCode: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Message"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  startFactorChangeByPasskey: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["StartedPasskeyRequest"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  completeMfaEnrolment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Languages for the mail that this may send, as browsers name them: the first supported one, else English */
        "Accept-Language"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The six digits of a code */
          token: string;
        } | components["schemas"]["PasskeyProof"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description What was done */
            message: string;
            /** @description Each replaces a code once */
            backupCodes: string[];
            /** @description What to keep in mind */
            warning: string;
            /** @description Only if the session had to enrol first: it is now a full session, with a new cookie and a new CSRF token */
            csrfToken?: string;
          };
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  checkMfaCode: {
    parameters: {
      query?: never;
      header?: {
        /** @description Languages for the mail that this may send, as browsers name them: the first supported one, else English */
        "Accept-Language"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The six digits of a code */
          token: string;
        };
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Whether the code is right */
            valid: boolean;
          };
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  disableMfa: {
    parameters: {
      query?: never;
      header?: {
        /** @description Languages for the mail that this may send, as browsers name them: the first supported one, else English */
        "Accept-Language"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The six digits of a code */
          token: string;
        } | components["schemas"]["PasskeyProof"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Message"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  replaceBackupCodes: {
    parameters: {
      query?: never;
      header?: {
        /** @description Languages for the mail that this may send, as browsers name them: the first supported one, else English */
        "Accept-Language"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The six digits of a code */
          token: string;
        } | components["schemas"]["PasskeyProof"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Each replaces a code once */
            backupCodes: string[];
            /** @description What was done */
            message: string;
          };
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listOwnIdentities: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["IdentityList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  startIdentityLink: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The connection to sign in with */
          connectionId: string;
          /** @description A path of the service to return to; the account without it */
          returnTo?: string;
        };
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Where the browser of this session goes, within ten minutes */
            url: string;
          };
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listOwnPasskeys: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PasskeyList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  registerPasskey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Languages for the mail that this may send, as browsers name them: the first supported one, else English */
        "Accept-Language"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewPasskey"];
      };
    };
    responses: {
      /** @description The response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RegisteredPasskey"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  startPasskeyRegistration: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["StartedPasskeyRegistration"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  deleteOwnPasskey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Languages for the mail that this may send, as browsers name them: the first supported one, else English */
        "Accept-Language"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  renameOwnPasskey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["PasskeyChanges"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Passkey"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  unlinkOwnIdentity: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  requestPasswordReset: {
    parameters: {
      query?: never;
      header?: {
        /** @description Languages for the mail that this may send, as browsers name them: the first supported one, else English */
        "Accept-Language"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description E-mail address of the account */
          email: string;
        };
      };
    };
    responses: {
      /** @description The response */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Message"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  checkPasswordResetLink: {
    parameters: {
      query: {
        /** @description From the link in the mail */
        token: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Whether the link can still set a password */
            valid: boolean;
            /** @description Until when; null when it is not valid */
            expiresAt: string | null;
            /** @description The rules for passwords, as the organisation has set them */
            passwordPolicy: {
              [key: string]: unknown;
            } | null;
          };
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  resetPassword: {
    parameters: {
      query?: never;
      header?: {
        /** @description Languages for the mail that this may send, as browsers name them: the first supported one, else English */
        "Accept-Language"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PasswordReset"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Message"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  verifyEmail: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description From the link in the mail */
          token: string;
        };
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Message"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  changeOwnPassword: {
    parameters: {
      query?: never;
      header?: {
        /** @description Languages for the mail that this may send, as browsers name them: the first supported one, else English */
        "Accept-Language"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PasswordChange"];
      };
    };
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  removeOwnPassword: {
    parameters: {
      query?: never;
      header?: {
        /** @description Languages for the mail that this may send, as browsers name them: the first supported one, else English */
        "Accept-Language"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  resendVerificationMail: {
    parameters: {
      query?: never;
      header?: {
        /** @description Languages for the mail that this may send, as browsers name them: the first supported one, else English */
        "Accept-Language"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Message"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  sendPasswordResetLink: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
        /** @description Languages for the mail that this may send, as browsers name them: the first supported one, else English */
        "Accept-Language"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Message"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getOwnProfile: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Profile"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  updateOwnProfile: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ProfileChanges"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Profile"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listOwnSessions: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  endOtherSessions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  endOwnSession: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listOwnActivity: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ActivityPage"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listUserSessions: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["UserSessionList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  endUserSessions: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  endUserSession: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
        /** @description Id of the session */
        sessionId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listUsers: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
        /** @description Only records whose name, last name or e-mail address begins with this, in any letter case */
        q?: string;
        /** @description Sort order; `-` in front reverses it */
        sort?: "createdAt" | "-createdAt" | "name" | "-name" | "email" | "-email" | "lastLoginAt" | "-lastLoginAt";
        /** @description Only users who are not blocked (`active`), are blocked, have not proven their address (`unverified`) or have never signed in; `deleted` lists deleted users, who are in no other list */
        status?: "active" | "blocked" | "unverified" | "never_signed_in" | "deleted";
        /** @description Only users who have this role */
        roleId?: string;
        /** @description Only members of this team */
        teamId?: string;
        /** @description Only users who have the permission with this slug through one of their roles */
        permission?: string;
        /** @description Only users whose e-mail address is in this domain, as `GET /v1/admin/domains` names it; addresses in subdomains are not */
        emailDomain?: string;
        /** @description Only users who have a second factor, or only those who have none */
        mfaEnabled?: "true" | "false";
        /** @description Only users who were created at or after this time */
        createdFrom?: string;
        /** @description Only users who were created before this time */
        createdTo?: string;
        /** @description Only users whose last sign-in was before this time; those who have never signed in are not among them */
        lastLoginBefore?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["UserList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  createUser: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
        /** @description Languages for the mail that this may send, as browsers name them: the first supported one, else English */
        "Accept-Language"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewUser"];
      };
    };
    responses: {
      /** @description The response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["User"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  exportUsers: {
    parameters: {
      query?: {
        /** @description Only records whose name, last name or e-mail address begins with this, in any letter case */
        q?: string;
        /** @description Sort order; `-` in front reverses it */
        sort?: "createdAt" | "-createdAt" | "name" | "-name" | "email" | "-email" | "lastLoginAt" | "-lastLoginAt";
        /** @description Only users who are not blocked (`active`), are blocked, have not proven their address (`unverified`) or have never signed in; `deleted` lists deleted users, who are in no other list */
        status?: "active" | "blocked" | "unverified" | "never_signed_in" | "deleted";
        /** @description Only users who have this role */
        roleId?: string;
        /** @description Only members of this team */
        teamId?: string;
        /** @description Only users who have the permission with this slug through one of their roles */
        permission?: string;
        /** @description Only users whose e-mail address is in this domain, as `GET /v1/admin/domains` names it; addresses in subdomains are not */
        emailDomain?: string;
        /** @description Only users who have a second factor, or only those who have none */
        mfaEnabled?: "true" | "false";
        /** @description Only users who were created at or after this time */
        createdFrom?: string;
        /** @description Only users who were created before this time */
        createdTo?: string;
        /** @description Only users whose last sign-in was before this time; those who have never signed in are not among them */
        lastLoginBefore?: string;
        /** @description One JSON object per line, or comma-separated values */
        format?: "ndjson" | "csv";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The records, one a line */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/x-ndjson": components["schemas"]["User"];
          "text/csv": string;
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["UserDetails"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  deleteUser: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the record as it was read: if it has changed since, nothing is done (412) */
        "If-Match"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["Reason"];
      };
    };
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  updateUser: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
        /** @description Languages for the mail that this may send, as browsers name them: the first supported one, else English */
        "Accept-Language"?: string;
        /** @description The `ETag` of the record as it was read: if it has changed since, nothing is done (412) */
        "If-Match"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["UserChanges"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["User"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getUserImpact: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["UserImpact"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  restoreUser: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["User"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  unlockUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  assignRole: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Id or slug of a role */
          roleId: string;
        };
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Message"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  unassignRole: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Id or slug of a role */
          roleId: string;
        };
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Removal"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listUserPasskeys: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PasskeyList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  deleteUserPasskey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Languages for the mail that this may send, as browsers name them: the first supported one, else English */
        "Accept-Language"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
        /** @description Id of the passkey */
        passkeyId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listUserIdentities: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["IdentityList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  unlinkUserIdentity: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
        /** @description Id of the identity */
        identityId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["Reason"];
      };
    };
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  checkPermissions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AskedPermissionChecks"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PermissionCheck"] | components["schemas"]["PermissionChecks"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  checkAuthorization: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AskedAuthorizationCheck"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AuthorizationCheck"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  previewClaims: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AskedClaims"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ClaimsPreview"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listUserPermissions: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["UserPermissions"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  checkSignIn: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AskedSignInCheck"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SignInCheck"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listRoles: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
        /** @description Only records whose name or slug begins with this, in any letter case */
        q?: string;
        /** @description Sort order; `-` in front reverses it */
        sort?: "createdAt" | "-createdAt" | "name" | "-name" | "slug" | "-slug";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RoleList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  createRole: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewRole"];
      };
    };
    responses: {
      /** @description The response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Role"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getRole: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Role"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  deleteRole: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the record as it was read: if it has changed since, nothing is done (412) */
        "If-Match"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["Reason"];
      };
    };
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  updateRole: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
        /** @description The `ETag` of the record as it was read: if it has changed since, nothing is done (412) */
        "If-Match"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["RoleChanges"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Role"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getRoleImpact: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AskedRoleChange"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RoleImpact"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listTeams: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
        /** @description Only records whose name or slug begins with this, in any letter case */
        q?: string;
        /** @description Sort order; `-` in front reverses it */
        sort?: "createdAt" | "-createdAt" | "name" | "-name" | "slug" | "-slug";
        /** @description `false` leaves out the members, of whom a team may have very many */
        members?: "true" | "false";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListedTeamList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  createTeam: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewTeam"];
      };
    };
    responses: {
      /** @description The response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Team"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getTeam: {
    parameters: {
      query?: {
        /** @description `false` leaves out the members, of whom a team may have very many */
        members?: "true" | "false";
      };
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListedTeam"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  deleteTeam: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the record as it was read: if it has changed since, nothing is done (412) */
        "If-Match"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["Reason"];
      };
    };
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  updateTeam: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
        /** @description The `ETag` of the record as it was read: if it has changed since, nothing is done (412) */
        "If-Match"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["TeamChanges"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Team"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listTeamMembers: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
        /** @description Only members whose name, last name or e-mail address begins with this, in any letter case */
        q?: string;
        /** @description `true` says of each member what puts them into the team */
        sources?: "true" | "false";
      };
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TeamMemberList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  addTeamMember: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description A user of the organisation */
          userId: string;
        };
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Message"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  removeTeamMember: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description A user of the organisation */
          userId: string;
        };
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Removal"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listInvitations: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
        /** @description Only records whose e-mail address begins with this, in any letter case */
        q?: string;
        /** @description Sort order; `-` in front reverses it */
        sort?: "createdAt" | "-createdAt" | "email" | "-email" | "expiresAt" | "-expiresAt";
        /** @description Only invitations that have this status now. Cancelled ones are removed */
        status?: "pending" | "accepted" | "expired";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["InvitationDetailsList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  createInvitation: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
        /** @description Languages for the mail that this may send, as browsers name them: the first supported one, else English */
        "Accept-Language"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewInvitation"];
      };
    };
    responses: {
      /** @description The response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CreatedInvitation"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getInvitation: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["InvitationDetails"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  cancelInvitation: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the record as it was read: if it has changed since, nothing is done (412) */
        "If-Match"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["Reason"];
      };
    };
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  resendInvitation: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
        /** @description Languages for the mail that this may send, as browsers name them: the first supported one, else English */
        "Accept-Language"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description What was done */
            message: string;
            /** @description The invitation */
            invitation: {
              /** @description Identifier: the prefix of its type, and an opaque text */
              id: string;
              /** @description E-mail address of the person invited */
              email: string;
              /**
               * @description A pending one is `expired` from the moment of `expiresAt` on
               * @enum {string}
               */
              status: "pending" | "accepted" | "expired";
              /**
               * Format: date-time
               * @description When the link in the mail expires
               */
              expiresAt: string;
            };
          };
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  acceptInvitation: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["Acceptance"];
      };
    };
    responses: {
      /** @description The response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description What was done */
            message: string;
            /** @description The user that the invitation has created */
            user: {
              /** @description Identifier: the prefix of its type, and an opaque text */
              id: string;
              /** @description E-mail address of the person invited */
              email: string;
              /** @description First and last name */
              name: string;
            };
            /** @description Where the browser continues: the `initiateLoginUri` of the application that the invitation names, with `iss` and `login_hint` (OpenID Connect Core §4); null when that has none. Absent when the invitation names no application */
            continueTo?: string | null;
          };
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listPermissions: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
        /** @description Only records whose slug begins with this, in any letter case */
        q?: string;
        /** @description Sort order; `-` in front reverses it */
        sort?: "slug" | "-slug";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GrantablePermissionList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listConnections: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ConnectionList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  createConnection: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewConnection"];
      };
    };
    responses: {
      /** @description The response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Connection"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getConnection: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Connection"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  deleteConnection: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the record as it was read: if it has changed since, nothing is done (412) */
        "If-Match"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["Reason"];
      };
    };
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  updateConnection: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
        /** @description The `ETag` of the record as it was read: if it has changed since, nothing is done (412) */
        "If-Match"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ConnectionChanges"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Connection"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  rotateConnectionSecret: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewConnectionSecret"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Connection"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  rotateConnectionKeys: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["KeyRotation"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Connection"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  refreshConnection: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Connection"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  testConnection: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ConnectionTest"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  checkAssertion: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AskedAssertionCheck"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AssertionCheck"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listDirectories: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DirectoryList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  createDirectory: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewDirectory"];
      };
    };
    responses: {
      /** @description The response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Directory"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getDirectory: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Directory"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  deleteDirectory: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the record as it was read: if it has changed since, nothing is done (412) */
        "If-Match"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["Reason"];
      };
    };
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  updateDirectory: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
        /** @description The `ETag` of the record as it was read: if it has changed since, nothing is done (412) */
        "If-Match"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["DirectoryChanges"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Directory"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getDirectoryImpact: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AskedMappings"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MappingsImpact"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  createDirectoryToken: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["NewDirectoryToken"];
      };
    };
    responses: {
      /** @description The response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DirectoryTokenWithSecret"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  endDirectoryToken: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the directory */
        id: string;
        /** @description Id of the token */
        tokenId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listDirectoryRequests: {
    parameters: {
      query?: {
        /** @description Only requests that were accepted, or refused: status 400 and above */
        outcome?: "accepted" | "refused";
        /** @description Only requests by this method */
        method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
        /** @description Only requests from this time on */
        since?: string;
        /** @description Most records to return */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DirectoryRequestPage"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  tryDirectoryRequest: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description The method
           * @enum {string}
           */
          method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
          /** @description What follows the base URL, with its query, or the whole address */
          path: string;
          /** @description Its headers, of which `If-Match` and `If-None-Match` matter. A token is not needed (default: `{}`) */
          headers?: {
            [key: string]: string;
          };
          /** @description Its body */
          body?: unknown;
        };
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TriedRequest"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listSetupLinks: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SetupLinkList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  createSetupLink: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewSetupLink"];
      };
    };
    responses: {
      /** @description The response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SetupLinkWithUrl"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  activateSetupLink: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SetupLink"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  deleteSetupLink: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["Reason"];
      };
    };
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listDomains: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DomainList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  createDomain: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewDomain"];
      };
    };
    responses: {
      /** @description The response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Domain"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getDomain: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Domain"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  deleteDomain: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the record as it was read: if it has changed since, nothing is done (412) */
        "If-Match"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["Reason"];
      };
    };
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  updateDomain: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
        /** @description The `ETag` of the record as it was read: if it has changed since, nothing is done (412) */
        "If-Match"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["DomainChanges"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Domain"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  verifyDomain: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Domain"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listClients: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
        /** @description Only records whose name begins with this, in any letter case */
        q?: string;
        /** @description Sort order; `-` in front reverses it */
        sort?: "createdAt" | "-createdAt" | "name" | "-name";
        /** @description Only clients that came here in this way: an administrator registered them, they registered themselves, or they have a document */
        origin?: "admin" | "registration" | "metadata_document";
        /** @description Only clients that may ask for tokens of this resource server */
        resourceServerId?: string;
        /** @description Only clients whose own scopes name this one */
        scope?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ClientList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  createClient: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewClient"];
      };
    };
    responses: {
      /** @description The response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ClientWithSecret"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getClient: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Client"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  deleteClient: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the record as it was read: if it has changed since, nothing is done (412) */
        "If-Match"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["Reason"];
      };
    };
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  updateClient: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
        /** @description The `ETag` of the record as it was read: if it has changed since, nothing is done (412) */
        "If-Match"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ClientChanges"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Client"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getClientImpact: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ClientImpact"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getClientProfile: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ClientProfile"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  rotateClientSecret: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description Seconds that the old secret keeps working (default: `0`) */
          gracePeriodSeconds?: number;
        };
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ClientWithSecret"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  revokeClient: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["Reason"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Message"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  activateClient: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Message"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listLogoutDeliveries: {
    parameters: {
      query?: {
        /** @description `failing` is `pending` after at least one attempt that failed */
        status?: "pending" | "delivered" | "failed" | "failing";
        /** @description Deliveries created at or after this time */
        from?: string;
        /** @description Deliveries created before this time */
        to?: string;
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["LogoutDeliveryPage"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getLogoutDelivery: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the client */
        id: string;
        /** @description Id of a delivery to the client */
        deliveryId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["LogoutDeliveryDetails"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  replayLogoutDelivery: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Identifier of the client */
        id: string;
        /** @description Id of a delivery to the client */
        deliveryId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description What was done */
            message: string;
            /** @description Id of the new delivery */
            deliveryId: string;
          };
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  testLogoutDelivery: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description What was done */
            message: string;
            /** @description Id of the new delivery */
            deliveryId: string;
          };
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listBlockedClientHosts: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["BlockedClientHostList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  blockClientHost: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewBlockedClientHost"];
      };
    };
    responses: {
      /** @description The response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["BlockedClientHost"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  unblockClientHost: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listFailingClientDocuments: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["FailingClientDocuments"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getClientDocument: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["StoredClientDocument"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listRegistrationTokens: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RegistrationTokenList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  createRegistrationToken: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["NewRegistrationToken"];
      };
    };
    responses: {
      /** @description The response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RegistrationTokenWithSecret"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  endRegistrationToken: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["Reason"];
      };
    };
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listResourceServers: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ResourceServerList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  createResourceServer: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewResourceServer"];
      };
    };
    responses: {
      /** @description The response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ResourceServer"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getResourceServer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ResourceServer"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  deleteResourceServer: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the record as it was read: if it has changed since, nothing is done (412) */
        "If-Match"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["Reason"];
      };
    };
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  updateResourceServer: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
        /** @description The `ETag` of the record as it was read: if it has changed since, nothing is done (412) */
        "If-Match"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ResourceServerChanges"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ResourceServer"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getResourceServerMetadata: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ResourceMetadata"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  checkMcpServer: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["McpServerAddress"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["McpServerCheck"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listResourceAuthorizationServers: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ResourceAuthorizationServerList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  createResourceAuthorizationServer: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewResourceAuthorizationServer"];
      };
    };
    responses: {
      /** @description The response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ResourceAuthorizationServer"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getResourceAuthorizationServer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ResourceAuthorizationServer"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  deleteResourceAuthorizationServer: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the record as it was read: if it has changed since, nothing is done (412) */
        "If-Match"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["Reason"];
      };
    };
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  updateResourceAuthorizationServer: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
        /** @description The `ETag` of the record as it was read: if it has changed since, nothing is done (412) */
        "If-Match"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ResourceAuthorizationServerChanges"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ResourceAuthorizationServer"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listApiKeys: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
        /** @description Only records whose name begins with this, in any letter case */
        q?: string;
        /** @description Sort order; `-` in front reverses it */
        sort?: "createdAt" | "-createdAt" | "name" | "-name";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ApiKeyList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  createApiKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
        /** @description Languages for the mail that this may send, as browsers name them: the first supported one, else English */
        "Accept-Language"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewApiKey"];
      };
    };
    responses: {
      /** @description The response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ApiKeyWithSecret"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getApiKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ApiKey"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  deleteApiKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the record as it was read: if it has changed since, nothing is done (412) */
        "If-Match"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["Reason"];
      };
    };
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  updateApiKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
        /** @description Languages for the mail that this may send, as browsers name them: the first supported one, else English */
        "Accept-Language"?: string;
        /** @description The `ETag` of the record as it was read: if it has changed since, nothing is done (412) */
        "If-Match"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ApiKeyChanges"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ApiKey"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  exchangeApiKey: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["KeyExchange"];
      };
    };
    responses: {
      /** @description The response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ExchangedKey"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listWebhooks: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  createWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewWebhook"];
      };
    };
    responses: {
      /** @description The response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookWithSecret"] | {
            /** @description The webhook */
            webhook: components["schemas"]["ChangedWebhook"];
            /** @description Signs every request; shown only in this response */
            secret: string;
          };
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Webhook"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  deleteWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the record as it was read: if it has changed since, nothing is done (412) */
        "If-Match"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["Reason"];
      };
    };
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  updateWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
        /** @description The `ETag` of the record as it was read: if it has changed since, nothing is done (412) */
        "If-Match"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["WebhookChanges"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Webhook"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  rotateWebhookSecret: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description How long the previous secret also signs, in a second header (default: `0`) */
          gracePeriodSeconds?: number;
        };
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookWithSecret"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  testWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description What was done */
            message: string;
            /** @description Id of a delivery to the webhook */
            deliveryId: string;
          };
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  sendTestEvent: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Id of a webhook of the organisation */
          webhookId: string;
          /**
           * @description The request carries the example data of the catalogue (default: `"webhook.test"`)
           * @enum {string}
           */
          event?: "webhook.test" | "user.created" | "user.updated" | "user.deleted" | "user.blocked" | "user.login" | "user.logout" | "auth.login" | "auth.login.failed" | "auth.logout" | "auth.password_reset" | "auth.email_verified" | "login.success" | "login.failed" | "session.created" | "session.revoked" | "mfa.enabled" | "mfa.disabled" | "passkey.registered" | "passkey.deleted" | "identity.linked" | "connection.created" | "connection.updated" | "connection.failing" | "connection.certificate_expiring" | "connection.deleted" | "directory.failing" | "identity.unlinked" | "role.created" | "role.updated" | "role.deleted" | "role.assigned" | "role.unassigned" | "permission.granted" | "team.created" | "team.updated" | "team.deleted" | "domain.verified" | "domain.lapsed" | "client.created" | "client.updated" | "client.deleted" | "client.revoked" | "oauth2.token.issued" | "oauth2.token.revoked" | "oauth2.consent.granted" | "oauth2.consent.revoked";
        };
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description What was done */
            message: string;
            /** @description Id of a delivery to the webhook */
            deliveryId: string;
          };
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getWebhookStatistics: {
    parameters: {
      query?: {
        /** @description Buckets that end after this time; by default a day before `to`, or 30 days with `interval=day` */
        from?: string;
        /** @description Buckets that begin before this time; by default now */
        to?: string;
        /** @description How long a bucket is */
        interval?: "hour" | "day";
        /** @description IANA name of the time zone for hours and days */
        timeZone?: string;
      };
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DeliveryStatistics"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listWebhookDeliveries: {
    parameters: {
      query?: {
        /** @description `failing` is `pending` after at least one attempt that failed */
        status?: "pending" | "delivered" | "failed" | "failing";
        /** @description Name of the event */
        event?: string;
        /** @description Deliveries created at or after this time */
        from?: string;
        /** @description Deliveries created before this time */
        to?: string;
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DeliveryPage"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getWebhookDelivery: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the webhook */
        id: string;
        /** @description Id of a delivery to the webhook */
        deliveryId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DeliveryDetails"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  replayDelivery: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Identifier of the webhook */
        id: string;
        /** @description Id of a delivery to the webhook */
        deliveryId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description What was done */
            message: string;
            /** @description Id of a delivery to the webhook */
            deliveryId: string;
          };
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  replayDeliveries: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: date-time
           * @description Only deliveries created at or after this time
           */
          from: string;
          /**
           * Format: date-time
           * @description Only deliveries created before this time, and before the first request came
           */
          to?: string;
          /**
           * @description Which deliveries to replay (default: `"failed"`)
           * @enum {string}
           */
          status?: "failed" | "delivered";
          /** @description The `nextCursor` of the previous response, with the same range */
          cursor?: string;
        };
      };
    };
    responses: {
      /** @description The response */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description What was done */
            message: string;
            /** @description How many deliveries were created, at most 10,000 */
            replayed: number;
            /** @description Send it with the same range to replay the rest; null when there is no more */
            nextCursor: string | null;
          };
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listDeliveries: {
    parameters: {
      query?: {
        /** @description `failing` is `pending` after at least one attempt that failed */
        status?: "pending" | "delivered" | "failed" | "failing";
        /** @description Name of the event */
        event?: string;
        /** @description Deliveries created at or after this time */
        from?: string;
        /** @description Deliveries created before this time */
        to?: string;
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
        /** @description Only deliveries to this webhook */
        webhookId?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DeliveryPage"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listEvents: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EventList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getOwnOrganisation: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Organisation"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  deleteOwnOrganisation: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the record as it was read: if it has changed since, nothing is done (412) */
        "If-Match"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["Reason"];
      };
    };
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  updateOwnOrganisation: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
        /** @description The `ETag` of the record as it was read: if it has changed since, nothing is done (412) */
        "If-Match"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["OrganisationChanges"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Organisation"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  setOrganisationLogo: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The picture in base64: PNG, JPEG or WebP, at most 256 KiB and 2,048 pixels a side */
          content: string;
        };
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Organisation"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  deleteOrganisationLogo: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getOrganisationImpact: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["OrganisationChanges"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["OrganisationImpact"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  transferOwnership: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Id of a user of the organisation */
          userId: string;
        };
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Organisation"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  exportConfiguration: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The document: docs/organisation.schema.json */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ConfigurationDocument"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  compareConfiguration: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AskedConfiguration"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ConfigurationDrift"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  planConfiguration: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AskedConfiguration"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ConfigurationPlan"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  applyConfiguration: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ConfigurationToApply"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AppliedConfiguration"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listOwnConsents: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ConsentList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  revokeOwnConsent: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the application */
        clientId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listUserConsents: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ConsentList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  revokeUserConsent: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
        /** @description Id of the application */
        clientId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listClientConsents: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ConsentOfUserList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listDiagnostics: {
    parameters: {
      query?: {
        /** @description Only requests of this client */
        clientId?: string;
        /** @description Only sign-ins with this connection */
        connectionId?: string;
        /** @description Only requests that this check refused */
        check?: string;
        /** @description Only refusals with this error code of the protocol */
        error?: string;
        /** @description Requests refused at or after this time */
        from?: string;
        /** @description Requests refused before this time */
        to?: string;
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DiagnosticPage"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getDiagnostic: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The reference that an error page or response names */
        reference: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Diagnostic"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getSystemDiagnostic: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The reference that an error page or response names */
        reference: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Diagnostic"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listSigningKeys: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description The records of this page */
            data: {
              /** @description Id of the key, as tokens name it */
              kid: string;
              /**
               * @description Algorithm
               * @enum {string}
               */
              alg: "EdDSA" | "RS256";
              /**
               * @description next: published, does not sign yet
               * @enum {string}
               */
              state: "next" | "current" | "retiring";
              /**
               * Format: date-time
               * @description When the key was made
               */
              createdAt: string;
              /**
               * Format: date-time
               * @description When the key begins to sign; it is published before
               */
              signsFrom: string;
              /** @description When it stops being published */
              retiresAt: string | null;
            }[];
            /** @description Total number of records */
            total: number;
            /** @description Only when `limit` or `cursor` was sent; null on the last page */
            nextCursor?: string | null;
          };
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  rotateSigningKeys: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description For leaked keys: new ones sign at once, and tokens that the others signed become invalid (default: `false`) */
          withdraw?: boolean;
        };
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description The records of this page */
            data: {
              /** @description Id of the key, as tokens name it */
              kid: string;
              /**
               * @description Algorithm
               * @enum {string}
               */
              alg: "EdDSA" | "RS256";
              /**
               * @description next: published, does not sign yet
               * @enum {string}
               */
              state: "next" | "current" | "retiring";
              /**
               * Format: date-time
               * @description When the key was made
               */
              createdAt: string;
              /**
               * Format: date-time
               * @description When the key begins to sign; it is published before
               */
              signsFrom: string;
              /** @description When it stops being published */
              retiresAt: string | null;
            }[];
          };
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listAuditEntries: {
    parameters: {
      query?: {
        /** @description Only entries of this action; may be repeated. `user.*` stands for every action that begins with `user.`: GET /v1/admin/audit-logs/actions lists them */
        action?: string[];
        /** @description Only entries of this actor */
        actorId?: string;
        /** @description Only entries by this application or about it: what it has done, and what it was allowed */
        clientId?: string;
        /** @description Only entries about this kind of object */
        targetType?: string;
        /** @description Only entries about this object */
        targetId?: string;
        /** @description Entries whose actor or target is the user who has this address, a user who had it before, or the invitation to it */
        email?: string;
        /** @description Only entries of requests from this IP address */
        ipAddress?: string;
        /** @description Only entries of this request: the `X-Request-Id` of its response */
        requestId?: string;
        /** @description Entries at or after this time */
        from?: string;
        /** @description Entries before this time */
        to?: string;
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AuditEntryPage"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  exportAuditEntries: {
    parameters: {
      query?: {
        /** @description Only entries of this action; may be repeated. `user.*` stands for every action that begins with `user.`: GET /v1/admin/audit-logs/actions lists them */
        action?: string[];
        /** @description Only entries of this actor */
        actorId?: string;
        /** @description Only entries by this application or about it: what it has done, and what it was allowed */
        clientId?: string;
        /** @description Only entries about this kind of object */
        targetType?: string;
        /** @description Only entries about this object */
        targetId?: string;
        /** @description Entries whose actor or target is the user who has this address, a user who had it before, or the invitation to it */
        email?: string;
        /** @description Only entries of requests from this IP address */
        ipAddress?: string;
        /** @description Only entries of this request: the `X-Request-Id` of its response */
        requestId?: string;
        /** @description Entries at or after this time */
        from?: string;
        /** @description Entries before this time */
        to?: string;
        /** @description One JSON object per line, or comma-separated values */
        format?: "ndjson" | "csv";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The records, one a line */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/x-ndjson": components["schemas"]["AuditEntry"];
          "text/csv": string;
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listAuditActions: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AuditActionList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getAuditEntry: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AuditEntry"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getSignIn: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SignIn"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  undoAuditEntry: {
    parameters: {
      query?: {
        /** @description `true` makes the change and rolls it back: the response is the same, and nothing is changed */
        dryRun?: "true" | "false";
      };
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["UndoneEntry"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  search: {
    parameters: {
      query: {
        /** @description An id, an e-mail address or a part of a name, in any letter case */
        q: string;
        /** @description Maximum number of records */
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SearchResults"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getStatistics: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Statistics"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getSignInStatistics: {
    parameters: {
      query?: {
        /** @description Buckets that end after this time; by default a day before `to`, or 30 days with `interval=day` */
        from?: string;
        /** @description Buckets that begin before this time; by default now */
        to?: string;
        /** @description How long a bucket is */
        interval?: "hour" | "day";
        /** @description IANA name of the time zone for hours and days */
        timeZone?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SignIns"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  createOrganisation: {
    parameters: {
      query?: never;
      header?: {
        /** @description Languages for the mail that this may send, as browsers name them: the first supported one, else English */
        "Accept-Language"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewOrganisation"];
      };
    };
    responses: {
      /** @description The response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CreatedOrganisation"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listOrganisations: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
        /** @description Only records whose name, slug or e-mail address begins with this, in any letter case */
        q?: string;
        /** @description Sort order; `-` in front reverses it */
        sort?: "createdAt" | "-createdAt" | "name" | "-name" | "slug" | "-slug";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["OrganisationList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  getOrganisation: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Organisation"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  deleteOrganisation: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  suspendOrganisation: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Why, for those who read it later */
          reason: string;
        };
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Organisation"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  activateOrganisation: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Organisation"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  restoreOrganisation: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Organisation"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  exportOrganisation: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The organisation, and its rows by the name of each kind */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            [key: string]: unknown;
          };
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  findOrganisationUsers: {
    parameters: {
      query: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
        /** @description The full e-mail address; finds deleted users, too */
        email: string;
      };
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["UserList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  recoverUser: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
        /** @description Languages for the mail that this may send, as browsers name them: the first supported one, else English */
        "Accept-Language"?: string;
      };
      path: {
        /** @description Identifier of the organisation */
        id: string;
        /** @description Id of a user of the organisation */
        userId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description Removes all second factors, and also the password, passkeys, linked accounts, API keys, set-up links, sessions, tokens, consents and mailed links and codes */
          removeSecondFactors?: boolean;
          /** @description Mails the user a link to set a new password, and removes the same. Refused as a whole for a user who stays blocked */
          passwordLink?: boolean;
          /** @description Lifts the lock after too many failed sign-ins or wrong codes */
          unlock?: boolean;
          /** @description Lifts the block. Who was deactivated by a directory, before it or during it, is blocked by that one then */
          unblock?: boolean;
          /** @description Why; recorded in the audit log of the organisation */
          reason?: string;
        };
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description What was requested and done; omits what was not necessary */
            done: ("removeSecondFactors" | "unlock" | "unblock" | "passwordLink")[];
            /** @description Since when the user is blocked, also after `unblock` has lifted a block and another has begun; null while they are not */
            blockedAt: string | null;
            /** @description Why, if it is stored */
            blockedReason: string | null;
          };
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  eraseUser: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Identifier of the organisation */
        id: string;
        /** @description Id of a user of the organisation */
        userId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Message"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  transferOrganisationOwnership: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
        /** @description Languages for the mail that this may send, as browsers name them: the first supported one, else English */
        "Accept-Language"?: string;
      };
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Id of a user of the organisation */
          userId: string;
        };
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Organisation"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listForeignAccounts: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ForeignAccountList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  checkSignInAnywhere: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AskedSignInCheck"];
      };
    };
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SystemSignInCheck"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  listAllPermissions: {
    parameters: {
      query?: {
        /** @description Maximum number of records */
        limit?: number;
        /** @description The `nextCursor` of the previous page, with the same order and filters */
        cursor?: string;
        /** @description Only records whose slug begins with this, in any letter case */
        q?: string;
        /** @description Sort order; `-` in front reverses it */
        sort?: "slug" | "-slug";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PermissionList"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  createPermission: {
    parameters: {
      query?: never;
      header?: {
        /** @description A new random value for each change: the same request with the same key is answered as the first one was, for 24 hours, and changes nothing twice */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewPermission"];
      };
    };
    responses: {
      /** @description The response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Permission"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  deletePermission: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the record */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
  examineInstallation: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Examination"];
        };
      };
      /** @description Refused */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/problem+json": components["schemas"]["Problem"];
        };
      };
    };
  };
}
