/** The scopes of OpenID Connect that every client may ask for, and no client may have for itself. */
export const openidScopes = ['openid', 'profile', 'email', 'phone', 'offline_access'] as const
