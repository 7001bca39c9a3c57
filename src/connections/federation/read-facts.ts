import { isRegistered } from '../../accounts/queries.ts'
import { verifiedDomainsOf } from '../../domains/queries.ts'
import { findInvitationTo } from '../../invitations/queries.ts'
import type { Database } from '../../platform/database/database.ts'
import { exceedsVoucher } from '../../roles/vouchers.ts'
import type { IdentityFacts } from '../decide-identity.ts'
import type { FederatedSignIn } from './federated-sign-in.ts'
import { findAddressHolder, findIdentityUser, findKnownUser, invitationExceedsVoucher } from './queries.ts'
import { factsOf } from './rules.ts'

export async function readFacts(
  database: Database,
  { connection, identity, linkTo, isConfirmed = false }: Pick<FederatedSignIn, 'connection' | 'identity' | 'linkTo' | 'isConfirmed'>,
): Promise<IdentityFacts> {
  const { organisationId } = connection
  const { email } = identity
  const [identityOf, holder, linkingUser, invitation, domains] = await Promise.all([
    findIdentityUser(database, connection, identity.subject),
    email === undefined ? undefined : findAddressHolder(database, email),
    linkTo === undefined ? undefined : findKnownUser(database.tenant(organisationId), linkTo.session.userId),
    email === undefined ? undefined : findInvitationTo(database.tenant(organisationId), email),
    verifiedDomainsOf(database.tenant(organisationId)),
  ])
  const isFoundByAddress = holder !== undefined && identityOf === undefined && linkTo === undefined
  const isNew = email !== undefined && identityOf === undefined && holder === undefined
  return factsOf(connection, {
    identity,
    identityOf,
    linkTo: linkingUser,
    isConfirmed,
    holder,
    holderExceedsVoucher: isFoundByAddress && (await exceedsVoucher(database.tenant(organisationId), connection, holder.id)),
    isKeptElsewhere: isNew && (await isRegistered(database, email, organisationId)),
    invitationId: invitation?.id,
    invitationExceedsVoucher:
      isNew && invitation !== undefined && (await invitationExceedsVoucher(database.tenant(organisationId), connection, invitation.id)),
    domains,
  })
}
