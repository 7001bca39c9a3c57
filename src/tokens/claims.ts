/** A user as tokens and UserInfo present them. */
export interface TokenUser {
  userId: string
  email: string
  firstName: string
  lastName: string
  name: string
  phone: string | null
  emailVerifiedAt: Date | null
  userUpdatedAt: Date
}

/** The claims about users, by the scope that grants them: OpenID Connect Core §5.4. */
export const claimsOfScopes = {
  profile: ['name', 'given_name', 'family_name', 'updated_at'],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
} as const
const claimScopes = Object.keys(claimsOfScopes) as (keyof typeof claimsOfScopes)[]
export type UserClaim = (typeof claimsOfScopes)[keyof typeof claimsOfScopes][number]

/** The claims about a user that these scopes grant. */
export const claimsWithin = (scope: readonly string[]): UserClaim[] =>
  claimScopes.filter((name) => scope.includes(name)).flatMap((name) => claimsOfScopes[name])

const userClaimNames: ReadonlySet<string> = new Set(claimsWithin(claimScopes))
export const isUserClaim = (name: string): name is UserClaim => userClaimNames.has(name)

/**
 * The claims about a user that a client gets: those that its scope grants, and those that it was granted by their names.
 *
 * @param named null or absent for none
 */
export function userClaims(
  user: TokenUser,
  scope: readonly string[],
  named?: readonly string[] | null,
): Partial<Record<UserClaim, unknown>> {
  const granted = claimsByScope(user, scope)
  if (!named) return granted
  const byName = Object.entries(claimsByScope(user, claimScopes)).filter(([name]) => named.includes(name))
  return { ...granted, ...Object.fromEntries(byName) }
}

function claimsByScope(user: TokenUser, scope: readonly string[]): Partial<Record<UserClaim, unknown>> {
  return {
    // An owner may have no last name. The claim is there all the same: applications are promised the three.
    ...(scope.includes('profile') && {
      name: user.name,
      given_name: user.firstName,
      family_name: user.lastName,
      updated_at: Math.floor(user.userUpdatedAt.getTime() / 1_000),
    }),
    ...(scope.includes('email') && { email: user.email, email_verified: user.emailVerifiedAt !== null }),
    // The number was never verified.
    ...(scope.includes('phone') && user.phone && { phone_number: user.phone, phone_number_verified: false }),
  }
}
