import { type Selectable, sql } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import { daysAfter } from '../platform/clock.ts'
import { refuseViolation } from '../platform/database/constraints.ts'
import type { Database, System, Tenant } from '../platform/database/database.ts'
import type { InvitationsTable } from '../platform/database/tables.ts'
import { presentTime } from '../platform/http/fields.ts'
import { defineVersion } from '../platform/http/versions.ts'
import { newId } from '../platform/ids.ts'
import { invitationNotFound, invitationPending } from './refusals.ts'
import type { InvitationDetails, InvitationRecord, NewInvitation } from './schemas.ts'

const teamIds = sql<string[]>`
  array(select team_id from invitation_teams t
    where t.organisation_id = invitations.organisation_id and t.invitation_id = invitations.id order by team_id)`

/** Invitations with their inviter, role and teams. An invitation counts as expired as soon as its time is over. */
export const invitationsWithReferences = (tenant: Tenant) =>
  tenant
    .selectFrom('invitations')
    .select([
      'invitations.id',
      'invitations.email',
      'invitations.roleId',
      'invitations.clientId',
      'invitations.invitedById',
      'invitations.expiresInDays',
      'invitations.expiresAt',
      'invitations.acceptedAt',
      'invitations.createdAt',
      'invitations.updatedAt',
    ])
    .select(
      sql<InvitationRecord['status']>`
        case when invitations.status = 'pending' and invitations.expires_at <= ${tenant.now} then 'expired' else invitations.status end`.as(
        'status',
      ),
    )
    .select(teamIds.as('teamIds'))
    .select((invitation) =>
      jsonObjectFrom(
        invitation
          .selectFrom('users')
          .select(['users.id', 'users.email', 'users.name'])
          .whereRef('users.organisationId', '=', 'invitations.organisationId')
          .whereRef('users.id', '=', 'invitations.invitedById'),
      )
        .$notNull()
        .as('invitedBy'),
    )
    .select((invitation) =>
      jsonObjectFrom(
        invitation
          .selectFrom('roles')
          .select(['roles.id', 'roles.name', 'roles.slug'])
          .whereRef('roles.organisationId', '=', 'invitations.organisationId')
          .whereRef('roles.id', '=', 'invitations.roleId'),
      ).as('role'),
    )
    .select((invitation) =>
      jsonArrayFrom(
        invitation
          .selectFrom('invitationTeams')
          .innerJoin('teams', (join) =>
            join.onRef('teams.organisationId', '=', 'invitationTeams.organisationId').onRef('teams.id', '=', 'invitationTeams.teamId'),
          )
          .select(['teams.id', 'teams.name', 'teams.slug'])
          .whereRef('invitationTeams.organisationId', '=', 'invitations.organisationId')
          .whereRef('invitationTeams.invitationId', '=', 'invitations.id')
          .orderBy('teams.id'),
      ).as('teams'),
    )

export type Invitation = NonNullable<Awaited<ReturnType<typeof findInvitation>>>

/** An invitation has no PATCH, but resending it changes these fields. */
export const invitationVersion = defineVersion<InvitationRecord>(['email', 'status', 'expiresAt'])

export function presentInvitation(invitation: Invitation): InvitationRecord {
  const { id, email, roleId, clientId, teamIds, status, invitedById, expiresAt, acceptedAt, createdAt, updatedAt } = invitation
  return {
    id,
    email,
    roleId,
    teamIds,
    clientId,
    status,
    invitedById,
    expiresAt: presentTime(expiresAt),
    acceptedAt: presentTime(acceptedAt),
    createdAt: presentTime(createdAt),
    updatedAt: presentTime(updatedAt),
  }
}

export const presentInvitationDetails = (invitation: Invitation): InvitationDetails => ({
  ...presentInvitation(invitation),
  invitedBy: invitation.invitedBy,
  role: invitation.role,
  teams: invitation.teams,
})

async function findInvitation(tenant: Tenant, id: string) {
  return invitationsWithReferences(tenant).where('invitations.id', '=', id).executeTakeFirst()
}

/** @throws Problem `not-found` */
export async function getInvitation(tenant: Tenant, id: string): Promise<Invitation> {
  const invitation = await findInvitation(tenant, id)
  if (!invitation) throw invitationNotFound()
  return invitation
}

/** The invitation, whose row stays locked until the end of the transaction. */
export async function lockInvitation(tenant: Tenant, id: string): Promise<Invitation | undefined> {
  return invitationsWithReferences(tenant).where('invitations.id', '=', id).forUpdate('invitations').executeTakeFirst()
}

/** Marks expired invitations, so that the address can be invited again. */
export async function expireInvitationTo(tenant: Tenant, email: string): Promise<void> {
  await tenant
    .updateTable('invitations')
    .set({ status: 'expired', updatedAt: tenant.now })
    .where('email', '=', email)
    .where('status', '=', 'pending')
    .where('expiresAt', '<=', tenant.now)
    .execute()
}

/** Ends every link of an invitation. */
export async function expireEveryInvitation(tenant: Tenant): Promise<void> {
  await tenant.updateTable('invitations').set({ status: 'expired', updatedAt: tenant.now }).where('status', '=', 'pending').execute()
}

export async function insertInvitation(
  tenant: Tenant,
  invitation: Omit<NewInvitation, 'teamIds' | 'returnLink'> &
    Pick<Selectable<InvitationsTable>, 'invitedById' | 'invitedByKeyId' | 'tokenHash'> & { linkReturned: boolean },
  teams: readonly string[],
): Promise<string> {
  const id = newId('inv', tenant.now)
  await tenant
    .insertInto('invitations')
    .values({
      id,
      ...invitation,
      expiresAt: daysAfter(tenant.now, invitation.expiresInDays),
      createdAt: tenant.now,
      updatedAt: tenant.now,
    })
    .execute()
    .catch(refuseViolation({ invitations_pending_key: invitationPending }))
  if (teams.length > 0) {
    await tenant
      .insertInto('invitationTeams')
      .values(teams.map((teamId) => ({ invitationId: id, teamId })))
      .execute()
  }
  return id
}

/** Gives the invitation a new token and its full lifetime. The link that was mailed before stops working. */
export async function renewInvitation(tenant: Tenant, { id, expiresInDays }: Invitation, tokenHash: string): Promise<void> {
  await tenant
    .updateTable('invitations')
    .set({ tokenHash, linkReturned: false, expiresAt: daysAfter(tenant.now, expiresInDays), updatedAt: tenant.now })
    .where('id', '=', id)
    .execute()
}

export async function deleteInvitation(tenant: Tenant, id: string): Promise<void> {
  await tenant.deleteFrom('invitations').where('id', '=', id).execute()
}

/** The invitation that a token opens; the organisation is not known yet. */
export async function findOpenInvitation(database: Database, tokenHash: string) {
  const system = database.system()
  return system
    .selectFrom('invitations')
    .innerJoin('organisations', 'organisations.id', 'invitations.organisationId')
    .select([
      'invitations.id',
      'invitations.organisationId',
      'invitations.email',
      'invitations.roleId',
      'invitations.clientId',
      'invitations.invitedById',
      'invitations.invitedByKeyId',
      'invitations.expiresAt',
      'invitations.linkReturned',
      'organisations.name as organisationName',
      'organisations.status as organisationStatus',
    ])
    .select(teamIds.as('teamIds'))
    .where('invitations.tokenHash', '=', tokenHash)
    .where('invitations.status', '=', 'pending')
    .where('invitations.expiresAt', '>', system.now)
    .where('organisations.status', '!=', 'cancelled')
    .executeTakeFirst()
}

export async function findInvitationTo(tenant: Tenant, email: string) {
  return tenant
    .selectFrom('invitations')
    .select(['id', 'email', 'roleId', 'invitedById', 'invitedByKeyId'])
    .select(teamIds.as('teamIds'))
    .where('email', '=', email)
    .where('status', '=', 'pending')
    .where('expiresAt', '>', tenant.now)
    .executeTakeFirst()
}

/**
 * Accepts the invitation, once, unless it has been cancelled, resent or has expired meanwhile, or the organisation is
 * suspended or cancelled. The lock on the organisation's row holds its status until the end of the transaction.
 *
 * @returns whether this call accepted it
 */
export async function claimInvitation(tenant: Tenant, by: { tokenHash: string } | { id: string }): Promise<boolean> {
  const named = 'id' in by ? sql`invitations.id = ${by.id}` : sql`token_hash = ${by.tokenHash}`
  const { rows } = await sql`
    with organisation as (select id from organisations where status in ('trial', 'active') for key share)
    update invitations set status = 'accepted', accepted_at = ${tenant.now}, updated_at = ${tenant.now}
    from organisation
    where organisation.id = invitations.organisation_id and ${named} and status = 'pending'
      and expires_at > ${tenant.now}
    returning invitations.id`.execute(tenant)
  return rows.length > 0
}

/** @returns how many there were, at most `limit` */
export async function expireInvitations(system: System, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update invitations set status = 'expired', updated_at = ${system.now}
    where (organisation_id, id) in (
      select organisation_id, id from invitations where status = 'pending' and expires_at <= ${system.now}
      limit ${limit} for update skip locked)`.execute(system)
  return Number(numAffectedRows)
}

/**
 * Replaces the address in every invitation that was sent to it.
 *
 * @param until when it became another person's; null for one that has not
 */
export async function replaceInvitedEmail(
  system: System,
  organisationId: string,
  { email, until }: { email: string; until: Date | null },
  replacement: string,
): Promise<void> {
  await system
    .updateTable('invitations')
    .set({ email: replacement })
    .where('organisationId', '=', organisationId)
    .where('email', '=', email)
    .$if(until !== null, (invitations) => invitations.where('createdAt', '<=', until as Date))
    .execute()
}
