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

/** The claims about a user that each scope grants to a client: OpenID Connect Core §5.4. */
export function userClaims(user: TokenUser, scope: readonly string[]) {
  return {
    ...(scope.includes('profile') && {
      name: user.name,
      given_name: user.firstName,
      family_name: user.lastName,
      updated_at: Math.floor(user.userUpdatedAt.getTime() / 1_000),
    }),
    ...(scope.includes('email') && { email: user.email, email_verified: user.emailVerifiedAt !== null }),
    // The number was never verified.
    ...(scope.includes('phone') && user.phone !== null && { phone_number: user.phone, phone_number_verified: false }),
  }
}
