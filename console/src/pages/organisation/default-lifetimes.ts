const day = 86_400

/**
 * The lifetimes of tokens in seconds when neither the application nor the organisation sets any. A test compares them with the service's.
 */
export const defaultLifetimes = {
  'tokenLifetimePolicy.accessToken': 3_600,
  'tokenLifetimePolicy.refreshToken': 30 * day,
  'tokenLifetimePolicy.refreshTokenAbsolute': 180 * day,
  'tokenLifetimePolicy.idToken': 3_600,
}

export const longestLifetimes = {
  'tokenLifetimePolicy.accessToken': 30 * day,
  'tokenLifetimePolicy.refreshToken': 365 * day,
  'tokenLifetimePolicy.refreshTokenAbsolute': 3_650 * day,
  'tokenLifetimePolicy.idToken': 30 * day,
}
