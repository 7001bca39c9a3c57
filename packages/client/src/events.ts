// Made by `npm run generate`.
import type { components } from './schema.ts'

type Schemas = components['schemas']

/** The caller who caused an event: a user, an API key, a client or a directory. */
export interface EventActor {
  id: string
  type: string
  email?: string
}

/** What each event carries in `data`. */
export interface EventData {
  /** A user was created, accepted an invitation or was restored. */
  'user.created': { user: Omit<Schemas['User'], 'metadata'>; actor?: EventActor }
  /** A user was changed, blocked or unblocked. */
  'user.updated': { user: Omit<Schemas['User'], 'metadata'>; actor?: EventActor }
  /** A user was deleted. */
  'user.deleted': { user: Omit<Schemas['User'], 'metadata'>; actor?: EventActor }
  /** A user was blocked, which ended their sessions. */
  'user.blocked': { user: Omit<Schemas['User'], 'metadata'>; actor?: EventActor }
  /** A user signed in. */
  'user.login': { session: Omit<Schemas['Session'], 'current' | 'device'>; user: Pick<Schemas['User'], 'id' | 'email' | 'name'>; actor?: EventActor }
  /** A user signed out. */
  'user.logout': { session: Omit<Schemas['Session'], 'current' | 'device'>; actor?: EventActor }
  /** A sign-in succeeded. */
  'auth.login': { session: Omit<Schemas['Session'], 'current' | 'device'>; user: Pick<Schemas['User'], 'id' | 'email' | 'name'>; actor?: EventActor }
  /** A sign-in to an existing account failed. */
  'auth.login.failed': { user: Pick<Schemas['User'], 'id' | 'email' | 'name'> }
  /** A user signed out. */
  'auth.logout': { session: Omit<Schemas['Session'], 'current' | 'device'>; actor?: EventActor }
  /** A user set a password by a mailed link. */
  'auth.password_reset': { user: Omit<Schemas['User'], 'metadata'>; actor?: EventActor }
  /** A user proved that an address is theirs. */
  'auth.email_verified': { user: Omit<Schemas['User'], 'metadata'>; actor?: EventActor }
  /** A sign-in succeeded. */
  'login.success': { session: Omit<Schemas['Session'], 'current' | 'device'>; user: Pick<Schemas['User'], 'id' | 'email' | 'name'>; actor?: EventActor }
  /** A sign-in to an existing account failed. */
  'login.failed': { user: Pick<Schemas['User'], 'id' | 'email' | 'name'> }
  /** A session began. */
  'session.created': { session: Omit<Schemas['Session'], 'current' | 'device'>; user: Pick<Schemas['User'], 'id' | 'email' | 'name'>; actor?: EventActor }
  /** A session was ended before its time. */
  'session.revoked': { session: Omit<Schemas['Session'], 'current' | 'device'>; actor?: EventActor }
  /** A user switched on multi-factor authentication. */
  'mfa.enabled': { user: Omit<Schemas['User'], 'metadata'>; actor?: EventActor }
  /** Multi-factor authentication of a user was switched off. */
  'mfa.disabled': { user: Omit<Schemas['User'], 'metadata'>; actor?: EventActor }
  /** A user registered a passkey. */
  'passkey.registered': { passkey: Schemas['Passkey']; user: Pick<Schemas['User'], 'id' | 'email' | 'name'>; actor?: EventActor }
  /** A passkey was deleted. */
  'passkey.deleted': { passkey: Schemas['Passkey']; user: Pick<Schemas['User'], 'id' | 'email' | 'name'>; actor?: EventActor }
  /** A user was linked to an account at an identity provider, or created by signing in there. */
  'identity.linked': { identity: Schemas['Identity']; user: Pick<Schemas['User'], 'id' | 'email' | 'name'>; actor?: EventActor }
  /** An identity provider was connected. */
  'connection.created': { connection: Omit<Schemas['Connection'], 'hasSecret' | 'jwksUri' | 'nextKeySignsFrom' | 'acsUrl' | 'entityId' | 'metadataUrl'>; actor?: EventActor }
  /** A connection was changed, or its secret rotated. */
  'connection.updated': { connection: Omit<Schemas['Connection'], 'hasSecret' | 'jwksUri' | 'nextKeySignsFrom' | 'acsUrl' | 'entityId' | 'metadataUrl'>; actor?: EventActor }
  /** The last three attempts to use a connection have failed at its identity provider. */
  'connection.failing': { connection: Omit<Schemas['Connection'], 'hasSecret' | 'jwksUri' | 'nextKeySignsFrom' | 'acsUrl' | 'entityId' | 'metadataUrl'> }
  /** The last certificate of a connection by SAML expires within 30 days, or within 7. */
  'connection.certificate_expiring': { connection: Omit<Schemas['Connection'], 'hasSecret' | 'jwksUri' | 'nextKeySignsFrom' | 'acsUrl' | 'entityId' | 'metadataUrl'> }
  /** A connection was deleted, with the identities that came by it. */
  'connection.deleted': { connection: Omit<Schemas['Connection'], 'hasSecret' | 'jwksUri' | 'nextKeySignsFrom' | 'acsUrl' | 'entityId' | 'metadataUrl'>; actor?: EventActor }
  /** The last 20 requests of a directory were refused, or there has been none for a week. */
  'directory.failing': { directory: Omit<Schemas['Directory'], 'baseUrl' | 'tokens' | 'counts' | 'lastRequestAt'> }
  /** An account at an identity provider was unlinked from a user. */
  'identity.unlinked': { identity: Schemas['Identity']; user: Pick<Schemas['User'], 'id' | 'email' | 'name'>; actor?: EventActor }
  /** A role was created. */
  'role.created': { role: Omit<Schemas['Role'], 'userCount'>; actor?: EventActor }
  /** A role was changed. */
  'role.updated': { role: Omit<Schemas['Role'], 'userCount'>; actor?: EventActor }
  /** A role was deleted. */
  'role.deleted': { role: Omit<Schemas['Role'], 'userCount'>; actor?: EventActor }
  /** A user was given a role. */
  'role.assigned': { user: Omit<Schemas['User'], 'metadata'>; role: Omit<Schemas['Role'], 'userCount'>; actor?: EventActor }
  /** A role was taken from a user. */
  'role.unassigned': { user: Omit<Schemas['User'], 'metadata'>; role: Omit<Schemas['Role'], 'userCount'>; actor?: EventActor }
  /** A permission was added to a role. */
  'permission.granted': { role: Omit<Schemas['Role'], 'userCount'>; permission: Pick<Schemas['Permission'], 'id' | 'slug' | 'name'>; actor?: EventActor }
  /** A team was created. */
  'team.created': { team: Omit<Schemas['Team'], 'memberCount' | 'members'>; actor?: EventActor }
  /** A team was changed, or the `user` joined or left it. */
  'team.updated': { team: Omit<Schemas['Team'], 'memberCount' | 'members'>; actor?: EventActor; user?: Pick<Schemas['User'], 'id' | 'email' | 'name'> }
  /** A team was deleted. */
  'team.deleted': { team: Omit<Schemas['Team'], 'memberCount' | 'members'>; actor?: EventActor }
  /** The organisation has proven that a domain is its own. */
  'domain.verified': { domain: Omit<Schemas['Domain'], 'checkedAt' | 'foreignAccounts'>; actor?: EventActor }
  /** The record that proves a domain has been missing for seven days. */
  'domain.lapsed': { domain: Omit<Schemas['Domain'], 'checkedAt' | 'foreignAccounts'> }
  /** An OAuth client was registered. */
  'client.created': { client: Omit<Schemas['Client'], 'origin' | 'metadataUrl' | 'profile' | 'jwks' | 'jwksUri' | 'tokenEndpointAuthSigningAlg' | 'requireSignedRequestObject' | 'requestObjectSigningAlg' | 'tlsClientAuth' | 'certificateBoundAccessTokens' | 'requirePushedAuthorizationRequests' | 'requireDpop' | 'introspectionSignedResponseAlg' | 'defaultAcrValues' | 'defaultMaxAge' | 'backchannelLogoutUri' | 'backchannelLogoutSessionRequired' | 'backchannelLogoutRevokesRefresh' | 'resourceServerIds' | 'defaultResource' | 'claimMappings' | 'federatedCredentials' | 'registration' | 'lastUsedAt' | 'secret'>; actor?: EventActor }
  /** An OAuth client was changed, revoked or activated. */
  'client.updated': { client: Omit<Schemas['Client'], 'origin' | 'metadataUrl' | 'profile' | 'jwks' | 'jwksUri' | 'tokenEndpointAuthSigningAlg' | 'requireSignedRequestObject' | 'requestObjectSigningAlg' | 'tlsClientAuth' | 'certificateBoundAccessTokens' | 'requirePushedAuthorizationRequests' | 'requireDpop' | 'introspectionSignedResponseAlg' | 'defaultAcrValues' | 'defaultMaxAge' | 'backchannelLogoutUri' | 'backchannelLogoutSessionRequired' | 'backchannelLogoutRevokesRefresh' | 'resourceServerIds' | 'defaultResource' | 'claimMappings' | 'federatedCredentials' | 'registration' | 'lastUsedAt' | 'secret'>; actor?: EventActor }
  /** An OAuth client was deleted. */
  'client.deleted': { client: Omit<Schemas['Client'], 'origin' | 'metadataUrl' | 'profile' | 'jwks' | 'jwksUri' | 'tokenEndpointAuthSigningAlg' | 'requireSignedRequestObject' | 'requestObjectSigningAlg' | 'tlsClientAuth' | 'certificateBoundAccessTokens' | 'requirePushedAuthorizationRequests' | 'requireDpop' | 'introspectionSignedResponseAlg' | 'defaultAcrValues' | 'defaultMaxAge' | 'backchannelLogoutUri' | 'backchannelLogoutSessionRequired' | 'backchannelLogoutRevokesRefresh' | 'resourceServerIds' | 'defaultResource' | 'claimMappings' | 'federatedCredentials' | 'registration' | 'lastUsedAt' | 'secret'>; actor?: EventActor }
  /** An OAuth client and all its tokens were revoked. */
  'client.revoked': { client: Omit<Schemas['Client'], 'origin' | 'metadataUrl' | 'profile' | 'jwks' | 'jwksUri' | 'tokenEndpointAuthSigningAlg' | 'requireSignedRequestObject' | 'requestObjectSigningAlg' | 'tlsClientAuth' | 'certificateBoundAccessTokens' | 'requirePushedAuthorizationRequests' | 'requireDpop' | 'introspectionSignedResponseAlg' | 'defaultAcrValues' | 'defaultMaxAge' | 'backchannelLogoutUri' | 'backchannelLogoutSessionRequired' | 'backchannelLogoutRevokesRefresh' | 'resourceServerIds' | 'defaultResource' | 'claimMappings' | 'federatedCredentials' | 'registration' | 'lastUsedAt' | 'secret'>; actor?: EventActor }
  /** A client obtained tokens, for a `user` or for itself. */
  'oauth2.token.issued': { client: Omit<Schemas['Client'], 'origin' | 'metadataUrl' | 'profile' | 'jwks' | 'jwksUri' | 'tokenEndpointAuthSigningAlg' | 'requireSignedRequestObject' | 'requestObjectSigningAlg' | 'tlsClientAuth' | 'certificateBoundAccessTokens' | 'requirePushedAuthorizationRequests' | 'requireDpop' | 'introspectionSignedResponseAlg' | 'defaultAcrValues' | 'defaultMaxAge' | 'backchannelLogoutUri' | 'backchannelLogoutSessionRequired' | 'backchannelLogoutRevokesRefresh' | 'resourceServerIds' | 'defaultResource' | 'claimMappings' | 'federatedCredentials' | 'registration' | 'lastUsedAt' | 'secret'>; user?: Pick<Schemas['User'], 'id' | 'email' | 'name'>; token: { grantType: string; scope: string }; actor?: EventActor }
  /** A client revoked a token, or used a code or a refresh token twice, which revokes what was issued for it. */
  'oauth2.token.revoked': { client: Omit<Schemas['Client'], 'origin' | 'metadataUrl' | 'profile' | 'jwks' | 'jwksUri' | 'tokenEndpointAuthSigningAlg' | 'requireSignedRequestObject' | 'requestObjectSigningAlg' | 'tlsClientAuth' | 'certificateBoundAccessTokens' | 'requirePushedAuthorizationRequests' | 'requireDpop' | 'introspectionSignedResponseAlg' | 'defaultAcrValues' | 'defaultMaxAge' | 'backchannelLogoutUri' | 'backchannelLogoutSessionRequired' | 'backchannelLogoutRevokesRefresh' | 'resourceServerIds' | 'defaultResource' | 'claimMappings' | 'federatedCredentials' | 'registration' | 'lastUsedAt' | 'secret'>; token: { type: string; familyId?: string; jti?: string }; actor?: EventActor }
  /** A user allowed a client what it asked for. */
  'oauth2.consent.granted': { client: Omit<Schemas['Client'], 'origin' | 'metadataUrl' | 'profile' | 'jwks' | 'jwksUri' | 'tokenEndpointAuthSigningAlg' | 'requireSignedRequestObject' | 'requestObjectSigningAlg' | 'tlsClientAuth' | 'certificateBoundAccessTokens' | 'requirePushedAuthorizationRequests' | 'requireDpop' | 'introspectionSignedResponseAlg' | 'defaultAcrValues' | 'defaultMaxAge' | 'backchannelLogoutUri' | 'backchannelLogoutSessionRequired' | 'backchannelLogoutRevokesRefresh' | 'resourceServerIds' | 'defaultResource' | 'claimMappings' | 'federatedCredentials' | 'registration' | 'lastUsedAt' | 'secret'>; user: Pick<Schemas['User'], 'id' | 'email'>; consent: Omit<Schemas['Consent'], 'lastUsedAt'>; actor?: EventActor }
  /** A user took back what they had allowed a client. */
  'oauth2.consent.revoked': { client: Omit<Schemas['Client'], 'origin' | 'metadataUrl' | 'profile' | 'jwks' | 'jwksUri' | 'tokenEndpointAuthSigningAlg' | 'requireSignedRequestObject' | 'requestObjectSigningAlg' | 'tlsClientAuth' | 'certificateBoundAccessTokens' | 'requirePushedAuthorizationRequests' | 'requireDpop' | 'introspectionSignedResponseAlg' | 'defaultAcrValues' | 'defaultMaxAge' | 'backchannelLogoutUri' | 'backchannelLogoutSessionRequired' | 'backchannelLogoutRevokesRefresh' | 'resourceServerIds' | 'defaultResource' | 'claimMappings' | 'federatedCredentials' | 'registration' | 'lastUsedAt' | 'secret'>; user: Pick<Schemas['User'], 'id' | 'email'>; consent: Omit<Schemas['Consent'], 'lastUsedAt'>; actor?: EventActor }
  /** A test call sends it, without a subscription and to an inactive endpoint too; it cannot be selected. */
  'webhook.test': { message: string; webhookId: string }
}
