import type { TokenLifetimes } from '../organisations/rules.ts'

/** The lifetimes in seconds when neither the client nor its organisation sets any. */
const defaultLifetimes = { accessToken: 3_600, refreshToken: 2_592_000, refreshTokenAbsolute: 180 * 86_400, idToken: 3_600 }

interface OwnLifetimes {
  accessTokenLifetime: number | null
  refreshTokenLifetime: number | null
  refreshTokenAbsoluteLifetime: number | null
  idTokenLifetime: number | null
}

/** The lifetimes of a client's tokens in seconds: its own, else its organisation's, else the default. */
export function effectiveLifetimes(own: OwnLifetimes, policy: TokenLifetimes) {
  return {
    accessTokenLifetime: own.accessTokenLifetime ?? policy.accessTokenSeconds ?? defaultLifetimes.accessToken,
    refreshTokenLifetime: own.refreshTokenLifetime ?? policy.refreshTokenSeconds ?? defaultLifetimes.refreshToken,
    refreshTokenAbsoluteLifetime:
      own.refreshTokenAbsoluteLifetime ?? policy.refreshTokenAbsoluteSeconds ?? defaultLifetimes.refreshTokenAbsolute,
    idTokenLifetime: own.idTokenLifetime ?? policy.idTokenSeconds ?? defaultLifetimes.idToken,
  }
}
