import { sql } from 'kysely'
import { tablesOfUsers } from '../../shared/kinds.ts'
import { eraseAccount, lockDeletedUser } from '../accounts/queries.ts'
import { deleteSignUp } from '../accounts/sign-ups.ts'
import type { Actor } from '../activity/actor.ts'
import { recordErasure } from '../activity/record-erasure.ts'
import { forgetUser, type HadAddress, listFormerAddresses } from '../audit/forget-user.ts'
import { takeAwayAccess } from '../connections/federation/take-away-access.ts'
import { endBypassOf } from '../domains/queries.ts'
import { releaseSubjects } from '../identities/queries.ts'
import { replaceInvitedEmail } from '../invitations/queries.ts'
import { getOwnOrganisation, isOwner } from '../organisations/queries.ts'
import type { Database, System } from '../platform/database/database.ts'
import { deleteMailsTo } from '../platform/mail/outbox.ts'
import { deleteLockedUser } from '../users/update-user.ts'
import { ownerCannotBeErased, userNotFound } from './refusals.ts'

/** Tables whose rows of a user are deleted when the user is erased. */
export const erasedWithTheUser: readonly string[] = [
  ...tablesOfUsers.map(([table]) => table),
  'mfa_credentials',
  'mfa_backup_codes',
  'mfa_challenges',
  'passkeys',
  'passkey_users',
  'email_codes',
  'device_codes',
  'federation_requests',
  'former_passwords',
  'action_links',
  'sessions',
  'consents',
  'resource_consents',
  'imported_users',
  'directory_users',
  'directory_group_members',
]

/** Tables whose rows of an erased user remain, with the reason why they contain no personal data. */
export const keptOfErasedUsers: Readonly<Record<string, string>> = {
  logout_deliveries: 'ids and times: applications are told that the sessions have ended, and this is gone in a month',
  session_clients: 'ids, until applications have been told, in minutes',
  token_families: 'ids, scopes and times of revoked tokens',
  authorization_codes: 'ids and scopes, gone in minutes',
  identities: 'deleted by their folder, with the subjects that are reserved',
  sign_ups: 'deleted by their folder, which says the address that a former owner has not confirmed',
}

/**
 * Removes a user's name, addresses, phone number, password, factors and sessions for good, and frees the address. The row remains with only
 * its id, since invitations, API keys and the audit log refer to it. An active user is deleted first, with everything that belongs to it.
 *
 * @throws Problem `not-found`, also when the user was erased before; `bad-request` for the organisation's owner
 */
export async function eraseUser(
  database: Database,
  actor: Actor,
  { organisationId, userId }: { organisationId: string; userId: string },
): Promise<void> {
  await database.transaction(organisationId, async (tenant) => {
    await getOwnOrganisation(tenant)
    const user = await lockDeletedUser(tenant, userId)
    if (!user) throw userNotFound()
    if (await isOwner(tenant, userId)) throw ownerCannotBeErased()
    if (user.deletedAt === null) await deleteLockedUser(tenant, actor, user)
    await takeAwayAccess(tenant, actor, user, 'user.erased')
  })
  // Only the system's role may change entries of the audit log. If the process ends before this, the user is deleted and
  // can be erased again.
  const isErased = await database.systemTransaction(async (system) => {
    const addresses = await eraseRecord(system, organisationId, userId)
    if (addresses === undefined) return false
    await forgetUser(system, { organisationId, userId, addresses })
    await recordErasure(system, actor, organisationId, userId)
    return true
  })
  // An administrator has restored the user meanwhile, whose access is gone, or another call has erased them.
  if (!isErased) await eraseUser(database, actor, { organisationId, userId })
}

/** @returns the addresses that the user had; undefined when they are not deleted, or have been erased */
async function eraseRecord(system: System, organisationId: string, userId: string): Promise<HadAddress[] | undefined> {
  const erasedEmail = `${userId}@erased.invalid`
  const email = await eraseAccount(system, organisationId, userId, erasedEmail)
  if (email === undefined) return undefined
  for (const table of erasedWithTheUser) {
    await sql`delete from ${sql.table(table)} where organisation_id = ${organisationId} and user_id = ${userId}`.execute(system)
  }
  await releaseSubjects(system, { organisationId, userId })
  await endBypassOf(system, organisationId, userId)
  const signUp = await deleteSignUp(system, { organisationId, userId })
  const addresses = [
    { email, until: null },
    // Never confirmed, it may be another person's: only what the sign-up itself has stored concerns this user.
    ...(signUp ? [{ email: signUp.email, until: signUp.createdAt }] : []),
    ...(await listFormerAddresses(system, { organisationId, userId })),
  ]
  for (const address of addresses) {
    await deleteMailsTo(system, organisationId, address.email, address.until)
    await replaceInvitedEmail(system, organisationId, address, erasedEmail)
  }
  return addresses
}
