/** The credentials of a client that has yet to authenticate, in the form that a statement compares. */
export interface PresentedCredentials {
  clientId: string
  /** Null without a secret. */
  clientSecretHash: string | null
  now: Date
}

/**
 * Finds the client `c` if it authenticates with {@link PresentedCredentials}. A statement that runs before the service has
 * authenticated the client contains this condition: with a wrong secret, neither its result nor its time shows what exists.
 */
export const clientAuthenticates = `c.id = :clientId and c.is_active and c.deleted_at is null and (
    c.token_endpoint_auth_method = 'none' or c.secret_hash = :clientSecretHash
    or (c.previous_secret_hash = :clientSecretHash and c.previous_secret_expires_at > :now::timestamptz))`
