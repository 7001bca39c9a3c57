/** The scopes of OpenID Connect, which every client may request for a user, and no client for itself. */
export const openidScopes = ['openid', 'profile', 'email', 'phone', 'offline_access'] as const
