import type { Caller } from '../access/caller.ts'
import { responsibleKeyId } from '../access/held-permissions.ts'
import { holdCaller, requireGranting } from '../access/hold-caller.ts'
import { findUserByEmail, isRegistered } from '../accounts/queries.ts'
import { record } from '../activity/record.ts'
import { findClientName } from '../clients/initiate-login.ts'
import type { MailSender } from '../mails/mail-sender.ts'
import { pageLink } from '../mails/page-link.ts'
import { findLetterhead } from '../organisations/letterhead.ts'
import { type MailLimits, withinMailLimits } from '../organisations/mail-limits.ts'
import { responsibleUserId } from '../organisations/responsible-user.ts'
import { hashSecret, newSecret } from '../platform/crypto/secrets.ts'
import type { Tenant } from '../platform/database/database.ts'
import { lockAddress } from '../platform/database/locks-and-channels.ts'
import type { Language } from '../platform/language.ts'
import { findDefaultRole, findRoles, permissionsOf, type Role } from '../roles/queries.ts'
import { knownTeams } from '../teams/known-teams.ts'
import { findTeamNames } from '../teams/queries.ts'
import { invitationMail } from './mails.ts'
import {
  expireInvitationTo,
  getInvitation,
  type Invitation,
  insertInvitation,
  lockInvitation,
  presentInvitation,
  renewInvitation,
} from './queries.ts'
import { clientNotFound, invitationNotFound, onlyPendingResent, roleNotFound, userExists } from './refusals.ts'
import type { NewInvitation } from './schemas.ts'

export interface Inviting extends MailLimits, MailSender {}

/**
 * Invites an address into the caller's organisation and mails it a link, which is returned if the caller asks for it.
 *
 * @throws Problem `not-found` for the role or the client, `forbidden` when it holds a permission that the caller lacks, `bad-request`
 *   naming an unknown team, or when the address is registered or has a pending invitation, `too-many-requests` when too
 *   much has been mailed
 */
export async function inviteUser(
  inviting: Inviting,
  caller: Caller,
  input: NewInvitation,
  language: Language | undefined,
): Promise<{ sent: Invitation; link: string }> {
  // Addresses are unique in the whole system, which the tenant's transaction does not see. A user of another organisation who
  // registers the address meanwhile wins: the invitation can then not be accepted.
  const registered = await isRegistered(inviting.database, input.email, caller.organisationId)
  return mailInTransaction(inviting, caller, input.email, async (tenant) => {
    // A first sign-in through a connection that is creating the user is then either over, or will find the invitation.
    await lockAddress(tenant, input.email)
    const [role] = await findRoles(tenant, [input.roleId])
    if (!role) throw roleNotFound()
    if (input.clientId !== null && (await findClientName(tenant, input.clientId)) === undefined) throw clientNotFound()
    const { teamIds, returnLink: linkReturned, ...invitation } = input
    const teams = await knownTeams(tenant, teamIds)
    await requireInvitingTo(tenant, caller, role)
    if (registered || (await findUserByEmail(tenant, input.email))) throw userExists()

    await expireInvitationTo(tenant, input.email)
    const token = newSecret()
    const invitedById = await responsibleUserId(tenant, caller)
    const id = await insertInvitation(
      tenant,
      { ...invitation, roleId: role.id, invitedById, invitedByKeyId: responsibleKeyId(caller), tokenHash: hashSecret(token), linkReturned },
      teams,
    )
    const sent = await getInvitation(tenant, id)
    const link = linkOf(inviting, token, language)
    await mail(inviting, tenant, sent, role, link, language)
    await record(tenant, caller.actor, {
      action: 'invitation.sent',
      invitation: presentInvitation(sent),
      metadata: { email: sent.email, ...(linkReturned && { linkReturned }) },
    })
    return { sent, link }
  })
}

/**
 * Mails a pending invitation again, with a new link and its full lifetime. The previous link stops working. The invitation
 * grants what the role holds now, so the caller must hold that too.
 *
 * @throws Problem `not-found`; `bad-request` when it is not pending; `forbidden` when its role, or the default role in
 *   place of a deleted one, holds a permission that the caller lacks; `too-many-requests` when too much has been mailed
 */
export async function resendInvitation(
  inviting: Inviting,
  caller: Caller,
  id: string,
  language: Language | undefined,
): Promise<Invitation> {
  const { email } = await getInvitation(inviting.database.pointReads(caller.organisationId), id)
  return mailInTransaction(inviting, caller, email, async (tenant) => {
    // Read it before locking: accepting the invitation and deleting a role also lock the role first.
    const role = await roleToGive(tenant, (await getInvitation(tenant, id)).roleId)
    const before = await lockInvitation(tenant, id)
    if (!before) throw invitationNotFound()
    if (before.status !== 'pending') throw onlyPendingResent()
    await requireInvitingTo(tenant, caller, role)

    const token = newSecret()
    await renewInvitation(tenant, before, hashSecret(token))
    const sent = await getInvitation(tenant, id)
    await mail(inviting, tenant, sent, role, linkOf(inviting, token, language), language)
    await record(tenant, caller.actor, {
      action: 'invitation.sent',
      invitation: presentInvitation(sent),
      changes: { expiresAt: { from: before.expiresAt.toISOString(), to: sent.expiresAt.toISOString() } },
      metadata: { email: sent.email, resent: true },
    })
    return sent
  })
}

/** Mails in a transaction that holds the caller: a mail outlasts the access of its sender, so none is sent once that has ended. */
const mailInTransaction = <T>(inviting: Inviting, caller: Caller, address: string, work: (tenant: Tenant) => Promise<T>) =>
  withinMailLimits(inviting, caller.organisationId, address, () =>
    inviting.database.transaction(caller.organisationId, async (tenant) => {
      await holdCaller(tenant, caller)
      return work(tenant)
    }),
  )

/** The role of an invitation, or the default role in place of a deleted one. It is locked against deletion. */
export async function roleToGive(tenant: Tenant, roleId: string | null): Promise<Role | undefined> {
  const [role] = roleId === null ? [] : await findRoles(tenant, [roleId])
  return role ?? (await findDefaultRole(tenant))
}

const requireInvitingTo = (tenant: Tenant, caller: Caller, role: Role | undefined): Promise<void> =>
  requireGranting(tenant, caller, 'invitations:create', role ? permissionsOf([role]) : [])

const linkOf = ({ publicUrl }: Inviting, token: string, language: Language | undefined) =>
  pageLink(publicUrl, '/invitations/accept', token, language)

async function mail(
  { outbox }: Inviting,
  tenant: Tenant,
  invitation: Invitation,
  role: Role | undefined,
  link: string,
  language: Language | undefined,
): Promise<void> {
  const { email: to, invitedBy, teamIds, clientId, expiresAt } = invitation
  const teams = await findTeamNames(tenant, teamIds)
  const application = clientId === null ? undefined : await findClientName(tenant, clientId)
  await outbox.queue(
    tenant,
    invitationMail(await findLetterhead(tenant), language, {
      to,
      inviterName: invitedBy.name,
      role: role?.name,
      teams,
      application,
      link,
      expiresAt,
    }),
  )
}
