import { sql } from 'kysely'
import type { Actor } from '../activity/actor.ts'
import { recordEach } from '../activity/record.ts'
import { subjectNamed, valueOfNameId } from '../connections/named-by-directory.ts'
import { getConnection } from '../connections/queries.ts'
import { tellOfLinkedIdentities } from '../identities/mails.ts'
import { presentIdentity } from '../identities/present-identity.ts'
import { insertIdentities, listSubjects } from '../identities/queries.ts'
import type { MailSender } from '../mails/mail-sender.ts'
import type { Tenant } from '../platform/database/database.ts'
import { findExceeding, type Voucher } from '../roles/vouchers.ts'
import type { Directory } from './queries.ts'

/**
 * Links the accounts of all users of a directory that compares subjects, as their provisioning would have: they may never be sent again. A
 * subject that is another user's remains theirs, and a user who has a permission that the voucher of the directory does not hold is not
 * linked. Users whose account existed before are mailed; those whom the directory has created are not. The directory is locked.
 *
 * @param userId the only user to link; all by default
 */
export async function linkManagedUsers(
  tenant: Tenant,
  sender: MailSender,
  actor: Actor,
  { id: directoryId, userMatch, connectionId, ...voucher }: Pick<Directory, 'id' | 'userMatch' | 'connectionId' | keyof Voucher>,
  userId?: string,
): Promise<void> {
  if (userMatch !== 'externalId' || connectionId === null) return
  const connection = await getConnection(tenant, connectionId)
  const named = await lockNamedUsers(tenant, directoryId, userId)
  if (named.length === 0) return
  // In a statement of its own: one that waited for a row would still see the roles of before.
  const exceeding = await findExceeding(
    tenant,
    voucher,
    named.map(({ id }) => id),
    { holdsVoucher: true },
  )
  const users = named.filter(({ id }) => !exceeding.has(id))
  const known = new Set((await listSubjects(tenant, connectionId)).map((subject) => valueOfNameId(connection, subject) ?? subject))
  const unlinked = users.filter(({ externalId }) => !known.has(subjectNamed(connection, externalId)))
  const linked = await insertIdentities(
    tenant,
    connectionId,
    unlinked.map(({ id, externalId }) => ({ userId: id, subject: subjectNamed(connection, externalId) })),
  )
  const byId = new Map(users.map((user) => [user.id, user]))
  await recordEach(
    tenant,
    actor,
    linked.flatMap(({ id, userId, subject }) => {
      const user = byId.get(userId)
      if (!user) return []
      const identity = presentIdentity({ id, subject, connection, email: null, createdAt: tenant.now, lastUsedAt: null })
      const { email, name } = user
      return [{ action: 'identity.linked' as const, identity, user: { id: userId, email, name }, metadata: { userId, directoryId } }]
    }),
  )
  const ofExisting = linked.flatMap(({ userId }) => byId.get(userId) ?? []).filter(({ isProvisioned }) => !isProvisioned)
  await tellOfLinkedIdentities(tenant, sender, ofExisting, connection)
}

interface NamedUser {
  id: string
  email: string
  name: string
  externalId: string
  /** Whether the directory has created the account, in the transaction in which it began to manage it. */
  isProvisioned: boolean
}

/** The users whom a directory manages by an `externalId`, except the owner, whose accounts only the owner links. */
async function lockNamedUsers(tenant: Tenant, directoryId: string, userId: string | undefined): Promise<NamedUser[]> {
  const { organisationId } = tenant
  const { rows } = await sql<NamedUser>`
    select u.id, u.email, u.name, m.external_id, u.created_at = m.created_at as is_provisioned
    from users u join directory_users m on m.organisation_id = u.organisation_id and m.user_id = u.id
    where u.organisation_id = ${organisationId} and u.deleted_at is null and m.directory_id = ${directoryId}
      and m.external_id is not null and m.deprovisioned_at is null ${userId === undefined ? sql`` : sql`and u.id = ${userId}`}
      and u.id <> coalesce((select o.owner_id from organisations o where o.id = ${organisationId}), '')
    order by u.id for update of u`.execute(tenant)
  return rows
}
