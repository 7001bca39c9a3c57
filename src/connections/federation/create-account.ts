import { userActor } from '../../activity/actor.ts'
import { acceptFor } from '../../invitations/accept-invitation.ts'
import { findInvitationTo } from '../../invitations/queries.ts'
import type { Tenant } from '../../platform/database/database.ts'
import { lockAddress } from '../../platform/database/locks-and-channels.ts'
import { exceedsVoucher, vouchedDefaultRole } from '../../roles/vouchers.ts'
import { createUserRecord } from '../../users/create-user-record.ts'
import type { IdentityDecision, IdentityFacts } from '../decide-identity.ts'
import type { FederatedSignIn } from './federated-sign-in.ts'
import { holdDomainAsDecided } from './hold-domain.ts'
import { findMappedRoles } from './mapped-roles.ts'
import { newPersonFrom } from './person.ts'
import { StaleDecision } from './retry-when-stale.ts'

/**
 * Creates the user of an identity, through an invitation if one is pending.
 *
 * @throws Problem `conflict` when the address has been registered since, `forbidden` when the trial limit is reached; StaleDecision when an
 *   invitation has come or gone, or gives more than the voucher of the connection holds by now
 */
export async function createAccount(
  tenant: Tenant,
  trialMaxUsers: number,
  { connection, identity, origin }: FederatedSignIn,
  decision: Extract<IdentityDecision, { kind: 'create' | 'accept_invitation' }>,
  facts: IdentityFacts,
): Promise<string> {
  await holdDomainAsDecided(tenant, connection, facts)
  const { email = '', claims } = identity
  const person = { ...newPersonFrom(claims, connection.mapping, email), passwordHash: null }
  if (decision.kind === 'accept_invitation') {
    const invitation = await findInvitationTo(tenant, email)
    const accepted =
      invitation &&
      (await acceptFor(tenant, invitation, person, { claim: { id: invitation.id }, isAddressProven: true, trialMaxUsers, origin }))
    if (!accepted) throw new StaleDecision()
    // What it has given counts, and the voucher is held: their role, or that of the invitation, may have changed since the decision.
    const exceeds = await exceedsVoucher(tenant, connection, accepted.id, { holdsVoucher: true })
    if (exceeds && !facts.invitationExceedsVoucher) throw new StaleDecision()
    return accepted.id
  }
  // An invitation that has been sent since is accepted instead; one that is being sent finds the user.
  await lockAddress(tenant, email)
  if (await findInvitationTo(tenant, email)) throw new StaleDecision()
  const mapped = await findMappedRoles(tenant, connection, identity)
  const defaultRole = mapped.length > 0 ? undefined : await vouchedDefaultRole(tenant, connection, { holdsVoucher: true })
  const created = await createUserRecord(
    tenant,
    { email, ...person, emailVerifiedAt: tenant.now },
    {
      roles: defaultRole ? [defaultRole] : [],
      teamIds: [],
      trialMaxUsers,
      history: (user) => ({ actor: userActor(user, origin) }),
    },
  )
  return created.id
}
