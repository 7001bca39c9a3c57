/** A user whom an identity or an address leads to. */
export interface KnownUser {
  id: string
  organisationId: string
  isOwner: boolean
  isBlocked: boolean
  /** Whether the account has been deleted. Its address stays reserved. */
  isDeleted: boolean
  /** Whether the user has proven the address of the account to us. */
  emailIsVerified: boolean
  /** The connection that the domain of their address requires for signing in, if any. */
  requiredConnectionId: string | undefined
}

/** How to treat an identity whose address belongs to an account. */
export type Linking = 'none' | 'confirm' | 'automatic'

/** Everything that decides who an upstream identity is, read at the callback. */
export interface IdentityFacts {
  /** Whether the connection is active, its organisation on trial or active, and signing in by connections is on. */
  isUsable: boolean
  organisationId: string
  /** The connection that the identity came through. */
  connectionId: string
  linking: Linking | null
  provisioning: 'none' | 'jit'
  /** Unverified domains whose addresses may get an account; `*` stands for all. */
  allowedDomains: readonly string[]
  /** The user of the stored identity with this connection and subject. */
  identityOf: KnownUser | undefined
  /** The signed-in user who asked to link the identity, or confirmed it; undefined in a sign-in. */
  linkTo: KnownUser | undefined
  /** Whether the user was found by the address in a sign-in, asked to confirm, and has signed in since. */
  isConfirmed: boolean
  /** The address that came with the identity, in lower case. */
  email: string | undefined
  /** Whether this connection proves that the address is the user's: by the rules of its preset alone. */
  emailIsProven: boolean
  /** Whether the provider made the address up for this service: no existing account is found by it. */
  emailIsRelay: boolean
  /** The owner of the address's domain: it is assigned to this connection, verified by this organisation, or neither. */
  emailDomain: 'connection' | 'organisation' | 'other'
  /** The connection that the domain of the address requires for new users, if any. */
  requiredConnectionId: string | undefined
  /** The user who has the address, in any organisation. */
  holder: KnownUser | undefined
  /** Whether the holder has a permission that the voucher of the connection does not hold now. */
  holderExceedsVoucher: boolean
  /** Whether another organisation has verified the domain of the address: a new account is then made there alone. */
  isKeptElsewhere: boolean
  /** A pending invitation of the address into this organisation. */
  invitationId: string | undefined
  /** Whether the invitation gives a permission that the voucher of the connection does not hold now. */
  invitationExceedsVoucher: boolean
}

export type IdentityRefusal =
  | 'connection_unusable'
  | 'user_blocked'
  | 'linked_to_another_user'
  | 'no_verified_address'
  | 'address_unusable'
  | 'link_while_signed_in'
  | 'no_account'
  | 'invitation_by_mail'
  | 'sso_required'

export type IdentityDecision =
  | { kind: 'refuse'; refusal: Exclude<IdentityRefusal, 'sso_required'> }
  | { kind: 'refuse'; refusal: 'sso_required'; requiredConnectionId: string }
  /** The identity already belongs to this user. */
  | { kind: 'known'; userId: string }
  /**
   * The identity is linked to this user.
   *
   * `removesCredentials`: the address was never proven, so no credential of the account may survive.
   */
  | { kind: 'link'; userId: string; removesCredentials: boolean }
  /** The identity is linked to this user once they have signed in in one of their present ways. */
  | { kind: 'confirm'; userId: string }
  | { kind: 'accept_invitation'; invitationId: string }
  | { kind: 'create' }

/**
 * Decides who an upstream identity is. The order of the rules matters: an identity that exists goes before its address, so an
 * address that changes hands upstream never leads to another account.
 */
export function decideIdentity(facts: IdentityFacts): IdentityDecision {
  const { identityOf, linkTo, email, holder } = facts
  if (!facts.isUsable) return refuse('connection_unusable')
  if (identityOf) return decideKnown(identityOf, facts)
  if (linkTo && facts.isConfirmed) return decideConfirmed(linkTo, facts)
  if (linkTo) return whyNot(linkTo, facts) ?? { kind: 'link', userId: linkTo.id, removesCredentials: false }
  if (email === undefined || !facts.emailIsProven) return refuse('no_verified_address')
  if (holder) return decideHolder(holder, facts)
  if (facts.isKeptElsewhere) return refuse('address_unusable')
  const elsewhere = whyElsewhere(facts, facts)
  if (elsewhere) return elsewhere
  if (facts.invitationId !== undefined) return decideInvited(facts.invitationId, facts)
  return facts.provisioning === 'jit' && mayBeCreated(email, facts) ? { kind: 'create' } : refuse('no_account')
}

function decideKnown(user: KnownUser, facts: IdentityFacts): IdentityDecision {
  const { linkTo } = facts
  if (linkTo && linkTo.id !== user.id) return refuse('linked_to_another_user')
  return whyNot(user, facts) ?? { kind: 'known', userId: user.id }
}

/** Decides for a user who has confirmed: by the rules of this moment, since what they were asked by may have changed. */
function decideConfirmed(user: KnownUser, facts: IdentityFacts): IdentityDecision {
  const { email, emailIsProven, holder } = facts
  const refusal = whyNot(user, facts)
  if (refusal) return refusal
  if (email === undefined || !emailIsProven) return refuse('no_verified_address')
  if (holder?.id !== user.id) return refuse('address_unusable')
  const decision = decideHolder(holder, facts)
  // A sign-in to the account has proven more than the address would.
  return decision.kind === 'refuse' ? decision : { kind: 'link', userId: user.id, removesCredentials: false }
}

/** Decides for an address that an account has: the upstream and the account must both have proven it before one leads to the other. */
function decideHolder(holder: KnownUser, facts: IdentityFacts): IdentityDecision {
  const refusal = whyNot(holder, facts)
  if (refusal) return refusal
  const linking = linkingOf(facts)
  if (holder.isOwner || linking === 'none') return refuse('link_while_signed_in')
  const isProven = holder.emailIsVerified || facts.emailDomain === 'connection'
  // Requiring the connection for the domain took every permission, and no other sign-in is left for a confirmation.
  const isVouched = !facts.holderExceedsVoucher || holder.requiredConnectionId === facts.connectionId
  const atOnce = linking === 'automatic' && isProven && isVouched
  return atOnce ? { kind: 'link', userId: holder.id, removesCredentials: !holder.emailIsVerified } : { kind: 'confirm', userId: holder.id }
}

/** Decides for an invited address: the user who vouches for the connection must not become one who holds more. */
function decideInvited(invitationId: string, facts: IdentityFacts): IdentityDecision {
  // Where the domain requires the connection, the link in the mail lets no user in.
  const isVouched = !facts.invitationExceedsVoucher || facts.requiredConnectionId === facts.connectionId
  return isVouched ? { kind: 'accept_invitation', invitationId } : refuse('invitation_by_mail')
}

/** Refuses another organisation's address and a reserved one alike: the response does not reveal which it is. */
function whyNot(user: KnownUser, facts: IdentityFacts): IdentityDecision | undefined {
  if (user.organisationId !== facts.organisationId || user.isDeleted) return refuse('address_unusable')
  return user.isBlocked ? refuse('user_blocked') : whyElsewhere(user, facts)
}

/** Refuses a user who has to sign in through another connection, whatever is linked. */
function whyElsewhere(
  { requiredConnectionId }: Pick<KnownUser, 'requiredConnectionId'>,
  { connectionId }: IdentityFacts,
): IdentityDecision | undefined {
  if (requiredConnectionId === undefined || requiredConnectionId === connectionId) return undefined
  return { kind: 'refuse', refusal: 'sso_required', requiredConnectionId }
}

function linkingOf({ linking, connectionId, emailDomain, emailIsRelay, holder }: IdentityFacts): Linking {
  if (emailIsRelay) return 'none'
  // No other sign-in is left for a confirmation.
  if (linking === 'confirm' && emailDomain === 'connection' && holder?.requiredConnectionId === connectionId) return 'automatic'
  return linking ?? (emailDomain === 'connection' ? 'automatic' : 'confirm')
}

function mayBeCreated(email: string, { emailDomain, allowedDomains }: IdentityFacts): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return emailDomain !== 'other' || allowedDomains.some((allowed) => allowed === '*' || allowed === domain)
}

const refuse = (refusal: Exclude<IdentityRefusal, 'sso_required'>): IdentityDecision => ({ kind: 'refuse', refusal })
