import type { UserWithReferences } from '../../accounts/queries.ts'
import { record } from '../../activity/record.ts'
import { beginningOfNameId, isNamed, subjectNamed } from '../../connections/named-by-directory.ts'
import { getConnection } from '../../connections/queries.ts'
import { tellOfIdentity } from '../../identities/mails.ts'
import { presentIdentity } from '../../identities/present-identity.ts'
import { deleteIdentity, insertIdentity, isSubjectOfAnother, listIdentities } from '../../identities/queries.ts'
import { exceedsVoucher } from '../../roles/vouchers.ts'
import { endAccessByConnection } from '../../sessions/end-access-by-connection.ts'
import { takeWhatConnectionGave, unlinked } from '../../users/unlink-identities.ts'
import type { ScimContext } from './context.ts'
import { externalIdTaken } from './scim-refusals.ts'

/**
 * Where `externalId` names the account at a connection, links the account of the user there, so that the first sign-in through it finds the
 * user. The account that it named before is unlinked, and what began through it ends: it may be another person's. Users whose account existed
 * before are mailed; provisioned ones are not. One who has a permission that the voucher of the directory does not hold is not linked: who
 * names the account at the connection could act as them.
 *
 * @param options.yields whether a subject that is another user's remains theirs without a refusal: the directory names nothing new, and
 *   something else, such as a reset of the password, may have ended the link
 * @throws ScimError `uniqueness` when the subject is another user's, or reserved for a deleted one
 */
export async function followExternalId(
  context: ScimContext,
  account: UserWithReferences,
  former: string | null,
  externalId: string | null,
  { isProvisioned = false, yields = false } = {},
): Promise<void> {
  const { tenant, actor, directory } = context
  const { userMatch, connectionId } = directory
  if (userMatch !== 'externalId' || connectionId === null) return
  const connection = await getConnection(tenant, connectionId)
  const identities = (await listIdentities(tenant, account.id)).filter((identity) => identity.connection.id === connectionId)
  const named = (one: string) => identities.find(({ subject }) => isNamed(connection, one, subject))
  const formerOne = former === null ? undefined : named(former)
  const isNamedAnew = externalId !== null && !named(externalId)
  // Asked before anything is taken: what the connection gave may be what exceeds.
  const exceeds = isNamedAnew && !isProvisioned && (await exceedsVoucher(tenant, directory, account.id, { holdsVoucher: true }))
  if (formerOne && former !== externalId) {
    await deleteIdentity(tenant, formerOne.id)
    await endAccessByConnection(tenant, actor, { connectionId, userId: account.id, subject: formerOne.subject })
    const isLinkedThere = (externalId !== null && !exceeds) || identities.some(({ id }) => id !== formerOne.id)
    if (!isLinkedThere) await takeWhatConnectionGave(tenant, actor, account.id, connectionId)
    await record(tenant, actor, unlinked(account, formerOne, { directoryId: directory.id }))
    await tellOfIdentity(tenant, context, 'identityUnlinked', { user: account, connection: formerOne.connection, language: undefined })
  }
  if (!isNamedAnew) return
  const subject = subjectNamed(connection, externalId)
  const beginning = beginningOfNameId(connection, externalId)
  const isOfAnother =
    (exceeds || beginning !== undefined) &&
    (await isSubjectOfAnother(tenant, account.id, { connectionId, ...(beginning === undefined ? { subject } : { beginning }) }))
  if (isOfAnother && !yields) throw externalIdTaken()
  // The first sign-in of an account that exceeds then goes by the settings of the connection, as without a directory.
  if (isOfAnother || exceeds) return
  const stored = await insertIdentity(tenant, account.id, { connectionId, subject, email: undefined, claims: {}, lastUsedAt: null })
  if (!stored && yields) return
  if (!stored) throw externalIdTaken()
  const linked = (await listIdentities(tenant, account.id)).find(({ id }) => id === stored.id)
  if (!linked) return
  await record(tenant, actor, {
    action: 'identity.linked',
    identity: presentIdentity(linked),
    user: { id: account.id, email: account.email, name: account.name },
    metadata: { userId: account.id, directoryId: directory.id },
  })
  if (isProvisioned) return
  await tellOfIdentity(tenant, context, 'identityLinked', { user: account, connection: linked.connection, language: undefined })
}
