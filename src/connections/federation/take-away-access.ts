import { tablesOfUsers } from '../../../shared/kinds.ts'
import { presentUser } from '../../accounts/present-user.ts'
import { type UserWithReferences, updateUser } from '../../accounts/queries.ts'
import type { Actor } from '../../activity/actor.ts'
import { record, recordEach } from '../../activity/record.ts'
import { endKeysOf } from '../../api-keys/end-keys.ts'
import { deleteEmailCodes } from '../../email-codes/codes.ts'
import { deleteIdentity, listIdentities } from '../../identities/queries.ts'
import { deleteCredentials } from '../../mfa/queries.ts'
import { deleteConsents } from '../../oauth/authorization/consents.ts'
import { forgetDecisions } from '../../oauth/authorization/stored-requests.ts'
import { deleteEveryPasskey } from '../../passkeys/delete-every.ts'
import { takeAwayPassword } from '../../passwords/replace-password.ts'
import type { Tenant } from '../../platform/database/database.ts'
import { endAccess } from '../../sessions/end-access.ts'
import { endSetupLinks } from '../../sessions/end-setup-links.ts'
import { takeWhatConnectionGave, unlinked } from '../../users/unlink-identities.ts'
import { deleteRequestsOf } from './request-queries.ts'

/** Tables with a column that names a user, from which {@link takeAwayAccess} removes the user's rows. */
export const takenAway = [
  'identities.user_id',
  'passkeys.user_id',
  'mfa_credentials.user_id',
  'mfa_backup_codes.user_id',
  'mfa_challenges.user_id',
  'sessions.user_id',
  'token_families.user_id',
  'authorization_codes.user_id',
  'device_codes.user_id',
  'authorization_requests.decided_by_id',
  'consents.user_id',
  'resource_consents.user_id',
  'email_codes.user_id',
  'action_links.user_id',
  'federation_requests.user_id',
  'api_keys.created_by_id',
  'setup_links.created_by_id',
] as const

/** The other tables, and why their rows do not let anyone act as the user. */
export const noAccess: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    tablesOfUsers.map(([table, { words }]) => [`${table}.user_id`, `to which ${words} the user belongs, not who the user is`]),
  ),
  'former_passwords.user_id': 'hashes that no password may have again',
  'passkey_users.user_id': 'the handle that passkeys name, of no use without one',
  'imported_users.user_id': 'where the user came from',
  'sign_ups.user_id': 'that the owner has yet to confirm the address',
  'logout_deliveries.user_id': 'whose session has ended',
  'session_clients.user_id': 'whose session it is',
  'directory_users.user_id': 'who manages the user',
  'directory_group_members.user_id': 'what the user belongs to at a directory',
  'identities.reserved_for': 'a subject that is refused',
  'invitations.invited_by_id': 'makes another user',
  'connections.vouched_by_id': 'bounds what a connection links at once',
  'directories.vouched_by_id': 'bounds whose account a directory may move or link',
  'organisations.owner_id': 'who owns the organisation',
  'organisation_domains.bypass_user_ids': 'counts with a second factor alone',
  'blocked_client_hosts.created_by_id': 'who has blocked it',
  'registration_tokens.created_by_id': 'registers applications, which administrators see and end',
  'audit_logs.actor_id': 'history',
}

/**
 * Removes everything that lets anyone act as a user: password, passkeys, second factors, linked accounts with what their
 * connections gave, sessions, tokens and codes, API keys, set-up links, consents, and pending requests. The caller has locked the row of the user.
 */
export async function takeAwayAccess(tenant: Tenant, actor: Actor, user: UserWithReferences, because: string): Promise<void> {
  const { id } = user
  const hadPassword = await takeAwayPassword(tenant, id)
  const identities = await listIdentities(tenant, id)
  for (const identity of identities) await deleteIdentity(tenant, identity.id)
  for (const connectionId of new Set(identities.map(({ connection }) => connection.id))) {
    await takeWhatConnectionGave(tenant, actor, id, connectionId)
  }
  await recordEach(
    tenant,
    actor,
    identities.map((identity) => unlinked(user, identity, { because })),
  )
  await deleteRequestsOf(tenant, id)
  await updateUser(tenant, id, { mfaEnabled: false })
  await deleteEmailCodes(tenant, id)
  await deleteCredentials(tenant, id)
  await deleteEveryPasskey(tenant, actor, user, { because })
  await endKeysOf(tenant, actor, id, { because })
  await endSetupLinks(tenant, actor, { because: 'right_lost', userId: id })
  await endAccess(tenant, actor, id)
  await forgetDecisions(tenant, id)
  await deleteConsents(tenant, id)
  if (!hadPassword) return
  await record(tenant, actor, { action: 'user.password_removed', user: presentUser({ ...user, mfaEnabled: false }), metadata: { because } })
}
