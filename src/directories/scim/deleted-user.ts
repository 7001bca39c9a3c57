import { lockDeletedUser, type UserWithReferences, updateUser } from '../../accounts/queries.ts'
import { ScimError } from '../protocol/errors.ts'
import type { JsonObject } from '../protocol/json.ts'
import { userValues } from '../protocol/user-values.ts'
import type { ScimContext, ScimResponse } from './context.ts'
import { holdOrganisation } from './directory.ts'
import { refusalOf } from './refusal-of.ts'
import { resourceNotFound } from './scim-refusals.ts'
import { activationOf, deprovision, noteBesideBlock, recordOf } from './user-changes.ts'
import { findFormerlyManaged, leaveGroups, type ManagedUser, storeOwnBlock } from './user-queries.ts'
import { afterChange, userResource } from './user-resource.ts'

/**
 * Notes whether a user may act of whom a directory says so after an administrator has deleted them. The response is 404 in any case, which
 * directories take as done and never repeat: were nothing noted, the user would be restored as if the directory had said nothing.
 *
 * @param changed what becomes of the resource; undefined where the directory deletes the user
 * @returns the refusal, so that the transaction commits
 * @throws ScimError 404 of any other user that is not there
 */
export async function noteOfDeleted(
  context: ScimContext,
  id: string,
  changed: ((resource: JsonObject) => JsonObject) | undefined,
): Promise<ScimResponse> {
  const { tenant, directory } = context
  const account = await lockDeletedUser(tenant, id)
  if (!account) throw resourceNotFound()
  await holdOrganisation(tenant)
  const managed = await findFormerlyManaged(tenant, directory.id, id)
  if (!managed?.isManaged) throw resourceNotFound()
  if (changed) await noteActivation(context, account, managed, changed)
  else await noteDeletion(context, account, managed)
  return refusalOf(resourceNotFound()) as ScimResponse
}

async function noteDeletion(context: ScimContext, account: UserWithReferences, managed: ManagedUser): Promise<void> {
  const { tenant, directory } = context
  await leaveGroups(tenant, directory.id, account.id)
  await deprovision(context, account, managed.blockedAt)
  await recordOf(context, 'directory.user_deprovisioned', account)
}

async function noteActivation(
  context: ScimContext,
  account: UserWithReferences,
  managed: ManagedUser,
  changed: (resource: JsonObject) => JsonObject,
): Promise<void> {
  const said = saidOfActive(userResource({ ...account, isOwner: false, managed, groups: undefined }), changed)
  await noteBesideBlock(context, account, managed.blockedAt, said)
  const { changes, ownBlock } = activationOf(context, account, managed.blockedAt, said ?? account.blockedAt === null)
  if (Object.keys(changes).length === 0) return
  await updateUser(context.tenant, account.id, changes)
  await storeOwnBlock(context.tenant, context.directory.id, account.id, ownBlock)
  await recordOf(context, 'directory.user_updated', account, { attributes: ['active'] })
}

/** A change that would be refused says nothing: it is not carried out in part. */
function saidOfActive(before: JsonObject, changed: (resource: JsonObject) => JsonObject): boolean | undefined {
  try {
    const { asked, said } = afterChange(before, changed)
    userValues(asked)
    return said
  } catch (error) {
    if (error instanceof ScimError) throw resourceNotFound()
    throw error
  }
}
