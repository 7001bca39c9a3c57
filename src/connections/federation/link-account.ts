import { isDeepStrictEqual } from 'node:util'
import { getUser, lockUser } from '../../accounts/queries.ts'
import { type Actor, type Origin, userActor } from '../../activity/actor.ts'
import { record } from '../../activity/record.ts'
import { tellOfIdentity } from '../../identities/mails.ts'
import { presentIdentity } from '../../identities/present-identity.ts'
import { type IdentityToStore, insertIdentity, renameSubject, updateIdentity } from '../../identities/queries.ts'
import type { MailSender } from '../../mails/mail-sender.ts'
import type { Recipient } from '../../mails/mail-to-user.ts'
import { markEmailVerified } from '../../passwords/verify-email.ts'
import { refuseViolation } from '../../platform/database/constraints.ts'
import type { Tenant } from '../../platform/database/database.ts'
import { hasUnfitText } from '../../platform/text.ts'
import { exceedsVoucher } from '../../roles/vouchers.ts'
import type { IdentityFacts } from '../decide-identity.ts'
import { valueOfNameId } from '../named-by-directory.ts'
import type { Connection } from '../queries.ts'
import type { UpstreamIdentity } from '../upstream/upstream.ts'
import type { FederatedSignIn } from './federated-sign-in.ts'
import { holdDomainAsDecided } from './hold-domain.ts'
import { findHolderAmong, findKnownUser } from './queries.ts'
import { StaleDecision } from './retry-when-stale.ts'
import { takeAwayAccess } from './take-away-access.ts'

/**
 * Links the identity to a user whose account existed before, and notifies them.
 *
 * @throws StaleDecision when the user has changed since the decision, or the identity has become another user's
 */
export async function linkKnownUser(
  tenant: Tenant,
  sender: MailSender,
  signIn: FederatedSignIn,
  { userId, removesCredentials }: { userId: string; removesCredentials: boolean },
  facts: IdentityFacts,
): Promise<void> {
  if (!facts.linkTo || facts.isConfirmed) await holdDomainAsDecided(tenant, signIn.connection, facts)
  await holdUserAsDecided(tenant, signIn.connection, userId, facts)
  if (removesCredentials) await removeCredentials(tenant, userId, signIn.origin)
  const user = await linkAccount(tenant, signIn, userId)
  const { connection, language } = signIn
  await tellOfIdentity(tenant, sender, 'identityLinked', { user, connection, language })
}

/** Links the identity to a user, and records it. @throws StaleDecision when it has become another user's */
export async function linkAccount(tenant: Tenant, signIn: FederatedSignIn, userId: string): Promise<Recipient> {
  const { subject } = signIn.identity
  const inserted = await insertIdentity(tenant, userId, { ...stored(signIn), lastUsedAt: tenant.now })
  if (!inserted) throw new StaleDecision()
  const user = await getUser(tenant, userId)
  const { id, email, name } = user
  await record(tenant, userActor(user, signIn.origin), {
    action: 'identity.linked',
    identity: presentIdentity({ ...inserted, subject, connection: signIn.connection }),
    user: { id, email, name },
    metadata: { userId, connectionId: signIn.connection.id },
  })
  return user
}

/**
 * Locks the user who is to get the identity, if they have not changed since the decision: they may have become the owner, have another
 * address, or have proven theirs. The voucher of the connection may have lost a permission that the user has.
 */
async function holdUserAsDecided(tenant: Tenant, connection: Connection, userId: string, facts: IdentityFacts): Promise<void> {
  const { linkTo, isConfirmed, holder, email, holderExceedsVoucher } = facts
  await lockUser(tenant, userId)
  const isFoundByAddress = email !== undefined && (!linkTo || isConfirmed)
  const now = isFoundByAddress ? await findHolderAmong(tenant, email) : await findKnownUser(tenant, userId)
  if (!isDeepStrictEqual(now, isFoundByAddress ? holder : linkTo)) throw new StaleDecision()
  const exceeds = !linkTo && (await exceedsVoucher(tenant, connection, userId, { holdsVoucher: true }))
  if (exceeds !== holderExceedsVoucher) throw new StaleDecision()
}

/**
 * Stores the provider's present claims of an identity, and its whole subject if a directory has named it.
 *
 * @throws StaleDecision when it has been unlinked, or has become another user's
 */
export async function refreshIdentity(tenant: Tenant, signIn: FederatedSignIn, userId: string): Promise<void> {
  if (await updateIdentity(tenant, userId, stored(signIn))) return
  const { connection, identity } = signIn
  const from = valueOfNameId(connection, identity.subject)
  const isRenamed =
    from !== undefined &&
    (await renameSubject(tenant, userId, { connectionId: connection.id, from, to: identity.subject }).catch(
      refuseViolation({ identities_subject_key: () => new StaleDecision() }),
    ))
  if (!isRenamed || !(await updateIdentity(tenant, userId, stored(signIn)))) throw new StaleDecision()
}

const stored = ({ connection, identity }: FederatedSignIn): IdentityToStore => ({
  connectionId: connection.id,
  subject: identity.subject,
  email: identity.email,
  claims: storedClaims(identity),
})

const claimsMax = 16_384

/** The claims to store: none of a provider that sends them in excess, or with characters that nothing stored has. */
const storedClaims = ({ claims, subject }: UpstreamIdentity): UpstreamIdentity['claims'] =>
  JSON.stringify(claims).length <= claimsMax && !hasUnfitText(claims) ? claims : { sub: subject }

/**
 * Removes every way into an account whose address was never proven: an attacker may have registered it in the hope that the owner of
 * the address will use it.
 */
async function removeCredentials(tenant: Tenant, userId: string, origin: Origin): Promise<void> {
  // The actor is not the user: the sessions that end may be an attacker's.
  const actor: Actor = { actorType: 'system', actorId: null, ...origin }
  await takeAwayAccess(tenant, actor, await getUser(tenant, userId), 'address not proven before')
}

/** Marks an address as proven that the provider has proven. */
export async function verifyAddress(tenant: Tenant, { identity, origin }: FederatedSignIn, userId: string): Promise<void> {
  const user = await getUser(tenant, userId)
  if (user.emailVerifiedAt === null && user.email === identity.email) await markEmailVerified(tenant, origin, userId)
}
